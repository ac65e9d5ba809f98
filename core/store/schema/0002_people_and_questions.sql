-- People with access, groups, questions with buttons, attachments. Macros as in 0001.

ALTER TABLE person ADD COLUMN standing TEXT NOT NULL DEFAULT '' CHECK (standing IN ('', 'member', 'removed'));
ALTER TABLE person ADD COLUMN anonymous {int} NOT NULL DEFAULT 0;
ALTER TABLE person ADD COLUMN chosen_language TEXT NOT NULL DEFAULT '';

ALTER TABLE chat ADD COLUMN title TEXT NOT NULL DEFAULT '';
ALTER TABLE chat ADD COLUMN state TEXT NOT NULL DEFAULT '' CHECK (state IN ('', 'allowed', 'gone'));
ALTER TABLE chat ADD COLUMN was_allowed {int} NOT NULL DEFAULT 0;
ALTER TABLE chat ADD COLUMN language TEXT NOT NULL DEFAULT '';
ALTER TABLE chat ADD COLUMN timezone TEXT NOT NULL DEFAULT '';
ALTER TABLE chat ADD COLUMN reads_along {int} NOT NULL DEFAULT 0;

ALTER TABLE lane ADD COLUMN context_after {int} NOT NULL DEFAULT 0;
ALTER TABLE lane ADD COLUMN stopped {int} NOT NULL DEFAULT 0;

ALTER TABLE inbox ADD COLUMN question_id {int};
ALTER TABLE inbox ADD COLUMN album TEXT NOT NULL DEFAULT '';

-- Whom an answer is for: it goes with their words. So does the `person_id` of what a run says in `message`.
ALTER TABLE outbox ADD COLUMN person_id {int};

ALTER TABLE message ADD COLUMN aside {int} NOT NULL DEFAULT 0;
CREATE INDEX message_aside ON message (created_at) WHERE aside = 1;

CREATE TABLE question (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    chat_id {int} NOT NULL REFERENCES chat (id),
    lane_id {int} NOT NULL REFERENCES lane (id),
    run_id {int} NOT NULL,
    person_id {int} NOT NULL REFERENCES person (id),
    state TEXT NOT NULL CHECK (state IN ('new', 'open', 'answered', 'expired', 'withdrawn')),
    text TEXT NOT NULL,
    options TEXT NOT NULL,
    default_answer TEXT,
    timeout_s {int} NOT NULL,
    answer TEXT NOT NULL DEFAULT '',
    source TEXT NOT NULL DEFAULT '' CHECK (source IN ('', 'user', 'default', 'timeout')),
    answered_by {int},
    repeated {int} NOT NULL DEFAULT 0,
    created_at {int} NOT NULL,
    expires_at {int},
    ended_at {int}
);
CREATE INDEX question_open ON question (lane_id, id) WHERE state = 'open';
CREATE INDEX question_due ON question (expires_at) WHERE state = 'open';
CREATE INDEX question_run ON question (run_id);
CREATE INDEX question_ended ON question (ended_at) WHERE ended_at IS NOT NULL;

-- The buttons below one message. `said` is what a press says for the presser; a question's button answers it instead.
CREATE TABLE keyboard (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    chat_id {int} NOT NULL REFERENCES chat (id),
    lane_id {int} NOT NULL REFERENCES lane (id),
    token TEXT NOT NULL,
    message_key TEXT NOT NULL,
    question_id {int} REFERENCES question (id),
    person_id {int},
    once {int} NOT NULL DEFAULT 1,
    text TEXT NOT NULL,
    buttons TEXT NOT NULL,
    created_at {int} NOT NULL,
    ended_at {int},
    UNIQUE (tenant_id, token)
);
CREATE INDEX keyboard_question ON keyboard (question_id) WHERE question_id IS NOT NULL;
CREATE INDEX keyboard_created ON keyboard (created_at);

CREATE TABLE attachment (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    lane_id {int} NOT NULL REFERENCES lane (id),
    inbox_id {int} NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('new', 'kept', 'failed', 'erased')),
    kind TEXT NOT NULL,
    file TEXT NOT NULL,
    name TEXT NOT NULL DEFAULT '',
    mime TEXT NOT NULL DEFAULT '',
    size {int} NOT NULL DEFAULT 0,
    seconds {int} NOT NULL DEFAULT 0,
    path TEXT NOT NULL DEFAULT '',
    error TEXT NOT NULL DEFAULT '',
    created_at {int} NOT NULL
);
CREATE INDEX attachment_inbox ON attachment (inbox_id);
CREATE INDEX attachment_created ON attachment (created_at) WHERE state <> 'erased';
CREATE INDEX attachment_kept ON attachment (scope_id) WHERE state = 'kept';

-- One-time words that open the door: an invitation by link, or the code of a stranger who waits for the owner's yes.
CREATE TABLE invite (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    kind TEXT NOT NULL CHECK (kind IN ('invite', 'pairing')),
    digest TEXT NOT NULL,
    person_id {int} NOT NULL REFERENCES person (id),
    created_at {int} NOT NULL,
    expires_at {int} NOT NULL,
    used_by {int},
    ended_at {int},
    UNIQUE (tenant_id, digest)
);
CREATE INDEX invite_expires ON invite (expires_at);

CREATE TABLE optout (
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    person_id {int} NOT NULL REFERENCES person (id),
    created_at {int} NOT NULL,
    PRIMARY KEY (tenant_id, scope_id, person_id)
) {keyed};

-- What a person may take back: the call that undoes what they did. With a lane, only there. `subject` is what was
-- changed; what is `shared` others of the group may take back, too.
CREATE TABLE undo (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    lane_id {int},
    person_id {int} NOT NULL REFERENCES person (id),
    label TEXT NOT NULL,
    tool TEXT NOT NULL,
    arguments TEXT NOT NULL,
    subject TEXT NOT NULL DEFAULT '',
    shared {int} NOT NULL DEFAULT 0,
    created_at {int} NOT NULL,
    ended_at {int}
);
CREATE INDEX undo_subject ON undo (tenant_id, subject) WHERE ended_at IS NULL;
CREATE INDEX undo_open ON undo (scope_id, person_id, id) WHERE ended_at IS NULL;
CREATE INDEX undo_created ON undo (created_at);
