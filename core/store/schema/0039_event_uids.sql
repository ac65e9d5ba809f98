-- By what its calendar knows a time of an event; empty for what a former version read. All calendars are read anew, so
-- that none stays without it. Macros as in 0001.

ALTER TABLE calendar_event ADD COLUMN uid TEXT NOT NULL DEFAULT '';
UPDATE calendar SET expanded_at = NULL;
