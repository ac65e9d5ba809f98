-- A message may be a file: where it lies below the folder of files. Empty when it is none, or the file is gone.
ALTER TABLE outbox ADD COLUMN file TEXT NOT NULL DEFAULT '';
CREATE INDEX outbox_file ON outbox (scope_id) WHERE file <> '';
