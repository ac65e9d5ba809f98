-- Who has left a group is not reminded there. Macros as in 0001.

-- When the person behind a contact left the group; nothing while they are there, or came back.
ALTER TABLE contact ADD COLUMN left_at {int};
