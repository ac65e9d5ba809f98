-- What happens when something comes true, and recurring work. Macros as in 0001.

-- `watches` where `spec` names a condition; then `next_at` is when it ends. `silent` when nothing is said of what is
-- as it was. `timeout_s` and `trace_id` are those of the tasks that come of it; it is not done again within
-- `cooldown_s`. `tainted` when a run made it that had read what others wrote.
ALTER TABLE trigger ADD COLUMN watches {int} NOT NULL DEFAULT 0;
ALTER TABLE trigger ADD COLUMN silent {int} NOT NULL DEFAULT 0;
ALTER TABLE trigger ADD COLUMN timeout_s {int};
ALTER TABLE trigger ADD COLUMN cooldown_s {int} NOT NULL DEFAULT 0;
ALTER TABLE trigger ADD COLUMN trace_id TEXT NOT NULL DEFAULT '';
ALTER TABLE trigger ADD COLUMN tainted {int} NOT NULL DEFAULT 0;
CREATE INDEX trigger_watches ON trigger (id) WHERE watches = 1 AND state = 'active';

-- The condition, as JSON, that a task with `waits_for` = 'condition' waits for.
ALTER TABLE task ADD COLUMN condition TEXT NOT NULL DEFAULT '';
CREATE INDEX task_condition ON task (id) WHERE state = 'waiting' AND waits_for = 'condition';

-- How far the condition of a trigger or a task is known: `parts` is the state of each of its parts, as JSON. `asked_at`
-- is when a model was asked last. Whoever writes it has read its `version`.
CREATE TABLE condition (
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    owner TEXT NOT NULL CHECK (owner IN ('trigger', 'task')),
    owner_id {int} NOT NULL,
    person_id {int} NOT NULL REFERENCES person (id),
    parts TEXT NOT NULL,
    asked_at {int},
    version {int} NOT NULL DEFAULT 0,
    created_at {int} NOT NULL,
    PRIMARY KEY (owner, owner_id)
) {keyed};
CREATE INDEX condition_scope ON condition (scope_id);
