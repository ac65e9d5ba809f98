-- By what its calendar knows a time of an event; empty for what a former version read. All calendars are read anew, so
-- that none stays without it. Macros as in 0001.

ALTER TABLE calendar_event ADD COLUMN uid TEXT NOT NULL DEFAULT '';
UPDATE calendar SET expanded_at = NULL;

-- What a calendar has and does not show: events that are not understood, that come too often or take too long to work
-- out, and times for which there is no room.
ALTER TABLE calendar ADD COLUMN left_unclear {int} NOT NULL DEFAULT 0;
ALTER TABLE calendar ADD COLUMN left_busy {int} NOT NULL DEFAULT 0;
ALTER TABLE calendar ADD COLUMN left_crowded {int} NOT NULL DEFAULT 0;
