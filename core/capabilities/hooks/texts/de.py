"""Hooks, auf Deutsch."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "hook_usage": (
        "Schreib /hook new message deploys für eine Adresse, an der andere Programme Nachrichten für diesen Chat "
        "abgeben, oder /hook new task und was ich mit dem tun soll, was sie schicken. /hook zeigt, was es gibt."
    ),
    "hook_made_message": "🪝 Was ein Programm hierhin schickt, sage ich im Chat, als **{name}**:\n\n{url}",
    "hook_made_task": "🪝 Was ein Programm hierhin schickt, beginnt die Aufgabe **{name}**:\n\n{url}",
    "hook_key": (
        "Es muss unterschrieben sein, wie GitHub das tut (X-Hub-Signature-256), mit diesem Schlüssel als Secret:\n\n"
        "{secret}"
    ),
    "hook_shown_once": (
        "Ich zeige das nur jetzt und hebe es nirgends auf. Wer es hat, kann hierhin schicken: Gib es niemandem außer "
        "dem Programm. /hook zeigt, pausiert und entfernt es."
    ),
    "hook_made_here": "🪝 Der Hook **{name}** dieses Chats ist da. Seine Adresse steht in unserem privaten Chat.",
    "hook_list": "🪝 **Hooks dieses Chats**",
    "hook_none": "Hier gibt es keinen Hook. /hook new message deploys macht einen.",
    "hook_is_message": "sagt, was geschickt wird",
    "hook_is_task": "beginnt eine Aufgabe: {prompt}",
    "hook_used": "{times}, zuletzt {at}",
    "hook_times": "{n}-mal benutzt",
    "hook_unused": "noch nicht benutzt",
    "hook_signed": "nur was unterschrieben ist",
    "hook_by": "von {person}",
    "hook_paused_asked": "pausiert",
    "hook_paused_access": "pausiert, weil keinen Zugang mehr hat, wer ihn gemacht hat",
    "hook_paused_left": "pausiert, weil die Gruppe verlassen hat, wer ihn gemacht hat",
    "hook_pause": "⏸ {name}",
    "hook_resume": "▶️ {name}",
    "hook_remove": "🗑 {name}",
    "hook_paused": "⏸ **{name}** ruht: Wer dorthin schickt, wird abgewiesen.",
    "hook_resumed": "▶️ **{name}** geht weiter, mit deinen Rechten.",
    "hook_removed": "🗑 **{name}** ist entfernt. Seine Adresse führt nirgends mehr hin.",
    "hook_no_access": (
        "⏸ Der Hook **{name}** ruht: Wer ihn gemacht hat, hat keinen Zugang mehr. /hook lässt ihn weitergehen."
    ),
    "hook_no_access_owner": "⏸ Ein Hook von {person} wurde benutzt, ohne dass noch Zugang da ist. Er ruht jetzt.",
    "failed_hook_unknown": "So einen Hook gibt es hier nicht. /hook zeigt, was es gibt.",
    "failed_hook_several": (
        "{n} Hooks heißen hier {name}: {refs}. Nenn den gemeinten mit seiner Kennung, oder drück seinen Knopf: /hook."
    ),
    "failed_hook_too_many": "Das wären mehr als {most} Hooks. Entferne erst einen: /hook.",
    "failed_hook_needs_member": "Ein Hook braucht jemanden, dem mein Besitzer Zugang gegeben hat.",
    "hook_no_url": (
        "Noch erreicht mich kein Programm: Wer mich betreibt, muss sagen, unter welcher Adresse ich erreichbar bin "
        "(http.port und http.public_url in der Konfiguration)."
    ),
    "hook_no_key": (
        "Ich kann keinen Schlüssel verschlüsselt aufheben: Wer mich betreibt, muss secret_key in der Konfiguration "
        "setzen. Ohne „signiert“ geht es."
    ),
    "hook_no_prompt": (
        "Was soll ich mit dem tun, was geschickt wird? /hook new task sieh dir den Alarm an und sag, was zu tun ist"
    ),
    "hook_no_model": "Ohne Modell kann ich an keinen Aufgaben arbeiten. /hook new message sagt, was geschickt wird.",
    "hook_long": "Das ist zu lang: höchstens {most} Zeichen.",
    "hook_private_first": "Die Adresse ist nur für dich: Schreib mir erst privat, dann noch einmal hier.",
    "count_hooks": "{n} Hook|{n} Hooks",
}
