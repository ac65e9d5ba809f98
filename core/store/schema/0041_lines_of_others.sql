-- What a line of the transcript has of others it says itself: the rows that said it for it go sooner than the line does.
-- What a reply between people quotes that the bot only overheard (aside 1) is told to no model. Macros as in 0001.

UPDATE message SET tainted = 1 WHERE tainted = 0 AND (
    EXISTS (SELECT 1 FROM inbox i WHERE i.id = message.inbox_id
        AND (i.forwarded = 1 OR (i.quoted <> '' AND message.aside <> 1)))
    OR EXISTS (SELECT 1 FROM attachment a WHERE a.inbox_id = message.inbox_id
        AND a.kind NOT IN ('voice', 'video_note'))
    OR EXISTS (SELECT 1 FROM step s WHERE s.tenant_id = message.tenant_id AND s.scope_id = message.scope_id
        AND s.run_id = message.run_id AND s.kind = 'call' AND s.content LIKE '%"tainted": true%'));

CREATE INDEX message_tainted ON message (lane_id, id) WHERE tainted = 1;
