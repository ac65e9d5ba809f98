"""Chinese: what people say to ask what was said, or for a summary of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

ROWS: Mapping[str, Sequence[str]] = {
    # What was said: quotes of it are the answer.
    "history": (
        "(是)? 谁 (说|提到|答应|负责|讲) (过|了|要|好)? <y:text>|谁 (要|想) <y:many> 来着 END_Q",
        "(?!<you>) <w:few> (关于|对|就) <y:plain> (都)? (说|讲|写|提) (了|过) (WHAT) END_Q",
        "(WE|大家|群里)? (是)? (什么<moment>|哪天|哪一天) (聊|谈|说|讨论|提) (过|到|起|了) (关于)? <y:text>",
    ),
    "summary": (
        "(WE)? (今天|刚才|刚刚|都){0,2} (错过|漏掉|漏|落下) 了? (WHAT) END_Q",
        "有? (WHAT) (是)? (WE) (错过|漏掉|漏) 了? 的? END_Q",
        "(帮我|给我)? (总结|概括|归纳) 一?下 (这个|本)? (群里?|群聊|聊天|聊天记录|对话|讨论|大家说的话?) TAIL",
        "(大家|群里) (刚才|刚刚|今天|都){0,2} (聊|说) 了? (WHAT) END_Q",
    ),
}
PHRASES = PhraseTable(rows=ROWS)
