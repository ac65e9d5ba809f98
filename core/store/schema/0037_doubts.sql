-- How often a question failed at the model although that answered others meanwhile. Macros as in 0001.

ALTER TABLE inbox ADD COLUMN doubts {int} NOT NULL DEFAULT 0;
