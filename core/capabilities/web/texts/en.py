"""The web, in English."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "web_what": "What shall I read? Send me the address of a page or a document.",
    "web_bad_url": (
        "That is no address that I can read. Write it as it stands in your browser, such as https://example.org/page."
    ),
    "web_forbidden_address": (
        "I don't read that: it is not on the public net. My owner can allow own networks (web.own_networks)."
    ),
    "web_unknown_host": "There is no server with that name.",
    "web_refused": "The server takes no connection, or breaks it off.",
    "web_timeout": "The server did not answer in time. Try again later.",
    "web_too_many_redirects": "The server sends me on and on; I gave up.",
    "web_bad_answer": "The server answered in a way that I can't read.",
    "web_bad_request": "That cannot be asked of a server.",
    "web_limit": "You have read as much of the web as you may in an hour. Try again in the next one.",
    "web_status": "I could not read that: the server answers {status}. Is the address still right?",
    "web_words": "{n} words",
    "web_signs": "{n} characters",
    "web_more": "there is more of it",
    "web_read_forms": (
        "summarise|summarize|summarise this|summarize this|summarise that|summarize that|summarise it|summarize it|"
        "please summarise|please summarize|summarise please|summarize please|summarise this please|"
        "summarize this please|sum this up|sum it up|read|read this|read it|read that|what is this|what's this|"
        "what does this say|what does it say|what is this about|what's this about|tldr|tl;dr|summary|summary please|"
        "a summary please|give me a summary|can you summarise this|can you summarize this|can you read this"
    ),
    "did_url_fetch": "kept something from the web",
    "search_what": "What shall I search the web for?",
    "search_found": "🔎 **{words}**",
    "search_nothing": "Nothing was found for {words}.",
    "search_off": "Searching the web is switched off here.",
    "search_ended": "{why}.",
    "search_other": "{provider} is not configured here.",
    "search_blocked": (
        "No search engine answers this server without a key: many refuse servers' addresses. My "
        "owner can configure one: web.search, such as an own SearXNG, or a key of Tavily, Brave or "
        "Exa."
    ),
    "search_key": "{provider} refuses the key it was given. My owner has to look at web.search.",
    "search_busy": "{provider} takes no more searches now. Try again later.",
    "search_down": "{provider} does not answer now. Try again later.",
    "search_format": (
        "{provider} answers in a way that I can't read. A SearXNG has to allow the format json "
        "(search.formats in its settings.yml)."
    ),
    "web_search_forms": (
        "search the web for|search the internet for|search online for|google|look up online|web "
        "search for|search web for"
    ),
}
