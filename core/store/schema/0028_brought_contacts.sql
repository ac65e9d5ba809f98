-- Whether the texts of a contact came in a file that was not the person's own export: they are others' words.

ALTER TABLE contact ADD COLUMN brought {int} NOT NULL DEFAULT 0;
