-- A calendar that was removed waits for its Undo, unread and without its events. Macros as in 0001.

ALTER TABLE calendar ADD COLUMN removed_at {int};
