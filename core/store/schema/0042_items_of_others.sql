-- Whether an item of a list has words of others: it was put there by a model that had read some, out of a message that was
-- forwarded or quoted, or by a file. Macros as in 0001.

ALTER TABLE todo ADD COLUMN tainted {int} NOT NULL DEFAULT 0;

-- And a question: a model asks it that had read some.
ALTER TABLE question ADD COLUMN tainted {int} NOT NULL DEFAULT 0;
