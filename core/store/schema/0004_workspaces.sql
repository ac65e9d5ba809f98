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

-- People who are one person on several platforms: two rows a pair, each with whose own it is first. `shares` is what
-- they wished for. Across tenants it takes the owners of both: `tenant.links`.
ALTER TABLE tenant ADD COLUMN links {int} NOT NULL DEFAULT 0;
CREATE TABLE link (
    person_id {int} NOT NULL REFERENCES person (id),
    other_id {int} NOT NULL REFERENCES person (id),
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    shares TEXT NOT NULL CHECK (shares IN ('todos', 'all')),
    created_at {int} NOT NULL,
    PRIMARY KEY (person_id, other_id)
) {keyed};

-- A code that links whoever writes it (`asked_by`, once) to who was given it, who is asked first. It is found from other
-- tenants, so its digest is unique in all of them. Wrong ones are counted at the person, since the first of them.
CREATE TABLE link_code (
    id {pk},
    tenant_id {int} NOT NULL REFERENCES tenant (id),
    scope_id {int} NOT NULL REFERENCES scope (id),
    person_id {int} NOT NULL REFERENCES person (id),
    digest TEXT NOT NULL UNIQUE,
    asked_by {int} REFERENCES person (id),
    created_at {int} NOT NULL,
    expires_at {int} NOT NULL,
    ended_at {int}
);
CREATE INDEX link_code_person ON link_code (person_id);
CREATE INDEX link_code_expires ON link_code (expires_at);
ALTER TABLE person ADD COLUMN wrong_codes {int} NOT NULL DEFAULT 0;
ALTER TABLE person ADD COLUMN wrong_since {int} NOT NULL DEFAULT 0;

-- Where the app was installed by its page: a workspace (`external_id`), or an organisation with all of its workspaces
-- (`whole`). Tokens are `sealed`; `epoch` counts them, and `claimed_until` is until when somebody fetches newer ones.
CREATE TABLE installation (
    id {pk},
    platform TEXT NOT NULL,
    external_id TEXT NOT NULL,
    name TEXT NOT NULL DEFAULT '',
    enterprise TEXT NOT NULL DEFAULT '',
    whole {int} NOT NULL DEFAULT 0,
    state TEXT NOT NULL CHECK (state IN ('active', 'revoked')),
    app TEXT NOT NULL DEFAULT '',
    bot_user TEXT NOT NULL,
    bot TEXT NOT NULL DEFAULT '',
    installer TEXT NOT NULL DEFAULT '',
    scopes TEXT NOT NULL DEFAULT '',
    sealed TEXT NOT NULL,
    expires_at {int},
    epoch {int} NOT NULL DEFAULT 1,
    claimed_until {int} NOT NULL DEFAULT 0,
    installed_at {int} NOT NULL,
    ended_at {int},
    UNIQUE (platform, external_id)
);

-- An installation that somebody has begun: a digest of what Slack and their browser are to bring back.
CREATE TABLE install_state (
    digest TEXT NOT NULL PRIMARY KEY,
    expires_at {int} NOT NULL
);
CREATE INDEX install_state_expires ON install_state (expires_at);

-- `ended_at` is when the app was removed, `erased_at` when nothing was left of the tenant's content. `organisation` has
-- the installation that serves a workspace which has none of its own. Who `owns` installed the app there.
ALTER TABLE tenant ADD COLUMN ended_at {int};
ALTER TABLE tenant ADD COLUMN erased_at {int};
ALTER TABLE tenant ADD COLUMN organisation TEXT NOT NULL DEFAULT '';
ALTER TABLE person ADD COLUMN owns {int} NOT NULL DEFAULT 0;
