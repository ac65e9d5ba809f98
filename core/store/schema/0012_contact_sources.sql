-- A model reaches only people whom the platform or a person made known. Macros as in 0001.

-- Who wrote what a contact is called and where it is reached: 'person', 'model', or empty where the platform said it,
-- and for what a former version noted.
ALTER TABLE contact ADD COLUMN noted_by TEXT NOT NULL DEFAULT '';
