-- What was fetched from the web for somebody in an hour (hours since 1970), in a scope. Macros as in 0001.
CREATE TABLE fetch_use (
    hour {int} NOT NULL,
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    person_id {int} NOT NULL REFERENCES person (id),
    requests {int} NOT NULL DEFAULT 0,
    searches {int} NOT NULL DEFAULT 0,
    bytes {int} NOT NULL DEFAULT 0,
    cost {int} NOT NULL DEFAULT 0,
    PRIMARY KEY (hour, tenant_id, scope_id, person_id)
) {keyed};
CREATE INDEX fetch_use_person ON fetch_use (tenant_id, person_id);
