-- What was said and noted is found by its words. Macros as in 0001; a statement that begins with {sqlite} or {postgres}
-- is of that database alone, and {end} ends a statement inside of a trigger.

-- Whether a line of the transcript is in the index, as far as it has words to be found by. A former version's are not.
ALTER TABLE message ADD COLUMN indexed {int} NOT NULL DEFAULT 0;
CREATE INDEX message_unindexed ON message (id) WHERE indexed = 0;

-- One text that can be found: `owner_id` is the row of its `kind` that has the text itself, `place` one word for tenant,
-- scope, kind and, where only one person may find it, that person. `person_id` is whose words it has. Those of one session, in order of `position`, are
-- neighbours. A line of the transcript takes its document with it.
CREATE TABLE document (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    kind TEXT NOT NULL,
    owner_id {int} NOT NULL,
    message_id {int} REFERENCES message (id) ON DELETE CASCADE,
    person_id {int},
    session_id {int},
    position {int} NOT NULL DEFAULT 0,
    at {int} NOT NULL,
    place TEXT NOT NULL,
    tokens TEXT NOT NULL,
    UNIQUE (kind, owner_id)
);
CREATE INDEX document_message ON document (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX document_session ON document (session_id, position) WHERE session_id IS NOT NULL;

-- The tokens are words already: each database only has to split them at spaces.
{sqlite} CREATE VIRTUAL TABLE document_index USING fts5 (
    place, tokens, content = 'document', content_rowid = 'id', tokenize = 'ascii tokenchars ''_''', columnsize = 1
);
{sqlite} CREATE TRIGGER document_added AFTER INSERT ON document BEGIN
    INSERT INTO document_index (rowid, place, tokens) VALUES (new.id, new.place, new.tokens){end}
END;
{sqlite} CREATE TRIGGER document_gone AFTER DELETE ON document BEGIN
    INSERT INTO document_index (document_index, rowid, place, tokens)
        VALUES ('delete', old.id, old.place, old.tokens){end}
END;
{sqlite} CREATE TRIGGER document_changed AFTER UPDATE OF place, tokens ON document BEGIN
    INSERT INTO document_index (document_index, rowid, place, tokens)
        VALUES ('delete', old.id, old.place, old.tokens){end}
    INSERT INTO document_index (rowid, place, tokens) VALUES (new.id, new.place, new.tokens){end}
END;
{postgres} ALTER TABLE document ADD COLUMN terms tsvector NOT NULL
    GENERATED ALWAYS AS (array_to_tsvector(string_to_array(place || ' ' || tokens, ' '))) STORED;
{postgres} CREATE INDEX document_terms ON document USING gin (terms) WITH (fastupdate = off);
