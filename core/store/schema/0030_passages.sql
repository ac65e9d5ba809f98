-- What stands in documents that people sent is found by its words. Macros as in 0001.

-- Whether a file that came is in the text index, as far as it is a document and gives text.
ALTER TABLE attachment ADD COLUMN indexed {int} NOT NULL DEFAULT 0;
CREATE INDEX attachment_unindexed ON attachment (id) WHERE state = 'kept' AND indexed = 0;

-- Some sentences of a document, in their order. `part` is the number of the page (sheet, slide, chapter …: `unit`) that
-- they stand on; 0 where there are none. They go with the row of their file.
CREATE TABLE passage (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    attachment_id {int} NOT NULL REFERENCES attachment (id) ON DELETE CASCADE,
    position {int} NOT NULL,
    unit TEXT NOT NULL DEFAULT '',
    part {int} NOT NULL DEFAULT 0,
    text TEXT NOT NULL
);
CREATE UNIQUE INDEX passage_position ON passage (attachment_id, position);
CREATE INDEX passage_scope ON passage (scope_id);

-- A passage takes its place in the text index with it, as a line of the transcript does.
ALTER TABLE document ADD COLUMN passage_id {int} REFERENCES passage (id) ON DELETE CASCADE;
CREATE INDEX document_passage ON document (passage_id) WHERE passage_id IS NOT NULL;
