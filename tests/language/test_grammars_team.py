"""What people of a team write to a bot in a channel: to all of them, and for the list."""

from __future__ import annotations

import pytest

from core.language import languages
from tests.language.wishes import noted, request_of

TO_ALL = {
    "en": (
        "remind everyone in this channel at 4pm to log hours",
        "remind everybody here tomorrow at 9 to vote",
        "remind the channel at 4pm to log hours",
        "remind the whole team every Monday at 10 to fill in the sheet",
        "remind our entire group to vote tomorrow at 9",
        "every weekday at 9:30 remind the whole team to post a status",
    ),
    "zh": ("提醒团队每周一10点开例会", "提醒频道里的人明天3点开会", "提醒全组周五17点交周报"),
}
WISHES = {
    "todo buy milk": "todo.add: buy milk",
    "todo @bob fix the login bug by Friday": "todo.add: @bob fix the login bug by Friday",
    "to-do review the budget": "todo.add: review the budget",
}
NONE = {
    "en": ("todo lists are fun", "todo or not", "todo fix", "to do buy things"),
    "zh": ("提醒团队建设的事情",),
}


@pytest.mark.parametrize(("code", "text"), [(code, one) for code, texts in TO_ALL.items() for one in texts])
def test_whoever_is_in_the_channel_is_reminded(code: str, text: str) -> None:
    request = request_of(languages()[code].grammar, text)
    assert request is not None
    assert (request.everybody, request.who) == (True, ())


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("remind 🦄Mia🦄 tomorrow at 7 to feed the unicorn", ("🦄Mia🦄",)),
        ("remind Mia 👩\u200d🚀 tomorrow at 7 to feed the unicorn", ("Mia 👩\u200d🚀",)),
        ("remind ❤\ufe0fMia❤\ufe0f and Bob tomorrow at 7 to feed the unicorn", ("❤\ufe0fMia❤\ufe0f", "Bob")),
        ("remind שרה ישראלי tomorrow at 7 to feed the unicorn", ("שרה ישראלי",)),
    ],
)
def test_a_name_may_have_pictures_and_letters_of_any_script(text: str, names: tuple[str, ...]) -> None:
    request = request_of(languages()["en"].grammar, text)
    assert request is not None
    assert (request.who, request.text) == (names, "feed the unicorn")


@pytest.mark.parametrize(("text", "wanted"), WISHES.items())
def test_what_is_to_be_done_needs_no_colon(text: str, wanted: str) -> None:
    assert noted(languages()["en"].grammar.wish(text)) == wanted


@pytest.mark.parametrize(("code", "text"), [(code, one) for code, texts in NONE.items() for one in texts])
def test_what_only_looks_like_it_is_left_alone(code: str, text: str) -> None:
    assert languages()[code].grammar.wish(text) is None
