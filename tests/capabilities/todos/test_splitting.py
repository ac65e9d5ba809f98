"""Where one text lists several items: only where that is sure."""

from __future__ import annotations

import pytest

from core.capabilities.todos.splitting import items_of


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("milk, eggs and bread", ["milk", "eggs", "bread"]),
        ("milk, eggs, and bread", ["milk", "eggs", "bread"]),
        ("milk,eggs", ["milk", "eggs"]),
        ("buy milk, eggs & bread", ["buy milk", "eggs", "bread"]),
        ("pay rent; water plants; call bank", ["pay rent", "water plants", "call bank"]),
        ("- milk\n- 12 eggs\n- call Oma tomorrow at 5", ["milk", "12 eggs", "call Oma tomorrow at 5"]),
        ("milk\neggs\n\nbread", ["milk", "eggs", "bread"]),
        ("1. milk\n2. eggs", ["milk", "eggs"]),
        ("Shopping:\n1) milk - 2 l\n2) eggs", ["milk - 2 l", "eggs"]),
        ("milk - 2 l\neggs * 10", ["milk - 2 l", "eggs * 10"]),
        ("- milk - 2 l\n- eggs", ["milk - 2 l", "eggs"]),
        ("dentist on 3. May\nroom 5) clean", ["dentist on 3. May", "room 5) clean"]),
        ("3. Mai Zahnarzt\n12. Juni Friseur", ["3. Mai Zahnarzt", "12. Juni Friseur"]),
        ("Shopping:\n* milk\n* eggs", ["milk", "eggs"]),
        ("牛奶、鸡蛋和面包", ["牛奶", "鸡蛋", "面包"]),
    ],
)
def test_a_list_is_several_items(text: str, items: list[str]) -> None:
    assert items_of(text) == items


@pytest.mark.parametrize(
    "text",
    [
        "milk",
        "mac and cheese",
        "milk and eggs",
        "3. Mai Zahnarzt",
        "1,000 nails",
        "call Oma, she is ill",
        "call Anna, Ben and Chris",
        "dinner with Anna, Ben and Chris",
        "tell Bob: milk, eggs",
        "ask whether the plumber, who was here in May, can come again",
        "book a table for tonight, please",
        "eggs (large, brown)",
        "a first line of a text that somebody has pasted, which goes on\nand on over the second line and more",
        "给奶奶打电话问问她身体怎么样，然后告诉妈妈",
        "",
        "\n",
        ",,,",
    ],
)
def test_what_may_be_one_item_stays_one(text: str) -> None:
    assert items_of(text) == [text]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("milk and eggs", ["milk", "eggs"]),
        ("2 milk and 3 bread", ["2 milk", "3 bread"]),
        ("Milch und Eier", ["Milch", "Eier"]),
        ("苹果和香蕉", ["苹果", "香蕉"]),
    ],
)
def test_of_goods_an_and_parts_two(text: str, items: list[str]) -> None:
    assert items_of(text, goods=True) == items


@pytest.mark.parametrize(
    "text",
    [
        "presents for Mum and Dad",
        "half and half",
        "red and white wine",
        "Obst- und Gemüsesaft",
        "crackers without salt and sugar",
        "something nice and warm",
        "调和油",
        "柔和洗面奶",
        "暖和的衣服",
    ],
)
def test_goods_that_may_be_one_stay_one(text: str) -> None:
    assert items_of(text, goods=True) == [text]
