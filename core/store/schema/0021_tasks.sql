-- Work in the background: what was delegated to a Planner, and by it to Workers. Macros as in 0001.

-- One task. `person_id` is its principal; `lane_id` is where its outcome goes. `parent_id` is the Planner's task whose
-- Worker it is. It came of the run `made_in`, of the trigger `trigger_id`, or of something else that its `source_key`
-- names; the key is there once in a tenant. `run_id` is its journal, one for all its passes. `words` are the principal's
-- own, as a JSON list, by which it is known whom they named. `order_at` is when it was made, a minute earlier for each of
-- its `priority`. `waits_for` says what ends its waiting. `doing` is the step that people see; `message_key` the message
-- that shows it. `most_tokens` and `most_cost` (millionths of a dollar) are its budget, `tokens` and `cost` what it took.
CREATE TABLE task (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    chat_id {int} NOT NULL REFERENCES chat (id),
    lane_id {int} NOT NULL REFERENCES lane (id),
    person_id {int} NOT NULL REFERENCES person (id),
    parent_id {int},
    made_in {int},
    trigger_id {int},
    source_key TEXT NOT NULL,
    run_id {int},
    role TEXT NOT NULL CHECK (role IN ('planner', 'worker')),
    state TEXT NOT NULL CHECK (state IN ('new', 'queued', 'running', 'waiting', 'done', 'failed', 'cancelled')),
    waits_for TEXT NOT NULL DEFAULT '' CHECK (waits_for IN ('', 'answer', 'workers', 'condition')),
    prompt TEXT NOT NULL,
    words TEXT NOT NULL DEFAULT '[]',
    language TEXT NOT NULL DEFAULT '',
    priority {int} NOT NULL DEFAULT 5,
    timeout_s {int},
    repeatable {int} NOT NULL DEFAULT 0,
    trace_id TEXT NOT NULL,
    tainted {int} NOT NULL DEFAULT 0,
    depth {int} NOT NULL DEFAULT 0,
    order_at {int} NOT NULL,
    wake_at {int} NOT NULL DEFAULT 0,
    owner TEXT,
    epoch {int} NOT NULL DEFAULT 0,
    expires_at {int} NOT NULL DEFAULT 0,
    attempts {int} NOT NULL DEFAULT 0,
    stopped {int} NOT NULL DEFAULT 0,
    tries {int} NOT NULL DEFAULT 1,
    rounds {int} NOT NULL DEFAULT 0,
    question_id {int},
    outcome TEXT NOT NULL DEFAULT '',
    error TEXT NOT NULL DEFAULT '',
    most_tokens {int},
    most_cost {int},
    tokens {int} NOT NULL DEFAULT 0,
    cost {int} NOT NULL DEFAULT 0,
    doing TEXT NOT NULL DEFAULT '',
    message_key TEXT NOT NULL DEFAULT '',
    created_at {int} NOT NULL,
    started_at {int},
    ended_at {int}
);
CREATE UNIQUE INDEX task_source ON task (tenant_id, source_key);
CREATE INDEX task_queue ON task (role, tenant_id, order_at, id) WHERE state = 'queued';
CREATE INDEX task_running ON task (role, tenant_id) WHERE state = 'running';
CREATE INDEX task_open ON task (scope_id) WHERE ended_at IS NULL;
CREATE INDEX task_parent ON task (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX task_made_in ON task (made_in) WHERE made_in IS NOT NULL;
CREATE INDEX task_trigger ON task (trigger_id, id) WHERE trigger_id IS NOT NULL;
CREATE INDEX task_message ON task (tenant_id, message_key) WHERE message_key <> '';
CREATE INDEX task_ended ON task (ended_at) WHERE ended_at IS NOT NULL;

-- What a task is told after it began: the answer to what it asked, the outcome of a Worker, what its person says of it.
-- `step` is the step of its journal before which it was read; NULL until then.
CREATE TABLE task_input (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    task_id {int} NOT NULL REFERENCES task (id),
    kind TEXT NOT NULL CHECK (kind IN ('answer', 'outcome', 'steer')),
    text TEXT NOT NULL,
    tainted {int} NOT NULL DEFAULT 0,
    step {int},
    created_at {int} NOT NULL
);
CREATE INDEX task_input_task ON task_input (task_id, id);

-- The task whose outcome a row of the inbox tells.
ALTER TABLE inbox ADD COLUMN task_id {int};
-- The task that goes on with the answer to a question.
ALTER TABLE question ADD COLUMN task_id {int};
