-- What a message came of stands in columns, and its key is only a key. {instr} is where a text stands in another one,
-- {json} a text that is JSON. Other macros as in 0001.

-- `source_kind` and `source_id` are what a message came of, `epoch` how often its trigger had fired. It is the `part` of
-- the message `whole_key`, counted from 0; none when it only changes another one, or says what became of it.
ALTER TABLE outbox ADD COLUMN source_kind TEXT NOT NULL DEFAULT ''
    CHECK (source_kind IN ('', 'run', 'trigger', 'question', 'page', 'leave', 'doubt'));
ALTER TABLE outbox ADD COLUMN source_id {int};
ALTER TABLE outbox ADD COLUMN epoch {int};
ALTER TABLE outbox ADD COLUMN whole_key TEXT NOT NULL DEFAULT '';
ALTER TABLE outbox ADD COLUMN part {int};

-- The message that buttons hang below, or once hung below, came of this.
ALTER TABLE keyboard ADD COLUMN source_kind TEXT NOT NULL DEFAULT ''
    CHECK (source_kind IN ('', 'run', 'trigger', 'question', 'page', 'leave', 'doubt'));
ALTER TABLE keyboard ADD COLUMN source_id {int};

-- Keys of before: `kind:number:…:part`; an edit has no part, nor has what is said below a message that cannot change.
UPDATE outbox SET whole_key = message_key, part = 0;
UPDATE outbox SET whole_key = k.whole_key, part = CAST(k.part AS {int})
    FROM (SELECT id, rtrim(rtrim(message_key, '0123456789'), ':') AS whole_key,
        substr(message_key, length(rtrim(message_key, '0123456789')) + 1) AS part FROM outbox) AS k
    WHERE k.id = outbox.id AND k.part <> '' AND length(k.part) < 10 AND outbox.replaces_id IS NULL
    AND outbox.message_key = k.whole_key || ':' || k.part AND outbox.message_key NOT LIKE 'leave:%';
UPDATE outbox SET part = NULL WHERE (replaces_id IS NOT NULL AND message_key LIKE '%:closed')
    OR (replaces_id IS NULL AND (message_key LIKE '%:closed:line:%' OR message_key LIKE '%:ended:%'));

UPDATE outbox SET source_kind = 'leave' WHERE message_key LIKE 'leave:%';
UPDATE outbox SET source_kind = k.kind, source_id = CAST(k.number AS {int})
    FROM (SELECT id, kind, substr(rest, 1, {instr}(rest || ':', ':') - 1) AS number
        FROM (SELECT id, substr(message_key, 1, {instr}(message_key || ':', ':') - 1) AS kind,
            substr(message_key, {instr}(message_key, ':') + 1) AS rest FROM outbox) AS split) AS k
    WHERE k.id = outbox.id AND k.kind IN ('run', 'trigger', 'question', 'doubt')
    AND k.number <> '' AND rtrim(k.number, '0123456789') = '';
UPDATE outbox SET epoch = CAST(k.epoch AS {int})
    FROM (SELECT id, substr(rest, 1, {instr}(rest || ':', ':') - 1) AS epoch
        FROM (SELECT id, substr(message_key, length('trigger::' || source_id) + 1) AS rest FROM outbox
            WHERE source_kind = 'trigger') AS split) AS k
    WHERE k.id = outbox.id AND k.epoch <> '' AND rtrim(k.epoch, '0123456789') = '';
UPDATE keyboard SET source_kind = k.kind, source_id = CAST(k.number AS {int})
    FROM (SELECT id, kind, substr(rest, 1, {instr}(rest || ':', ':') - 1) AS number
        FROM (SELECT id, substr(message_key, 1, {instr}(message_key || ':', ':') - 1) AS kind,
            substr(message_key, {instr}(message_key, ':') + 1) AS rest FROM keyboard) AS split) AS k
    WHERE k.id = keyboard.id AND k.kind IN ('run', 'trigger', 'question', 'page')
    AND k.number <> '' AND rtrim(k.number, '0123456789') = '';

-- The incident of the model that is open in a tenant: the provider refuses the key, or the quota is spent.
CREATE TABLE incident (
    tenant_id {int} NOT NULL PRIMARY KEY REFERENCES tenant (id),
    kind TEXT NOT NULL CHECK (kind IN ('key', 'quota')),
    reason TEXT NOT NULL,
    since {int} NOT NULL
);
INSERT INTO incident (tenant_id, kind, reason, since)
    SELECT tenant_id, CAST(position AS {json}) ->> 'kind', CAST(position AS {json}) ->> 'reason',
        CAST(CAST(position AS {json}) ->> 'since' AS {int})
    FROM cursor_position WHERE name = 'model_incident' AND position <> '';
DELETE FROM cursor_position WHERE name = 'model_incident';
