-- Files that models write for a scope. They lie on the disk; what is done to them is committed here first, and done there
-- after that, once (docs/states.md). Macros as in 0001.

-- The folder of a scope, by the path that it has for erasing (`@17`). One without a row goes.
CREATE TABLE folder (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    path TEXT NOT NULL,
    created_at {int} NOT NULL
);
CREATE UNIQUE INDEX folder_scope ON folder (scope_id);

-- A change of a file. `path` and `target` are as tools write them. `token` is the name, beside the folders, of what is to
-- be written and of what was there before: by chance, so that a restored database finds no others'. `change_id` is what
-- it takes back, whose token is `source` where something is brought back. `digest` is that of the whole content, where it
-- is known; `tainted` when it may be others' words. `kept` is where lies what was there before (`@17/kept/…`), empty
-- where that is gone or there was nothing: then it is `fresh`.
CREATE TABLE file_change (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    person_id {int} REFERENCES person (id),
    run_id {int},
    trace_id TEXT NOT NULL DEFAULT '',
    act TEXT NOT NULL CHECK (act IN ('write', 'append', 'delete', 'move', 'restore', 'erase', 'adopt')),
    state TEXT NOT NULL CHECK (state IN ('planned', 'done', 'failed')),
    path TEXT NOT NULL,
    target TEXT NOT NULL DEFAULT '',
    token TEXT NOT NULL,
    source TEXT NOT NULL DEFAULT '',
    change_id {int},
    digest TEXT NOT NULL DEFAULT '',
    tainted {int} NOT NULL DEFAULT 1,
    fresh {int} NOT NULL DEFAULT 0,
    kept TEXT NOT NULL DEFAULT '',
    kept_size {int} NOT NULL DEFAULT 0,
    created_at {int} NOT NULL,
    ended_at {int}
);
CREATE INDEX file_change_planned ON file_change (scope_id, id) WHERE state = 'planned';
CREATE INDEX file_change_path ON file_change (scope_id, path, id);
CREATE INDEX file_change_digest ON file_change (scope_id, digest) WHERE digest <> '';
CREATE INDEX file_change_kept ON file_change (ended_at) WHERE kept <> '';
CREATE INDEX file_change_trace ON file_change (scope_id, trace_id) WHERE trace_id <> '';
CREATE INDEX file_change_person ON file_change (person_id);
CREATE INDEX file_change_created ON file_change (created_at);

-- When somebody deleted a file that was sent; it can be brought back for some days.
ALTER TABLE attachment ADD COLUMN discarded_at {int};
CREATE INDEX attachment_discarded ON attachment (discarded_at) WHERE discarded_at IS NOT NULL;
