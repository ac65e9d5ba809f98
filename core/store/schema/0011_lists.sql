-- To-dos are on lists that have names, and may come again. Macros as in 0001.

-- Which list of its scope an item is on: `list_key` is what its name has in common with others that mean the same, empty
-- for the usual list, and `list_name` how it was written first, empty where each language has a word for it.
ALTER TABLE todo ADD COLUMN list_key TEXT NOT NULL DEFAULT '';
ALTER TABLE todo ADD COLUMN list_name TEXT NOT NULL DEFAULT '';
-- The trigger that puts it on its list again and again: of those one at most is open.
ALTER TABLE todo ADD COLUMN series_id {int};
CREATE UNIQUE INDEX todo_series ON todo (series_id) WHERE series_id IS NOT NULL AND state = 'open';

-- The name of the list that its text is put on when a trigger is due, empty for the usual one; NULL where `deliver` says
-- what is done, whose check SQLite cannot widen.
ALTER TABLE trigger ADD COLUMN todo_list TEXT;
