-- A message may be a file: where it lies below the folder of files. Empty when it is none, or the file is gone.
ALTER TABLE outbox ADD COLUMN file TEXT NOT NULL DEFAULT '';
CREATE INDEX outbox_file ON outbox (scope_id) WHERE file <> '';

-- A file that is being taken in, for a person's private scope: its lines are not shown before it is `done`. `digest` is
-- that of the file. What is left `staging` without a run that works on it is undone.
CREATE TABLE import_job (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    person_id {int} NOT NULL REFERENCES person (id),
    run_id {int},
    digest TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('staging', 'done')),
    created_at {int} NOT NULL,
    ended_at {int}
);
CREATE UNIQUE INDEX import_job_digest ON import_job (scope_id, digest);
CREATE INDEX import_job_staging ON import_job (created_at) WHERE state = 'staging';

-- A line of a conversation that was held elsewhere: history, never a command. `source` is where (teller, chatgpt,
-- claude), `session` which one, `position` where in it; `digest` tells it from every other of its scope.
CREATE TABLE imported_line (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    person_id {int} NOT NULL REFERENCES person (id),
    import_id {int} NOT NULL REFERENCES import_job (id),
    source TEXT NOT NULL,
    session TEXT NOT NULL,
    title TEXT NOT NULL DEFAULT '',
    position {int} NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
    speaker TEXT NOT NULL DEFAULT '',
    text TEXT NOT NULL,
    said_at {int} NOT NULL,
    digest TEXT NOT NULL
);
CREATE UNIQUE INDEX imported_line_digest ON imported_line (scope_id, digest);
CREATE INDEX imported_line_import ON imported_line (import_id);
