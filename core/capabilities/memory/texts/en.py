"""English: memories."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "menu_remember": "Remember something",
    "menu_memory": "What I remember",
    "count_memories": "{n} memory|{n} memories",
    "count_own_memories": "{n} memory of what you said|{n} memories of what you said",
    "did_remember": "noted something to remember",
    "did_in_memory": "changed what I remember",
    # What was noted.
    "memory_noted": "📝 Noted: {text}",
    "memory_noted_by_model": "📝 Noted: {text}",
    "memory_known": "📝 I remember that already: {text}",
    "memory_instead": "instead of: {text} ({day})",
    "memory_alike": "I also remember: {text} ({day}). If that is not so any more, replace it.",
    "memory_replace": "Replace",
    "memory_replaced": "📝 From now on this counts: {text}",
    "memory_already": "That is so already.",
    "memory_of_group": "This is remembered for {group}: everybody there can see it.",
    "memory_confirm": "📝 Shall I remember this? It is not in your own words, or I have read what others"
    " wrote.\n{text}",
    "memory_yes": "Remember it",
    "memory_usage": "Say what I shall remember: `/remember my locker has the number 214`. Or reply with `/remember` to"
    " a message.",
    # Why it was not noted.
    "memory_full": "I remember {most} things here for good, and have no room for more. Delete some with `/memory`, then"
    " tell me again. It is not noted.",
    "memory_unknown": "There is no such memory here (any more).",
    "memory_left_alone": "That is about somebody who wants to be left alone here. It is not noted.",
    "memory_long": "That is too long to remember: {most} characters at most. It is not noted.",
    # What there is.
    "memory_title": "📝 What I remember here, the newest first:",
    "memory_title_about": "📝 What I remember about “{words}”:",
    "memory_none": "I remember nothing here yet. Tell me: `/remember my locker has the number 214`.",
    "memory_none_about": "I remember nothing about “{words}”.",
    "memory_more": "Older",
    "memory_newer": "Newer",
    "memory_button_edit": "Change",
    "memory_button_delete": "Delete",
    "memory_button_why": "Why?",
    "memory_button_back": "All",
    "memory_ask_edit": "What shall I remember instead of “{text}”?",
    "memory_which": "Which one shall I forget?",
    "memory_deleted": "🗑 Forgotten: “{text}”",
    "memory_newer_stays": "It was corrected since, and that stays: “{text}”",
    "memory_again": "The same is remembered again already, and that stays. What was said about it is found again.",
    "memory_why_title": "📝 Where that is from, the newest first:",
    "memory_by_person": "{name} told me, {day} ({id})",
    "memory_by_model": "noted by the model of what {name} said, {day} ({id})",
    "memory_by_others": "in words of others, kept for {name}, {day} ({id})",
    "memory_by_import": "imported, {day} ({id})",
    "memory_somebody": "somebody",
    # The setting.
    "memory_notes_on": "📝 From now on I show here what the model notes by itself.",
    "memory_notes_off": "📝 From now on the model notes silently here; `/memory` shows all of it.",
    "memory_notes_usage": "`/memory notes on` shows here what the model notes by itself, `/memory notes off` does not.",
    # What is taken back.
    "undo_memory_add": "the note “{text}”",
    "undo_memory_remove": "the forgetting of “{text}”",
    "undo_memory_replace": "that “{text}” does not count any more",
    "undo_memory_notes": "whether notes are shown",
    # What is read, not said: {x} is what it is about, also what stands behind a "<".
    "memory_note_forms": "remember that {x}|remember this: {x}|remember: {x}|remember <my {x}|remember <our {x}"
    "|remember <i'm {x}|remember <i am {x}|remember <i {x}|remember <we {x}|note that {x}|note: {x}"
    "|make a note that {x}|make a note: {x}|make a note of this: {x}|take note that {x}|take a note: {x}"
    "|keep in mind that {x}|keep in mind: {x}|don't forget that {x}|do not forget that {x}|never forget that {x}"
    "|for the record, {x}|for the record: {x}|memorize that {x}|memorise that {x}",
    "memory_find_forms": "what do you know about {x}|what do you remember about {x}|what else do you know about {x}"
    "|what have you noted about {x}|what did you note about {x}|what did i tell you about {x}"
    "|what have i told you about {x}|tell me what you know about {x}|tell me what you remember about {x}"
    "|show me what you know about {x}|show me what you remember about {x}|what did we say about {x}",
    "memory_forget_forms": "forget that {x}|forget what you know about {x}|forget what i told you about {x}"
    "|forget what i said about {x}|forget about {x}|forget <my {x}|forget the note about {x}",
    "memory_me": "me|myself|me so far",
    "memory_us": "us|ourselves|us so far|everything",
    "memory_first_person": "i|me|my|mine|myself",
    "memory_we_words": "we|us|our|ours|ourselves",
    "memory_own_words": "my|our|me|us",
    "memory_vague": "it|this|that|everything|all|me|us|him|her|them|what i said|everything i said|all that",
    "memory_no_fact": "for me|for us|for later|for next time|please|down|down please|one|one down|too|as well|song|day"
    "|time|feeling|guy|thing",
    "memory_no_words": "no|nope|no wait|no sorry|wait|sorry|correction|i mean",
    "memory_otherwise_forms": "it is {x}|it's {x}|its {x}|i meant {x}|i mean {x}|make it {x}|make that {x}",
    "memory_it_forms": "it {x}|it's {x}|its {x}|he {x}|he's {x}|she {x}|she's {x}|they {x}|they're {x}|make it {x}"
    "|make that {x}",
    "memory_wrong": "wrong|not true|not right|not correct|false|incorrect|fine|ok|okay|nothing|not|over|enough"
    "|good|all right",
    "memory_ask_words": "remember|note that|note this|a note|take note|keep in mind|don't forget|do not forget|memorize"
    "|memorise|save this|save that|write down|for the record|for later",
    "memory_negations": "not|no|never|none|nothing|nobody|without|cannot|cant|dont|doesnt|isnt|t|nor|neither|anymore",
}
