"""Data folders as version 0.1.0 left them when it was killed: what every later version must open and go on with.

They were made once, with version 0.1.0 and its schema of four migrations, by a program that spoke with the emulators of
that time and was killed with work in every state; its clock was that of 2035, so that a test may put the clock forward
to the moment of the end. They are never made again: files that a later version has written say nothing about whether it
still understands those. What made them went with that version, since it no longer fits the code.

`memories.db.gz` is the database of a console that wrote with the last version before there was work in the background,
and a trigger such as a model of that version made.

`calendars.db.gz` is the database of a house that read a calendar and told one of its events with the last version
before events had uids (tests/capabilities/calendars/served.py has the calendar).
"""
