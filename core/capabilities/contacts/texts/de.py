"""Contacts, and messages for others, in German."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "contacts_title": "Wen ich hier kenne:",
    "contacts_none": (
        "Ich kenne hier noch niemanden. Wer mir hier schreibt, wird ein Kontakt; andere kommen dazu mit {command}"
    ),
    "contacts_private": "kann ich anschreiben",
    "contacts_add_way": "/contacts add Papa @papa",
    "contacts_usage": "Schreib {list}, {one}, {add}, {zone}, {rename} oder {remove}.",
    "left_alone": (
        "{name} möchte in dieser Gruppe in Ruhe gelassen werden (/optout): Ich halte hier nichts über {name} fest."
    ),
    "contact_gone": "Das ist kein Kontakt von dir mehr.",
    "contact_unknown": "Ich kenne hier niemanden, der {name} heißt. {command} zeigt alle.",
    "contact_which": "Wen meinst du?",
    "contact_me": "Das bist du.",
    "contact_addresses": "Bekannt als {addresses}",
    "contact_zone": "Zeitzone: {zone}, dort ist es jetzt {clock}",
    "contact_zone_none": "Die Zeitzone kenne ich nicht.",
    "contact_reached": "Ich kann diese Person privat anschreiben.",
    "contact_not_reached": "Diese Person hat mir noch nie privat geschrieben, also kann ich sie nicht anschreiben.",
    "contact_add_usage": "Wie heißt die Person da, wo wir reden? Schreib es so: {command}",
    "contact_address_bad": "{address} ist kein Name, unter dem ich jemanden kennen könnte. Er sieht aus wie @papa.",
    "contact_taken": "Jemand anderes hier hat diesen Namen schon.",
    "contact_added": "👤 Notiert: {name}",
    "contact_zone_ask": "In welcher Stadt ist {name}, oder in welcher Zeitzone?",
    "contact_zone_unknown": (
        "Die Zeitzone von {place} kenne ich nicht. Versuch eine große Stadt in der Nähe, etwa Wien."
    ),
    "contact_zone_set": "🌍 {name}: {zone}, dort ist es jetzt {clock}.",
    "contact_zone_theirs": "Die Person hat mir selbst gesagt, dass sie in {zone} ist, also richte ich mich danach.",
    "contact_rename_ask": "Wie soll ich {name} nennen?",
    "contact_renamed": "👤 {former} heißt jetzt {name}.",
    "contact_removed": "👤 {name} ist hier kein Kontakt mehr.",
    "button_contact_zone": "🌍 Zeitzone",
    "button_contact_rename": "✏️ Umbenennen",
    "button_contact_remove": "🗑 Entfernen",
    "button_contacts": "Alle Kontakte",
    "undo_contact": "die Änderung an {name}",
    # What a model asks for, and whom it may mean.
    "assistant_me": "ich|mich|mir",
    "assistant_all": "alle|uns|uns alle|jeden",
    "assistant_yes": "Ja",
    "contact_noted": "👤 {name} ist vorgemerkt.",
    "confirm_remind": "Soll ich {name} an „{text}“ erinnern ({when})?",
    "confirm_send": "Soll ich {name} schreiben: „{text}“?",
    "confirm_todo": "Soll „{text}“ für {name} sein?",
    "confirm_change": "Soll „{text}“ geändert werden: „{change}“?",
    "send_usage": "Schreib {command} und was ich ausrichten soll.",
    "send_what": "Was soll ich {name} ausrichten?",
    "send_queued": "✉️ Für {name}, unterwegs: {words}",
    "moment_in_zone": "{moment} ({zone})",
    "send_held": "✉️ Für {name}. Dort ist gerade Ruhe, also kommt es {when} an: {words}",
    "send_again": "✉️ {name} hat das schon.",
    "send_unreachable": (
        "{name} kann ich nicht schreiben: Diese Person hat mir noch nie privat geschrieben oder möchte keine "
        "Nachrichten über mich."
    ),
    "person_unasked": (
        "{name} erreiche ich nur, wenn du den Namen selbst nennst: schreib mit /send, oder erinnere mit /remind."
    ),
    "send_inactive": "{name} ist hier kein Kontakt mehr.",
    "send_self": "Das bist du.",
    "send_too_long": "Das ist zu lang: höchstens 3.000 Zeichen.",
    "contact_message": "✉️ {name} schickt dir:\n{words}",
    "contact_message_held": "✉️ {name} hat dir geschickt:\n{words}\n\n{command}, wenn du davon nichts mehr willst.",
    "contact_mute": "Nichts von {plain}",
    "muted": "🔇 Nichts mehr von {name} über mich.",
    "muted_already": "Von {name} hörst du über mich ohnehin nichts.",
    "muted_self": "Dich selbst kannst du nicht stumm schalten.",
    "muted_unknown": "Ich kenne niemanden namens {name}, der dir schreiben könnte.",
    "muted_list": "Von wem du über mich nichts hörst:",
    "muted_none": "Du hörst von allen. {command} beendet das für jemanden.",
    "unmute": "{name} wieder hören",
    "unmuted": "🔔 Du hörst wieder von {name}.",
    "unmuted_unknown": "Du hast niemanden namens {name} stumm geschaltet.",
    "undo_mute": "das Stummschalten von {name}",
    "undo_unmute": "dass {name} wieder zu hören ist",
}
