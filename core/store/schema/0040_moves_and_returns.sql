-- Where a group was before, and since when somebody is back in one. Macros as in 0001.

-- The platform's id that a chat had before it moved: presses and edits of what is older still name it.
ALTER TABLE chat ADD COLUMN former_id TEXT NOT NULL DEFAULT '';
CREATE INDEX chat_former ON chat (tenant_id, former_id) WHERE former_id <> '';

-- When the person behind a contact was last seen to be back in the group; a leaving that is older has been heard before.
ALTER TABLE contact ADD COLUMN returned_at {int};
