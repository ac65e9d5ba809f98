"""文档，中文。"""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "document_unknown": "{name} 我读不了：我能读 PDF、办公文档、电子书、表格、网页和文本。",
    "document_mismatch": "{name} 与它的名称不符，我不读。",
    "document_damaged": "{name} 已损坏，读不了。",
    "document_encrypted": "{name} 有密码。请发一份没有密码的。",
    "document_empty": "{name} 里没有文字，可能是扫描件或图片。",
    "document_bomb": "{name} 展开后超出我能读的量。",
    "document_slow": "读 {name} 用时太久。",
    "document_huge": "{name} 太大，我读不了。",
    "document_gone": "{name} 已不再保存。",
    "document_n_page": "{n} 页",
    "document_n_sheet": "{n} 个表",
    "document_n_slide": "{n} 张幻灯片",
    "document_n_chapter": "{n} 章",
    "document_n_part": "{n} 部分",
    "document_n_entry": "{n} 条",
}
