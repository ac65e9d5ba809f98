"""One person on several platforms, in German."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "link_code": (
        "🔗 Wenn du auch anderswo mit mir redest, kannst du für mich eine Person sein. Schreib mir das innerhalb von "
        "10 Minuten dort, in unserem privaten Chat:\n\n**{line}**\n\nAuf Slack ist es {on_slack}. Dann frage ich dich "
        "dort "
        "und hier. Gib den Code niemandem, und schreib keinen, den dir jemand anderes gegeben hat."
    ),
    "link_first": (
        "Zwischen zwei Plattformen müssen es erst die Besitzer auf beiden Seiten erlauben: Jeder schreibt mir /link "
        "allow."
    ),
    "link_list": "Schon mit dir verknüpft:",
    "link_line": "- {name} auf {platform} ({account})",
    "link_usage": (
        "Schreib /link für einen Code, dann /link und diesen Code auf der anderen Plattform. /unlink beendet eine "
        "Verknüpfung. Meine Besitzer schreiben /link allow oder /link forbid."
    ),
    "link_confirm": (
        "🔗 Dieser Code ist der von {name} auf {platform} ({account}). Bist du das? Dann sieht und ändert, wer dieses "
        "Konto "
        "benutzt, deine privaten Aufgaben und Erinnerungen. Wenn dir jemand den Code gegeben hat, drück Nein."
    ),
    "link_yes": "Ja, das bin ich",
    "link_drop": "Nein",
    "link_dropped": "🔗 Was ich auf der anderen Plattform gefragt habe, ist zurückgezogen. Nichts ist verknüpft.",
    "link_asked": (
        "🔗 Gut. Jetzt frage ich dich auf {platform}: Drück dort den Knopf, innerhalb der zehn Minuten des Codes."
    ),
    "link_ask": (
        "🔗 {name} auf {platform} ({account}) hat deinen Code geschrieben und will mit dir eine Person sein. Wenn du "
        "das nicht bist, drück Nein. Sonst seht ihr voneinander:"
    ),
    "link_share_todos": "Erinnerungen und Aufgaben",
    "link_no": "Nein",
    "link_made": (
        "🔗 Verknüpft mit {name} auf {platform} ({account}). /todo, /today und /tasks zeigen in unseren privaten Chats "
        "die "
        "Aufgaben und Erinnerungen von beiden. Jede Erinnerung kommt, wo sie gesetzt wurde. /unlink beendet es."
    ),
    "link_was_denied": "Nicht mit {name} auf {platform} ({account}) verknüpft.",
    "link_denied": "🔗 {name} auf {platform} ({account}) hat Nein gesagt. Ihr seid nicht verknüpft.",
    "link_unknown": "Diesen Code kenne ich nicht. Schreib auf der anderen Plattform /link für einen neuen.",
    "link_used": "Dieser Code ist schon verbraucht. Schreib auf der anderen Plattform /link für einen neuen.",
    "link_old": "Das ist zu spät: Ein Code gilt zehn Minuten. Schreib /link für einen neuen.",
    "link_own": "Das ist dein eigener Code. Schreib ihn mir auf der anderen Plattform.",
    "link_already": "Diese beiden sind schon verknüpft.",
    "link_full": "Es gibt so viele Verknüpfungen, wie es geben darf: fünf. /unlink beendet eine.",
    "link_too_many": "Das war zu oft falsch. Versuch es in {wait} noch einmal.",
    "link_no_button": "Das können nur die Knöpfe meiner Frage beantworten.",
    "link_not_allowed": "Das muss erst erlaubt werden: {sides}, mit /link allow. Schreib den Code danach noch einmal.",
    "link_side": "von meinem Besitzer auf {platform}",
    "link_sides": "{one} und {other}",
    "link_allowed": (
        "🔗 Wer hier ist, darf sich jetzt mit dem eigenen Konto anderswo verknüpfen, wenn es der Besitzer dort auch "
        "erlaubt."
    ),
    "link_forbidden": (
        "🔗 Niemand hier darf mehr mit anderen Plattformen verknüpft sein. Verknüpfungen, die endeten: {count}."
    ),
    "link_none": "So eine Verknüpfung gibt es nicht. /link macht eine.",
    "link_which": "Welche Verknüpfung soll enden?",
    "link_end": "{name} auf {platform}",
    "link_ended": (
        "🔗 Die Verknüpfung mit {name} auf {platform} ({account}) ist zu Ende. Keiner sieht mehr, was der andere hat."
    ),
    "tasks_linked": "🔗 {title}",
    "todo_linked": "Von deinen anderen Plattformen:",
}
