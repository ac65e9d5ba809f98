-- Hooks: addresses to which other programs post. Macros as in 0001.

-- One hook. What comes to it is said in `lane_id`, or a task there works on it, with the rights of `person_id`. Of its
-- address only a `digest` is kept; `sealed` is the key that signs what is posted, encrypted, and empty where nothing
-- has to be signed. `reason` is why one is paused.
CREATE TABLE hook (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    chat_id {int} NOT NULL REFERENCES chat (id),
    lane_id {int} NOT NULL REFERENCES lane (id),
    person_id {int} NOT NULL REFERENCES person (id),
    kind TEXT NOT NULL CHECK (kind IN ('message', 'task')),
    name TEXT NOT NULL,
    prompt TEXT NOT NULL DEFAULT '',
    digest TEXT NOT NULL,
    sealed TEXT NOT NULL DEFAULT '',
    state TEXT NOT NULL CHECK (state IN ('active', 'paused')),
    reason TEXT NOT NULL DEFAULT '' CHECK (reason IN ('', 'asked', 'access', 'left')),
    calls {int} NOT NULL DEFAULT 0,
    called_at {int},
    created_at {int} NOT NULL
);
CREATE UNIQUE INDEX hook_digest ON hook (digest);
CREATE INDEX hook_scope ON hook (scope_id, person_id);

-- One thing that was posted. `key` is a digest of what its sender calls it, once in a hook; of chance where they call it
-- nothing. Its words are in the message or the task that it became.
CREATE TABLE hook_call (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    hook_id {int} NOT NULL REFERENCES hook (id),
    key TEXT NOT NULL,
    task_id {int},
    created_at {int} NOT NULL
);
CREATE UNIQUE INDEX hook_call_key ON hook_call (hook_id, key);
CREATE INDEX hook_call_at ON hook_call (hook_id, created_at);
CREATE INDEX hook_call_old ON hook_call (created_at);
