"""Reads every language, and knows no word of any: a language brings a lexicon and templates.

Read it in this order, with docs/languages.md beside it, which follows a sentence through it:

- `tokens.py` cuts a text into tokens with codes, `templates.py` compiles templates to patterns over these codes.
- `times.py` reads times: `kinds.py` says what a template's groups mean, `said.py` what several pieces come to together.
- `requests.py` reads a time, a text and for whom: `people.py` whom, `borders.py` what may stand beside a time.
- `phrases.py` reads whole texts as wishes: `slots.py` is what a phrase holds, `reminders.py` makes a reminder of it.
"""
