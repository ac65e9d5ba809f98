-- Addresses at which a phone's calendar reads what waits in a chat. Macros as in 0001.

-- One such address, of somebody in a scope. Of the address only a `digest` is kept; `read_at` is when it was read last,
-- noted once an hour at most.
CREATE TABLE calendar_feed (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    chat_id {int} NOT NULL REFERENCES chat (id),
    lane_id {int} NOT NULL REFERENCES lane (id),
    person_id {int} NOT NULL REFERENCES person (id),
    digest TEXT NOT NULL,
    read_at {int},
    created_at {int} NOT NULL
);
CREATE UNIQUE INDEX calendar_feed_digest ON calendar_feed (digest);
CREATE INDEX calendar_feed_scope ON calendar_feed (scope_id, person_id);
