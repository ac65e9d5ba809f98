-- What people want remembered, and what was noted for them. Nothing is overwritten: what is newer supersedes what is
-- older, and both stay. Macros as in 0001.

-- One memory of a scope, verbatim. `person_id` said it, NULL where nobody knows; `run_id`, `lane_id` and `message_id` are
-- where: the line of the transcript may be gone. `content_key` is a digest of its folded text, by which it is known
-- again; `tags` are a JSON list; `asked` when the person's own words wanted it noted; `path` is the name that it has as
-- a file. `said_at` is when it was said, `created_at` when it was noted: an import knows both.
CREATE TABLE memory (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    person_id {int} REFERENCES person (id),
    lane_id {int} REFERENCES lane (id),
    run_id {int},
    message_id {int},
    content TEXT NOT NULL,
    content_key TEXT NOT NULL,
    tags TEXT NOT NULL DEFAULT '[]',
    long_term {int} NOT NULL DEFAULT 0,
    source TEXT NOT NULL CHECK (source IN ('person', 'assistant', 'planner', 'import')),
    asked {int} NOT NULL DEFAULT 1,
    tainted {int} NOT NULL DEFAULT 0,
    path TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'superseded', 'archived', 'removed')),
    superseded_by {int},
    said_at {int} NOT NULL,
    created_at {int} NOT NULL,
    ended_at {int}
);
CREATE UNIQUE INDEX memory_content ON memory (scope_id, content_key) WHERE state = 'active';
CREATE INDEX memory_scope ON memory (scope_id, state, long_term, id);
CREATE INDEX memory_person ON memory (person_id) WHERE person_id IS NOT NULL;
CREATE INDEX memory_run ON memory (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX memory_path ON memory (scope_id, path);
CREATE INDEX memory_superseded ON memory (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memory_removed ON memory (ended_at) WHERE state = 'removed';

-- Whether it is not shown in this chat what a model notes by itself.
ALTER TABLE chat ADD COLUMN silent_notes {int} NOT NULL DEFAULT 0;
