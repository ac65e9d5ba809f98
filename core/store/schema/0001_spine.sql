-- The spine. Macros: {pk} surrogate key never used twice; {int} 64-bit integer; {keyed} stored in the order of its key.
-- Few indexes, and partial ones: each page a transaction touches is written to the log.
-- Instants are unix milliseconds, UTC. Every table says tenant and scope; see docs/states.md for what is true when.

CREATE TABLE tenant (
    id {pk},
    platform TEXT NOT NULL,
    external_id TEXT NOT NULL,
    name TEXT NOT NULL DEFAULT '',
    created_at {int} NOT NULL,
    UNIQUE (platform, external_id)
);

CREATE TABLE scope (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    kind TEXT NOT NULL CHECK (kind IN ('private', 'group')),
    created_at {int} NOT NULL
);

CREATE TABLE person (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    name TEXT NOT NULL DEFAULT '',
    language TEXT NOT NULL DEFAULT '',
    timezone TEXT NOT NULL DEFAULT '',
    created_at {int} NOT NULL
);

CREATE TABLE address (
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    external_id TEXT NOT NULL,
    person_id {int} NOT NULL REFERENCES person (id),
    PRIMARY KEY (tenant_id, external_id)
) {keyed};

CREATE INDEX address_person ON address (person_id);

CREATE TABLE stranger (
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    external_id TEXT NOT NULL,
    updates {int} NOT NULL DEFAULT 1,
    last_at {int} NOT NULL,
    PRIMARY KEY (tenant_id, external_id)
) {keyed};

CREATE TABLE cursor_position (
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    name TEXT NOT NULL,
    position TEXT NOT NULL,
    PRIMARY KEY (tenant_id, name)
) {keyed};

CREATE TABLE chat (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    external_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('private', 'group')),
    created_at {int} NOT NULL,
    UNIQUE (tenant_id, external_id)
);

CREATE TABLE lane (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    chat_id {int} NOT NULL REFERENCES chat (id),
    thread TEXT NOT NULL DEFAULT '',
    owner TEXT,
    epoch {int} NOT NULL DEFAULT 0,
    expires_at {int} NOT NULL DEFAULT 0,
    attempts {int} NOT NULL DEFAULT 0,
    pending {int} NOT NULL DEFAULT 0,
    wake_at {int} NOT NULL DEFAULT 0,
    run_id {int},
    UNIQUE (tenant_id, chat_id, thread)
);
CREATE INDEX lane_pending ON lane (wake_at) WHERE pending = 1;

CREATE TABLE inbox (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} REFERENCES scope (id),
    lane_id {int} REFERENCES lane (id),
    person_id {int} REFERENCES person (id),
    update_key TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('new', 'taken', 'done', 'dead')),
    platform_id TEXT NOT NULL DEFAULT '',
    reply_to TEXT NOT NULL DEFAULT '',
    text TEXT NOT NULL DEFAULT '',
    raw TEXT,
    run_id {int},
    held_until {int} NOT NULL DEFAULT 0,
    holds {int} NOT NULL DEFAULT 0,
    error TEXT NOT NULL DEFAULT '',
    sent_at {int} NOT NULL,
    accepted_at {int} NOT NULL,
    ended_at {int},
    UNIQUE (tenant_id, update_key)
);
CREATE INDEX inbox_open ON inbox (lane_id, id) WHERE ended_at IS NULL;
CREATE INDEX inbox_dead ON inbox (id) WHERE state = 'dead';
CREATE INDEX inbox_ended ON inbox (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX inbox_platform ON inbox (platform_id, lane_id);

CREATE TABLE run (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    lane_id {int} NOT NULL REFERENCES lane (id),
    person_id {int} NOT NULL REFERENCES person (id),
    role TEXT NOT NULL,
    trace_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('running', 'done', 'asked', 'failed')),
    error TEXT NOT NULL DEFAULT '',
    started_at {int} NOT NULL,
    ended_at {int}
);
CREATE INDEX run_ended ON run (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE step (
    tenant_id {int} NOT NULL,
    scope_id {int} NOT NULL,
    run_id {int} NOT NULL,
    n {int} NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('answer', 'call')),
    state TEXT NOT NULL CHECK (state IN ('started', 'done', 'unknown')),
    call_id TEXT NOT NULL DEFAULT '',
    tool TEXT NOT NULL DEFAULT '',
    content TEXT NOT NULL DEFAULT '',
    started_at {int} NOT NULL,
    ended_at {int},
    PRIMARY KEY (tenant_id, scope_id, run_id, n)
) {keyed};

CREATE TABLE message (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    lane_id {int} NOT NULL REFERENCES lane (id),
    run_id {int},
    inbox_id {int},
    person_id {int},
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'event')),
    speaker TEXT NOT NULL DEFAULT '',
    text TEXT NOT NULL,
    created_at {int} NOT NULL
);
CREATE UNIQUE INDEX message_inbox ON message (tenant_id, scope_id, inbox_id) WHERE inbox_id IS NOT NULL;
CREATE INDEX message_lane ON message (lane_id, id);

CREATE TABLE outbox (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    chat_id {int} NOT NULL REFERENCES chat (id),
    lane_id {int} NOT NULL REFERENCES lane (id),
    message_key TEXT NOT NULL,
    urgency TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('new', 'sending', 'sent', 'dead')),
    payload TEXT,
    reply_to TEXT NOT NULL DEFAULT '',
    replaces_id {int},
    attempt {int} NOT NULL DEFAULT 0,
    repeated {int} NOT NULL DEFAULT 0,
    not_before {int} NOT NULL DEFAULT 0,
    platform_id TEXT,
    error TEXT NOT NULL DEFAULT '',
    created_at {int} NOT NULL,
    sending_at {int},
    ended_at {int},
    UNIQUE (tenant_id, message_key)
);
CREATE INDEX outbox_open ON outbox (chat_id, urgency, id) WHERE ended_at IS NULL;
CREATE INDEX outbox_dead ON outbox (id) WHERE state = 'dead';
CREATE INDEX outbox_ended ON outbox (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX outbox_replaces ON outbox (replaces_id) WHERE replaces_id IS NOT NULL;

CREATE TABLE token_use (
    tenant_id {int} NOT NULL,
    scope_id {int} NOT NULL,
    person_id {int} NOT NULL,
    day TEXT NOT NULL,
    model TEXT NOT NULL,
    calls {int} NOT NULL,
    tokens_in {int} NOT NULL,
    tokens_out {int} NOT NULL,
    PRIMARY KEY (day, tenant_id, scope_id, person_id, model)
) {keyed};

CREATE TABLE ledger_head (
    tenant_id {int} NOT NULL PRIMARY KEY REFERENCES tenant (id),
    n {int} NOT NULL,
    mac TEXT NOT NULL
);

CREATE TABLE ledger (
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL,
    n {int} NOT NULL,
    lane_id {int} NOT NULL,
    run_id {int} NOT NULL,
    trace_id TEXT NOT NULL,
    person_id {int} NOT NULL,
    role TEXT NOT NULL,
    tool TEXT NOT NULL,
    phase TEXT NOT NULL CHECK (phase IN ('planned', 'outcome')),
    success {int} NOT NULL,
    error TEXT NOT NULL DEFAULT '',
    salt TEXT NOT NULL,
    arguments_digest TEXT NOT NULL,
    result_digest TEXT NOT NULL,
    at {int} NOT NULL,
    duration_ms {int} NOT NULL,
    model TEXT NOT NULL DEFAULT '',
    tokens_in {int} NOT NULL DEFAULT 0,
    tokens_out {int} NOT NULL DEFAULT 0,
    cost_microdollars {int} NOT NULL DEFAULT 0,
    approved_by {int},
    mac TEXT NOT NULL,
    PRIMARY KEY (tenant_id, n)
) {keyed};

CREATE TABLE ledger_body (
    tenant_id {int} NOT NULL,
    scope_id {int} NOT NULL,
    n {int} NOT NULL,
    arguments TEXT NOT NULL,
    result TEXT NOT NULL,
    PRIMARY KEY (tenant_id, n)
) {keyed};
