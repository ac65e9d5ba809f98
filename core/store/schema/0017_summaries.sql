-- What is done when a trigger is due, where the check of `deliver`, which SQLite cannot widen, does not know it; empty
-- where `deliver` says so. Macros as in 0001.
ALTER TABLE trigger ADD COLUMN does TEXT NOT NULL DEFAULT '';
UPDATE trigger SET does = 'item' WHERE todo_list IS NOT NULL;
