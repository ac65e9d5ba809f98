-- What is forgotten also when it could not be erased at once, and how long a chat wants things to be kept. Macros as in
-- 0001.

-- A message that was not sent yet when its words were to be forgotten: its body goes as soon as it has ended.
ALTER TABLE outbox ADD COLUMN forgotten {int} NOT NULL DEFAULT 0;

-- For how many days a chat keeps a `kind` of things, where that is less than for everybody.
CREATE TABLE chat_retention (
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    kind TEXT NOT NULL CHECK (kind IN ('messages', 'files')),
    days {int} NOT NULL,
    person_id {int} NOT NULL REFERENCES person (id),
    created_at {int} NOT NULL,
    PRIMARY KEY (tenant_id, scope_id, kind)
) {keyed};
