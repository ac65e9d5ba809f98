-- Why there is no model is said at length once a day. Macros as in 0001.

-- The day (ISO date, in the configured zone) on which that was last said in a chat; empty when it never was.
ALTER TABLE chat ADD COLUMN explained_on TEXT NOT NULL DEFAULT '';
