-- What a text means, as a vector (extra `recall`), in the row of its document: it goes with it, and with each change.
-- NULL: nobody has made one yet; empty: there is no text to make one of. Macros as in 0001.
ALTER TABLE document ADD COLUMN vector TEXT;
CREATE INDEX document_without_vector ON document (kind, id) WHERE vector IS NULL;
CREATE INDEX document_place ON document (place, at);

-- Tokens of words are other ones since this version: lines of the transcript are read again, some every night.
UPDATE message SET indexed = 0 WHERE indexed = 1;
