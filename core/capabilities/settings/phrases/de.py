"""German: what people say to set quiet hours or a time zone, and to take something back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "QUIET_WORDS": "(THE)? (ruhe|ruhezeit|ruhezeiten|nachtruhe) (ist|sind|auf|einstellen|setzen)?|nicht stören|bitte"
    " nicht stören|(stell|stelle|setz|setze) (THE)? (ruhezeit|ruhezeiten|nachtruhe) (auf|ein)?|keine nachrichten|(stör"
    "|störe) (mich|uns) nicht|lass (mich|uns) in ruhe|(schreib|schreibe) (mir|uns) nicht",
}
ROWS: Mapping[str, Sequence[str]] = {
    "quiet": (
        "keine (ruhezeit|ruhezeiten|nachtruhe) (mehr)?|(ruhezeit|ruhezeiten|nachtruhe) (aus|ausschalten|aufheben"
        "|löschen)|(schalt|schalte) (THE) (ruhezeit|ruhezeiten|nachtruhe) aus",
        "(QUIET_WORDS) :? (von|zwischen)? <begin:time> <clock>? (bis|und|-|_-) <until:time> <clock>?",
    ),
    "undo": (
        "(ups ,?)? (PLEASE rückgängig (machen)?|(mach|mache) (das|es|die letzte änderung|letztes) PLEASE rückgängig)",
        "nimm das (wieder)? zurück|(das|es) (bitte)? rückgängig machen",
    ),
    "timezone": (
        "(was|wie|welche)? (ist|lautet)? (<mine>) zeitzone|welche zeitzone ((HAVE) (WE)|hast du (für (mich|uns))?"
        " (eingestellt|eingetragen|gespeichert|notiert)?)|in welcher zeitzone (bin|sind) (WE) (eigentlich|gerade|grad"
        "|jetzt|denn|hier|bei dir){0,3} (eingestellt|eingetragen)?|(SHOW) (<mine>|die) zeitzone",
        "(stell|stelle|setz|setze|änder|ändere|wechsel|wechsle) PLEASE ((THE) zeitzone|(THE)? zeitzone PLEASE (auf|zu"
        "|nach|in)? <x:some>)",
        "(THE)? zeitzone (?!in|von|für) (auf|:|ist|ist jetzt|zu|=|nach)? <x:some>|<mine> (wohnort|standort) ist"
        " (jetzt)? <x:some>",
        "(ich|wir) (wohne|wohnen|lebe|leben|leb|wohn) (jetzt|übrigens|nun)? (in|im|in der zeitzone) (?!THE) <x:some>",
        "WE? (bin|sind) (jetzt|gerade|nun)? (in <x:some>|nach <x:some> (gezogen|umgezogen)) (,|.|und) PLEASE (stell"
        "|stelle|änder|ändere) PLEASE (THE) zeitzone PLEASE um?",
        "(ich|wir) (bin|sind) (jetzt|gerade|nun)? nach <x:some> (gezogen|umgezogen)",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
