"""German: what people say to set quiet hours or a time zone, and to take something back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "RESTS": "ruhezeit|ruhezeiten|nachtruhe",
    "QUIET_WORDS": "(<mine>)? (RESTS) (auf|einstellen|setzen)?|<mine> (ruhe|RESTS) (ist|sind)|nicht stören|bitte nicht"
    " stören|(stell|stelle|setz|setze) (THE)? (RESTS) (auf|ein)?|keine nachrichten|(stör|störe) (mich|uns) nicht|lass"
    " (mich|uns) in ruhe|(schreib|schreibe) (mir|uns) nicht",
}
ROWS: Mapping[str, Sequence[str]] = {
    "quiet": (
        "keine (RESTS) (mehr)?|(RESTS) (aus|ausschalten|aufheben|löschen)|(schalt|schalte) (THE) (RESTS) aus",
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
        "|nach|in)? <x:some>)|(THE)? zeitzone (auf|:|ist jetzt?|zu|=|nach) <x:some> (stellen|umstellen)?|zeitzone (?!in"
        "|von|für) <x:some>|<mine> (wohnort|standort) ist jetzt? (?!aus|an|falsch|weg|geheim) <x:some>",
        "(ich|wir) (wohne|wohnen|lebe|leben|leb|wohn) (jetzt|übrigens|nun)? (in|im|in der zeitzone) (?!THE) <x:some>",
        "WE? (bin|sind|befinde mich) (ab|seit)? (jetzt|gerade|grad|nun|heute|sofort)? (in <x:some>|nach <x:some>"
        " (gezogen|umgezogen)) (,|.|und) PLEASE ((<setting>|<shifting>|pass|passe|passen sie) PLEASE (THE) zeitzone"
        " PLEASE (um|an)?|(THE)? zeitzone PLEASE (anpassen|umstellen|ändern))",
        "(ich|wir) (bin|sind) (jetzt|gerade|nun)? nach <x:some> (gezogen|umgezogen)",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
