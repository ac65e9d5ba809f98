"""Chinese: what people say to see their files, or to delete one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "FILES": "文件|文档",
    "FILE": "文件|文档|(picture=图片|照片)",
    "DELETE": "(删除|删掉|删了|移除|删)",
}
ROWS: Mapping[str, Sequence[str]] = {
    "files": (
        "(LOOK)? (ALL)? (我的?|我们的?) (ALL)? (FILES) (列表)? (SHOWN)? END_Q|(LOOK) (ALL)? (FILES) END_Q",
        "(我|我们)? (都)? (给你)? (发|传|上传|发送) (给你)? (过|了) (WHAT) (FILES) END_Q|(LOOK)? (我|我们) (发|传|上传)"
        " (给你)? [过了]? 的 (FILES) END_Q",
        "(我的?|我们的?|这里|这儿)? (都)? 有 (WHAT) (FILES) END_Q",
    ),
    "files.delete": (
        "[把将]? (刚才|刚刚|上面|我?刚发)? 的? (这|那|最后一?|上一?) [个份张] (FILE) (给我)? (DELETE) TAIL",
        "(DELETE) (刚才|刚刚|上面|我?刚发)? 的? (这|那|最后一?|上一?) [个份张] (FILE) TAIL|(DELETE) (刚才|刚刚|我?刚发)"
        " 的 (FILE) TAIL",
        "(DELETE) (FILE) (?!TAIL $|[最第里中内的开末]) <x:text>|[把将] (FILE) (?!给我) <x:words> (DELETE) TAIL",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
