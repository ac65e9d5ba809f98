"""What programs post is read for people, whatever it is."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.hooks.payload import MOST_SHOWN, shown

JSON = {"content-type": "application/json"}
FORM = {"content-type": "application/x-www-form-urlencoded; charset=utf-8"}
PUSH = {
    "ref": "refs/heads/main",
    "compare": "https://github.com/o/r/compare/a...b",
    "head_commit": {"message": "Fix *it*\n\nAt length."},
    "repository": {"full_name": "o/r"},
    "sender": {"login": "ann"},
}
RUN = {
    "action": "completed",
    "workflow_run": {"name": "CI", "conclusion": "failure", "html_url": "https://github.com/o/r/actions/runs/1"},
    "repository": {"full_name": "o/r"},
    "sender": {"login": "ann"},
}


@pytest.mark.parametrize(
    ("headers", "body", "read"),
    [
        ({}, b"backup done\r\nin *3* min", "backup done\nin \\*3\\* min"),
        ({}, "门开了".encode(), "门开了"),
        ({}, b"\xef\xbb\xbfhello", "hello"),
        ({}, b"", ""),
        ({}, b" \n\x07\x1b[31m", "\\[31m"),
        (JSON, b'{"title": "Door", "message": "is `open`"}', "Door\nis \\`open\\`"),
        (JSON, b'{"subject": "Door", "body": {"not": "text"}}', "Door"),
        (JSON, b'{"text": "", "message": "open"}', "open"),
        (JSON, b'{"a": [1, "```"]}', '```\n{"a": [1, "\'\'\'"]}\n```'),
        (JSON, b"[1, 2]", "```\n[1, 2]\n```"),
        (JSON, b'{"a": ', '{"a":'),
        # What curl sends by itself is called a form, and is none.
        (FORM, b"backup done = yes & no", "backup done = yes & no"),
        (FORM, b"title=Door&text=is+open%21", "Door\nis open!"),
        (FORM, b"title=Door+open", "Door open"),
        (FORM, b"subject=Door+open&floor=2", "Door open"),
        (FORM, b"payload=%7B%22text%22%3A%22hi%22%7D", "hi"),
        (
            {"x-github-event": "push"},
            json.dumps(PUSH).encode(),
            "push · o/r · ann\nFix \\*it\\*\n" + str(PUSH["compare"]),
        ),
        (
            {"x-github-event": "workflow_run"},
            json.dumps(RUN).encode(),
            "workflow\\_run completed failure · o/r · ann\nCI\nhttps://github.com/o/r/actions/runs/1",
        ),
        ({"x-github-event": "ping"}, b'{"zen": "Keep it simple.", "sender": 7}', "ping\nKeep it simple."),
    ],
)
def test_people_read(headers: dict[str, str], body: bytes, read: str) -> None:
    assert shown(headers, body) == read


def test_what_is_long_is_cut_and_says_so() -> None:
    assert shown({}, b"x" * (MOST_SHOWN + 7)).endswith("x… (+7)")
    assert len(shown(JSON, json.dumps({"a": "`" * 50_000}).encode())) < 2 * MOST_SHOWN


@given(st.binary(max_size=300), st.sampled_from([{}, JSON, FORM, {"x-github-event": "\x00 \ud800"}]))
def test_nothing_that_is_posted_breaks_it(body: bytes, headers: dict[str, str]) -> None:
    shown(headers, body).encode()


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda some: st.lists(some, max_size=4) | st.dictionaries(st.text(), some, max_size=4),
        max_leaves=20,
    )
)
def test_no_json_breaks_it(data: object) -> None:
    body = json.dumps(data).encode()
    for headers in (JSON, {"x-github-event": "push", **JSON}):
        shown(headers, body).encode()


@pytest.mark.parametrize("body", [b"[" * 60_000, b'{"a":' * 12_000 + b"1" * 5_000], ids=["lists", "objects"])
def test_no_depth_breaks_it(body: bytes) -> None:
    shown({}, body).encode()
