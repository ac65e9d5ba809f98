"""What is special in Chinese: how the grammar looks at a text, its numerals, and the lines of wishes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.language.grammar import Request
from core.language.zh.grammar import GRAMMAR
from core.language.zh.normalize import fold, number
from tests.language import phrases_zh as phrases
from tests.language.wishes import request_of


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("提醒小明明天9点交报告", Request(text="交报告", when=phrases.TOMORROW_9, who=("小明",))),
        ("提醒晓红明天9点交报告", Request(text="交报告", when=phrases.TOMORROW_9, who=("晓红",))),
        ("明天9点提醒小明去交报告", Request(text="去交报告", when=phrases.TOMORROW_9, who=("小明",))),
        ("每天8点提醒大家站会", Request(text="站会", when=phrases.DAILY, everybody=True)),
        ("一直提醒我每天8点吃药", Request(text="吃药", when=phrases.DAILY, until_done=True)),
        ("明天下午三点提醒我一下去取衣服哈", Request(text="去取衣服", when=phrases.TOMORROW_3)),
        ("明天提醒我下午三点开会", Request(text="开会", when=phrases.TOMORROW_3)),
    ],
)
def test_the_line_of_a_wish_is_read_as_what_was_wished(text: str, wanted: Request) -> None:
    assert request_of(GRAMMAR, text) == wanted


@given(st.text(max_size=100))
def test_folding_keeps_every_place(text: str) -> None:
    assert len(fold(text)) == len(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("27", 27), ("零", 0), ("两", 2), ("十", 10), ("十五", 15), ("二十", 20), ("二十七", 27), ("一百零五", 105),
        ("二零二六", 2026), ("一百二十", 120), ("十二十", None), ("百", None), ("开", None),
    ],
)  # fmt: skip
def test_a_numeral_is_read(text: str, value: int | None) -> None:
    assert number(text) == value
