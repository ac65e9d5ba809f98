-- In which lane something was done: "undo" in a thread means what was done there. Macros as in 0001.

ALTER TABLE undo ADD COLUMN done_in {int};
