-- Who wants to be told before events begin: so many minutes before those of a calendar; and which of its events were.
-- Macros as in 0001.

ALTER TABLE calendar ADD COLUMN told_before {int};
ALTER TABLE calendar_event ADD COLUMN told {int} NOT NULL DEFAULT 0;
CREATE INDEX calendar_event_begins ON calendar_event (calendar_id, begins_at);
