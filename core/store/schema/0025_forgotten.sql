-- One of 61 texts of the index is a sample: the name of its place is among its tokens as well (core/store/text_index/index.py).
-- How frequent a word is among many texts is told by these.

UPDATE document SET tokens = tokens || ' _in_' || place WHERE owner_id % 61 = 0;

-- Words of a new text are put aside and sorted in some hundred texts at a time; a search looks at those, too.
{postgres} ALTER INDEX document_terms SET (fastupdate = on, gin_pending_list_limit = 64);

DROP INDEX memory_person;
CREATE INDEX memory_person ON memory (person_id, scope_id) WHERE person_id IS NOT NULL;

-- Lines of the transcript that are hidden since somebody deleted a memory that was noted from them: its number. They are
-- erased with it, and shown again when the deletion is taken back.
ALTER TABLE message ADD COLUMN forgotten_with {int};
CREATE INDEX message_forgotten ON message (forgotten_with) WHERE forgotten_with IS NOT NULL;
