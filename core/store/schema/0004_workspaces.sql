-- Workspaces, where people have profiles, threads are conversations and some answers are for one person's eyes.
-- Macros as in 0001.

-- `kin` is what the platform says somebody is to the workspace: full, guest, outsider, or nothing. `told_timezone` is
-- the zone of their profile; `looked_at` is when they last looked at their page, whose buttons are the keyboard
-- `page_id`.
ALTER TABLE person ADD COLUMN kin TEXT NOT NULL DEFAULT '' CHECK (kin IN ('', 'full', 'guest', 'outsider'));
ALTER TABLE person ADD COLUMN told_timezone TEXT NOT NULL DEFAULT '';
ALTER TABLE person ADD COLUMN looked_at {int} NOT NULL DEFAULT 0;
ALTER TABLE person ADD COLUMN page_id {int};

-- When somebody without access was last told so.
ALTER TABLE stranger ADD COLUMN told_at {int} NOT NULL DEFAULT 0;

-- To whom the bot spoke last in a thread that is one conversation: it answers them without being addressed again.
ALTER TABLE lane ADD COLUMN attends {int} REFERENCES person (id);

-- `twin` is a second key of one message. `hook` is where an answer for one person's eyes goes: a secret of half an hour.
ALTER TABLE inbox ADD COLUMN twin TEXT NOT NULL DEFAULT '';
ALTER TABLE inbox ADD COLUMN hook TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX inbox_twin ON inbox (tenant_id, twin) WHERE twin <> '';
ALTER TABLE outbox ADD COLUMN hook TEXT NOT NULL DEFAULT '';
