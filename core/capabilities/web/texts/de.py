"""Das Netz, auf Deutsch."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "web_what": "Was soll ich lesen? Schick mir die Adresse einer Seite oder eines Dokuments.",
    "web_bad_url": (
        "Das ist keine Adresse, die ich lesen kann. Schreib sie, wie sie im Browser steht, etwa "
        "https://example.org/seite."
    ),
    "web_forbidden_address": (
        "Das lese ich nicht: Es liegt nicht im öffentlichen Netz. Eigene Netze kann mein Betreiber "
        "erlauben (web.own_networks)."
    ),
    "web_unknown_host": "Einen Server mit diesem Namen gibt es nicht.",
    "web_refused": "Der Server nimmt keine Verbindung an oder bricht sie ab.",
    "web_timeout": "Der Server hat nicht rechtzeitig geantwortet. Versuch es später noch einmal.",
    "web_too_many_redirects": "Der Server schickt mich immer weiter; ich habe aufgegeben.",
    "web_bad_answer": "Der Server hat so geantwortet, dass ich es nicht lesen kann.",
    "web_bad_request": "So kann man einen Server nicht fragen.",
    "web_limit": (
        "Du hast so viel aus dem Netz gelesen, wie in einer Stunde geht. Versuch es in der nächsten noch einmal."
    ),
    "web_status": "Das konnte ich nicht lesen: Der Server antwortet {status}. Stimmt die Adresse noch?",
    "web_words": "{n} Wörter",
    "web_signs": "{n} Zeichen",
    "web_more": "es geht noch weiter",
    "web_read_forms": (
        "fass das zusammen|fasse das zusammen|fass zusammen|fasse zusammen|fass das bitte zusammen|"
        "fasse das bitte zusammen|bitte zusammenfassen|zusammenfassen|zusammenfassung|zusammenfassung "
        "bitte|fass es zusammen|fasse es zusammen|lies|lies das|lies mal|lies das mal|lies das bitte|"
        "was steht da|was steht da drin|was steht darin|was ist das|worum geht es|worum geht's|worum "
        "geht es da|kannst du das zusammenfassen|kannst du das lesen"
    ),
    "did_url_fetch": "etwas aus dem Netz aufgehoben",
    "search_what": "Wonach soll ich im Netz suchen?",
    "search_found": "🔎 **{words}**",
    "search_nothing": "Zu {words} wurde nichts gefunden.",
    "search_off": "Die Suche im Netz ist hier abgeschaltet.",
    "search_ended": "{why}.",
    "search_other": "{provider} ist hier nicht eingerichtet.",
    "search_blocked": (
        "Keine Suchmaschine antwortet diesem Server ohne Schlüssel: Viele weisen Adressen von "
        "Servern ab. Mein Betreiber kann eine einrichten: web.search, etwa ein eigenes SearXNG oder "
        "einen Schlüssel von Tavily, Brave oder Exa."
    ),
    "search_key": "{provider} lehnt den Schlüssel ab. Mein Betreiber muss nach web.search sehen.",
    "search_busy": "{provider} nimmt gerade keine Suchen mehr an. Versuch es später noch einmal.",
    "search_down": "{provider} antwortet gerade nicht. Versuch es später noch einmal.",
    "search_format": (
        "{provider} antwortet so, dass ich es nicht lesen kann. Ein SearXNG muss das Format json "
        "erlauben (search.formats in seiner settings.yml)."
    ),
    "web_search_forms": (
        "suche im netz nach|such im netz nach|suche im internet nach|such im internet nach|google|"
        "googel|googele|suche online nach"
    ),
}
