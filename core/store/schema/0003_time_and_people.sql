-- Triggers, reminders, to-dos, contacts. Macros as in 0001.

-- `handle` is the name the platform lets others write to mention somebody (`@anna`), in lower case; empty without one.
-- `quiet` is when the bot starts nothing by itself: "22:00-07:00", "always", or empty.
ALTER TABLE person ADD COLUMN handle TEXT NOT NULL DEFAULT '';
ALTER TABLE person ADD COLUMN quiet TEXT NOT NULL DEFAULT '';
ALTER TABLE chat ADD COLUMN quiet TEXT NOT NULL DEFAULT '';
CREATE INDEX person_handle ON person (tenant_id, handle) WHERE handle <> '';
CREATE INDEX person_scope ON person (scope_id);
CREATE INDEX chat_scope ON chat (scope_id);

-- `quoted` is the text of the message that was replied to, `link` leads to it. `pressed` is the keyboard whose button
-- said this; `trigger_id` the trigger that woke the lane.
ALTER TABLE inbox ADD COLUMN quoted TEXT NOT NULL DEFAULT '';
ALTER TABLE inbox ADD COLUMN link TEXT NOT NULL DEFAULT '';
ALTER TABLE inbox ADD COLUMN forwarded {int} NOT NULL DEFAULT 0;
ALTER TABLE inbox ADD COLUMN pressed {int};
ALTER TABLE inbox ADD COLUMN trigger_id {int};

-- The line that the run's message was understood as, while it is carried out.
ALTER TABLE run ADD COLUMN command TEXT NOT NULL DEFAULT '';

-- The answer to a question with a `command` is carried out: it stands behind the command, as the person's own words.
-- `expects` is what an answer must be: a time, or anything.
ALTER TABLE question ADD COLUMN command TEXT NOT NULL DEFAULT '';
ALTER TABLE question ADD COLUMN expects TEXT NOT NULL DEFAULT '' CHECK (expects IN ('', 'time'));

-- Who may press, when it is more than one: a JSON list of ids of people.
ALTER TABLE keyboard ADD COLUMN people TEXT NOT NULL DEFAULT '';

-- One person, as a scope knows them. `person_id` once they have written to the bot somewhere in the tenant; `met` once
-- they have done so in this scope.
CREATE TABLE contact (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    person_id {int} REFERENCES person (id),
    kind TEXT NOT NULL DEFAULT 'human' CHECK (kind IN ('human', 'agent')),
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive')),
    nickname TEXT NOT NULL DEFAULT '',
    subject_id TEXT NOT NULL DEFAULT '',
    persona_brief TEXT NOT NULL DEFAULT '',
    persona_traits TEXT NOT NULL DEFAULT '{}',
    pronouns TEXT NOT NULL DEFAULT '',
    timezone TEXT NOT NULL DEFAULT '',
    preference_context TEXT NOT NULL DEFAULT '',
    understanding_depth {float} NOT NULL DEFAULT 30,
    topic_weights TEXT NOT NULL DEFAULT '{}',
    reciprocity_norm {float} NOT NULL DEFAULT 0.5,
    learned {int} NOT NULL DEFAULT 0,
    met {int} NOT NULL DEFAULT 0,
    created_at {int} NOT NULL,
    updated_at {int} NOT NULL
);
CREATE UNIQUE INDEX contact_person ON contact (scope_id, person_id) WHERE person_id IS NOT NULL;
CREATE INDEX contact_scope ON contact (scope_id, id);
CREATE INDEX contact_who ON contact (person_id) WHERE person_id IS NOT NULL;

-- Where a contact can be reached: `tg:1001`, `tg:@anna`, `slack:T1:U2`. One contact of a scope has an address.
CREATE TABLE contact_address (
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    external_id TEXT NOT NULL,
    contact_id {int} NOT NULL REFERENCES contact (id),
    PRIMARY KEY (tenant_id, scope_id, external_id)
) {keyed};
CREATE INDEX contact_address_contact ON contact_address (contact_id);

-- Whom a person does not want to hear from by way of the bot.
CREATE TABLE mute (
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    person_id {int} NOT NULL REFERENCES person (id),
    muted_id {int} NOT NULL REFERENCES person (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    created_at {int} NOT NULL,
    PRIMARY KEY (tenant_id, person_id, muted_id)
) {keyed};

-- Each message that one person made the bot send to another: for the limits.
CREATE TABLE errand (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    person_id {int} NOT NULL REFERENCES person (id),
    recipient_id {int} NOT NULL,
    message_key TEXT NOT NULL,
    created_at {int} NOT NULL,
    UNIQUE (tenant_id, message_key)
);
CREATE INDEX errand_sender ON errand (person_id, created_at);
CREATE INDEX errand_recipient ON errand (recipient_id, created_at);
CREATE INDEX errand_created ON errand (created_at);

-- `lane_id` is where it was made; `person_id` made it. `spec` is when (core.when.schedule), `zone` the one of its
-- calendar when that follows the person or the group. `last_at` is the instant it was last due at, `fired_at` when that
-- was done. `reminder_id` is the reminder that this brings again, for the `round`-th time.
CREATE TABLE trigger (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    chat_id {int} NOT NULL REFERENCES chat (id),
    lane_id {int} NOT NULL REFERENCES lane (id),
    person_id {int} NOT NULL REFERENCES person (id),
    state TEXT NOT NULL CHECK (state IN ('active', 'paused', 'done', 'cancelled')),
    reason TEXT NOT NULL DEFAULT '',
    deliver TEXT NOT NULL CHECK (deliver IN ('message', 'task', 'brief', 'note')),
    kind TEXT NOT NULL CHECK (kind IN ('once', 'interval', 'rule')),
    spec TEXT NOT NULL,
    follows {int} NOT NULL DEFAULT 0,
    text TEXT NOT NULL,
    link TEXT NOT NULL DEFAULT '',
    late TEXT NOT NULL DEFAULT 'run',
    everybody {int} NOT NULL DEFAULT 0,
    until_done {int} NOT NULL DEFAULT 0,
    depth {int} NOT NULL DEFAULT 0,
    made_by TEXT NOT NULL,
    reminder_id {int},
    round {int} NOT NULL DEFAULT 0,
    epoch {int} NOT NULL DEFAULT 0,
    next_at {int},
    last_at {int},
    fired_at {int},
    created_at {int} NOT NULL,
    ended_at {int}
);
CREATE INDEX trigger_due ON trigger (next_at) WHERE state = 'active';
CREATE INDEX trigger_scope ON trigger (scope_id) WHERE ended_at IS NULL;
CREATE INDEX trigger_person ON trigger (person_id) WHERE ended_at IS NULL;
CREATE INDEX trigger_fired ON trigger (fired_at) WHERE ended_at IS NULL AND fired_at IS NOT NULL;
CREATE INDEX trigger_ended ON trigger (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX trigger_reminder ON trigger (reminder_id) WHERE reminder_id IS NOT NULL;

-- Whom a trigger reminds, when that is somebody else than its maker or there are several.
CREATE TABLE addressee (
    trigger_id {int} NOT NULL REFERENCES trigger (id),
    contact_id {int} NOT NULL REFERENCES contact (id),
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    PRIMARY KEY (trigger_id, contact_id)
) {keyed};
CREATE INDEX addressee_contact ON addressee (contact_id);

-- A reminder that was posted, where, and what came of it. `message_key` is its row in the outbox; `asker_id` who wanted
-- it, in `asker_lane_id`. One that was put off or repeated is posted again as a row of its own, with the first one as
-- `root_id` (none for the first); with `person_id` it is for that one of several only.
CREATE TABLE reminder (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    chat_id {int} NOT NULL REFERENCES chat (id),
    lane_id {int} NOT NULL REFERENCES lane (id),
    trigger_id {int} NOT NULL,
    root_id {int},
    person_id {int},
    asker_id {int} NOT NULL REFERENCES person (id),
    asker_lane_id {int} NOT NULL,
    message_key TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'done', 'lapsed', 'unseen')),
    everybody {int} NOT NULL DEFAULT 0,
    text TEXT NOT NULL,
    due_at {int} NOT NULL,
    created_at {int} NOT NULL,
    ended_at {int},
    UNIQUE (tenant_id, message_key)
);
CREATE INDEX reminder_lane ON reminder (lane_id, id);
CREATE INDEX reminder_trigger ON reminder (trigger_id);
CREATE INDEX reminder_root ON reminder (root_id) WHERE root_id IS NOT NULL;
CREATE INDEX reminder_created ON reminder (created_at);

-- For whom a first reminder is, and what each did: none when it is for everybody of a group.
CREATE TABLE reminded (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    reminder_id {int} NOT NULL REFERENCES reminder (id),
    person_id {int},
    contact_id {int},
    state TEXT NOT NULL CHECK (state IN ('open', 'done', 'snoozed')),
    until {int},
    ended_at {int}
);
CREATE INDEX reminded_reminder ON reminded (reminder_id);
CREATE INDEX reminded_contact ON reminded (contact_id) WHERE contact_id IS NOT NULL;

CREATE TABLE todo (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    lane_id {int} NOT NULL REFERENCES lane (id),
    person_id {int} NOT NULL REFERENCES person (id),
    state TEXT NOT NULL CHECK (state IN ('open', 'done', 'removed')),
    content TEXT NOT NULL,
    folded TEXT NOT NULL,
    due_on TEXT NOT NULL DEFAULT '',
    due_at {int},
    trigger_id {int},
    done_by {int},
    created_at {int} NOT NULL,
    ended_at {int}
);
CREATE INDEX todo_scope ON todo (scope_id, state, id);
CREATE INDEX todo_person ON todo (person_id) WHERE state = 'open';
CREATE INDEX todo_trigger ON todo (trigger_id) WHERE trigger_id IS NOT NULL;
CREATE INDEX todo_ended ON todo (ended_at) WHERE ended_at IS NOT NULL;

-- Who is to do it.
CREATE TABLE assignee (
    todo_id {int} NOT NULL REFERENCES todo (id),
    contact_id {int} NOT NULL REFERENCES contact (id),
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    PRIMARY KEY (todo_id, contact_id)
) {keyed};
CREATE INDEX assignee_contact ON assignee (contact_id);
