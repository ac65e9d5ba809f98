-- What a model sees of a lane's past is only added to, and cut in large blocks: so its provider knows the beginning.
-- Macros as in 0001.

-- The last line of the transcript that models see no more.
ALTER TABLE lane ADD COLUMN history_after {int} NOT NULL DEFAULT 0;
