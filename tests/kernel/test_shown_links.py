"""Links in a model's text show where they lead."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.kernel.shown_links import with_hosts


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("See [the news](https://example.com/a?b=1).", "See [the news (example.com)](https://example.com/a?b=1)."),
        ("[bank.example](https://evil.example/x)", "[bank.example (evil.example)](https://evil.example/x)"),
        ("[evil.example](https://evil.example/x)", "[evil.example](https://evil.example/x)"),
        ("[write me](tg://user?id=5)", "write me"),
        ("[run](javascript:alert(1))", "run"),
        ("[mail](mailto:a@b.example)", "mail"),
        ("![a picture](https://t.example/p.png)", "[a picture (t.example)](https://t.example/p.png)"),
        ("So!!!![a](https://t.example/p.png?k=1)", "So[a (t.example)](https://t.example/p.png?k=1)"),
        ('[x](https://a.example "a title")', "[x (a.example)](https://a.example)"),
        ("[x](<https://a.example/b>)", "[x (a.example)](https://a.example/b)"),
        ("as [said][1]\n\n[1]: https://evil.example/x", "as [said][1]\n\n1: https://evil.example/x"),
        ("user@\u202eelpmaxe\u202c.\u200bcom", "user@elpmaxe.com"),
        ("👩\u200d👧 می\u200cخواهم", "👩\u200d👧 می\u200cخواهم"),
        ("a [box] (not a link)", "a [box] (not a link)"),
        ("https://plain.example stays", "https://plain.example stays"),
        ("[x](http://[bad)", "x"),
        ("[bank.example](https://k.example/x)", "[bank.example (k.example)](https://k.example/x)"),
        ("[www.t.co.uk](https://t.co/x)", "[www.t.co.uk (t.co)](https://t.co/x)"),
        ("[see [this]](https://evil.example/x)", "[see [this]] (https://evil.example/x)"),
        ("[see\nthis](https://evil.example/x)", "[see\nthis] (https://evil.example/x)"),
        ("[a](https://evil.example/x (a title))", "[a] (https://evil.example/x (a title))"),
        ("[![a](https://a.example/i)](tg://user?id=5)", "[[a (a.example)](https://a.example/i)] (tg://user?id=5)"),
        ("[a]\n\n> [a]: https://evil.example/x", "[a]\n\n> [a] : https://evil.example/x"),
        ("[a]\n\n[a]:\nhttps://evil.example/x", "[a]\n\n[a] :\nhttps://evil.example/x"),
        ("`handlers[name](event)` and `x[1:]`: int", "`handlers[name](event)` and `x[1:]`: int"),
        ("<https://evil.example/x|bank.example>", "bank.example (https://evil.example/x)"),
        ("<@U2> and <@W3|bob>, look", "@U2 and @bob, look"),
        (r"[your bank](https://evil.example\@bank.example/login)", "your bank"),
        (r"[bank.example](https://bank.example\.evil.example/x)", "bank.example"),
        (r"[b](https:\\evil.example/x)", "b"),
        (r"[b](https://a.example/b\_c)", r"[b (a.example)](https://a.example/b\_c)"),
        ("[a](www.evil.example/x)", "[a] (www.evil.example/x)"),
    ],
)
def test_a_link_shows_its_host(text: str, shown: str) -> None:
    assert with_hosts(text) == shown


@given(st.text(alphabet="[]()<>!:/ a.\\\"'\n", max_size=200))
def test_no_link_is_left_that_hides_its_host(text: str) -> None:
    shown = with_hosts(f"{text}[label](https://evil.example/x)")
    assert "[label](https://evil.example/x)" not in shown or "\\[label]" in shown


@pytest.mark.parametrize(
    "text",
    [
        "[" * 20_000,
        "](" + " " * 20_000,
        "]( " * 6_000,
        "<a:" * 6_000,
        "[a](" * 5_000,
        "[a](http://a.b " * 2_000,
        "[a]: " * 5_000,
    ],
)
def test_hostile_texts_are_quick(text: str) -> None:
    began = time.process_time()
    with_hosts(text)
    assert time.process_time() - began < 1
