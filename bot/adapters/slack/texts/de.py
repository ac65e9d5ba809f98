"""What the windows of Slack say, in German. A title has room for 24 characters."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "slack_submit": "Senden",
    "slack_submit_reminder": "Erinnere mich",
    "slack_submit_todo": "Hinzufügen",
    "slack_somebody": "jemand",
    "slack_close": "Abbrechen",
    "slack_answer_title": "Deine Antwort",
    "slack_answer_label": "Antwort",
    "slack_reminder_title": "Daran erinnern",
    "slack_reminder_when": "Wann",
    "slack_reminder_what": "Was",
    "slack_todo_title": "Neue Aufgabe",
    "slack_todo_what": "Was zu tun ist",
    "slack_todo_due": "Fällig",
    "slack_choose": "Auswählen…",
    "slack_empty": "Bitte schreib etwas.",
    "slack_past": "Das ist schon vorbei.",
    # The people of a conversation without a name: "Ann, Bob and Chen".
    "slack_together": "{names}, {name}",
    "slack_together_last": "{names} und {name}",
    "slack_thinking": "denkt nach…",
    "own_list": "In deiner eigenen Liste: In diesem Channel bin ich nicht.",
}

# What is worded otherwise there. A doubled slash is a command of another platform, or of Slack itself.
TEXTS |= {
    "slack:not_here": "In diesem Channel bin ich nicht. Lade mich ein: `//invite @Teller`, und frag dann noch einmal.",
    "slack:own_list": "In deiner eigenen Liste: In diesem Channel bin ich nicht. Lade mich ein: `//invite @Teller`",
    "slack:group_intro": (
        "Hallo! Ich antworte hier, wenn ihr mich erwähnt oder einen Befehl schreibt; in einem Thread mache ich mit dem "
        "weiter, dem ich zuletzt geantwortet habe, bis er jemand anderen erwähnt oder „Ruhe“ schreibt. Was ihr mir "
        "sagt "
        "und was ich antworte, hebe ich auf; was ihr einander sagt, hebe ich weder auf noch verwende ich es.\n\n"
        "/privacy sagt mehr, mit /optout beachte ich dich nicht, /help zeigt, was ich kann."
    ),
    "slack:readalong_blind": (
        "Hier kann ich nicht mitlesen: Ich bekomme nur, was mich erwähnt, und Befehle. Wer meine App angelegt hat, "
        "muss "
        "ihr die Scopes und Events des Profils „channels“ in ihrem Manifest geben und sie noch einmal installieren. "
        "Schreib danach noch einmal /readalong on."
    ),
    "slack:why_gone": (
        "ich bin nicht in diesem Channel, oder er nimmt keine Nachrichten mehr an. Um mich einzuladen, schreib dort "
        "`//invite @Teller`"
    ),
    "slack:why_blocked": (
        "dort ist niemand zu erreichen, oder ich bin nicht in diesem Channel. Um mich einzuladen, schreib dort "
        "`//invite @Teller`"
    ),
    "slack:link_usage": (
        "Schreib /link für einen Code, dann //link und diesen Code auf der anderen Plattform. /unlink beendet eine "
        "Verknüpfung. Meine Besitzer schreiben /link allow oder /link forbid."
    ),
    "slack:link_first": (
        "Zwischen zwei Plattformen müssen es erst die Besitzer auf beiden Seiten erlauben: Jeder schreibt mir "
        "//link allow (auf Slack /link allow)."
    ),
    "slack:link_unknown": "Diesen Code kenne ich nicht. Schreib auf der anderen Plattform //link für einen neuen.",
    "slack:link_used": "Dieser Code ist schon verbraucht. Schreib auf der anderen Plattform //link für einen neuen.",
    "slack:link_not_allowed": (
        "Das muss erst erlaubt werden: {sides}, mit //link allow (auf Slack /link allow). Schreib den Code danach noch "
        "einmal."
    ),
}
