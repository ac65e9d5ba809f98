-- Calendars of people and groups. Macros as in 0001.

-- One calendar. Its address is a secret: `sealed` is it, encrypted, and `digest` says that it is known; both are empty
-- for one that came as a file, whose content is `body`. `zone` is that of whoever added it, for times without one.
-- `next_at` is when it is read again; `failing_since` and `told_at` say since when that fails, and that it was told.
CREATE TABLE calendar (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    chat_id {int} NOT NULL REFERENCES chat (id),
    lane_id {int} NOT NULL REFERENCES lane (id),
    person_id {int} NOT NULL REFERENCES person (id),
    name TEXT NOT NULL,
    sealed TEXT NOT NULL DEFAULT '',
    digest TEXT NOT NULL DEFAULT '',
    body TEXT NOT NULL DEFAULT '',
    zone TEXT NOT NULL,
    etag TEXT NOT NULL DEFAULT '',
    problem TEXT NOT NULL DEFAULT '',
    next_at {int} NOT NULL,
    expanded_at {int},
    failing_since {int},
    told_at {int},
    created_at {int} NOT NULL
);
CREATE INDEX calendar_scope ON calendar (scope_id, person_id);
CREATE INDEX calendar_next ON calendar (next_at);

-- One time of an event, in milliseconds. Of a `whole` day, `day` is that day.
CREATE TABLE calendar_event (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    calendar_id {int} NOT NULL,
    begins_at {int} NOT NULL,
    ends_at {int} NOT NULL,
    day TEXT NOT NULL DEFAULT '',
    title TEXT NOT NULL,
    place TEXT NOT NULL DEFAULT ''
);
CREATE INDEX calendar_event_scope ON calendar_event (scope_id, ends_at);
CREATE INDEX calendar_event_calendar ON calendar_event (calendar_id);
