"""The lists of a person or a group: the usual one, and those that have a name. A list is there while it has items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from core.capabilities.todos.repository import Todo
from core.kernel.clean_text import one_line
from core.kernel.markdown import folded, literal
from core.language import Language, all_words
from core.language.engine import tokens

LONGEST_NAME = 40
# Of shorter names one letter makes another word.
SHORTEST_NEAR = 5
# Those that each language has words for.
KNOWN = ("shopping", "packing")


@dataclass(frozen=True, slots=True)
class NamedList:
    """A list: its `key` is the same in all languages and spellings, empty for the usual one; `name` is how it was
    written, empty where each language has a word for it."""

    key: str = ""
    name: str = ""


USUAL = NamedList()


def named(words: str) -> NamedList:
    """Return the list that words name: "Groceries" is the shopping list, no words and "to-do" are the usual one."""
    name = one_line(words)[:LONGEST_NAME].strip()
    said = folded(name)
    key = _known().get(said)
    return NamedList(said, name) if key is None else NamedList(key)


@cache
def _known() -> dict[str, str]:
    """Return the words for lists in all languages, with the keys of the lists."""
    found = {"": ""}
    for key, text in (("", "list_usual_words"), *((one, f"list_{one}_words") for one in KNOWN)):
        found |= {folded(word): key for word in all_words(text)}
    return found


def label(language: Language, key: str, name: str) -> str:
    """Return the name of a list as people read it, for a button; empty for the usual one."""
    if not key:
        return ""
    return language[f"list_{key}"] if key in KNOWN else name[:1].upper() + name[1:]


def called(language: Language, key: str, name: str) -> str:
    """Return the name of a list as Markdown; empty for the usual one."""
    return literal(label(language, key, name))


def of_todo(language: Language, todo: Todo) -> str:
    """Return the name of the list that an item is on, as Markdown; empty for the usual one."""
    return called(language, todo.list_key, todo.list_name)


def on(todos: Sequence[Todo], key: str) -> list[Todo]:
    """Return the items that are on the list with this key."""
    return [todo for todo in todos if todo.list_key == key]


def on_named(todos: Sequence[Todo], words: str) -> list[Todo]:
    """Return the items that are on the list that words name, or on the one that is nearly called so; all items if they
    name none, or the usual one."""
    key = near(words, sorted({todo.list_key for todo in todos})) or named(words).key
    return on(todos, key) if key else list(todos)


def near(words: str, present: Sequence[str]) -> str | None:
    """Return the key of a list, of those `present`, whose name differs from the words by one letter ("gift", "gifts");
    None where there is none, or a list with exactly that name. "Week 48" is no error for "Week 49"."""
    key = named(words).key
    if key in ("", *present, *KNOWN) or any(map(str.isdigit, key)):
        return None
    return next(
        (one for one in present if max(len(key), len(one)) >= SHORTEST_NEAR and tokens.is_near(key, one, 1)), None
    )


def split_name(text: str, present: Sequence[str]) -> tuple[str, str]:
    """Split a text such as "Shopping: milk" or "camping list: tent" into the name of a list and the rest.

    The name is empty, and the rest the whole text, if the word before the colon names no list that is known or
    `present`: "Bob: call him".
    """
    before, sign, rest = text.replace("：", ":", 1).partition(":")
    if not sign or len(before) > LONGEST_NAME:
        return "", text
    said = folded(before)
    ending = max((word for word in all_words("list_word") if said.endswith(word)), key=len, default="")
    name = before.strip()[: len(before.strip()) - len(ending)].strip()
    if name and ending:
        # "My list" is the usual one, and no list called "My".
        own = folded(name) in all_words("list_own_words")
        return ("to-do" if own else name), rest.strip()
    found = named(before)
    is_list = found.key in present or found.key in KNOWN or (not found.key and before.strip())
    return (before.strip(), rest.strip()) if is_list else ("", text)
