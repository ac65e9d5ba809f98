"""Chinese: what people say to ask what is worked on, or to stop it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

ROWS: Mapping[str, Sequence[str]] = {
    "tasks.busy": (
        "你 (现在|目前|这会儿)? (正在|在|还在) (做|干|忙) (什么|啥|些什么) (呢|事)? END_Q",
        "(后台|现在) (正在|在) (运行|进行) (什么|啥|哪些) (任务|工作)? END_Q",
    ),
    "tasks.stop": (
        "(请)? (停止|中止|终止|停下) ((这个|那个|当前的?|正在进行的|后台的?) 工作|(这个|那个|当前的?|正在进行的"
        "|后台的?)? 任务) (吧)?",
    ),
}
PHRASES = PhraseTable(rows=ROWS)
