-- Whether a line of the transcript has words of others: what somebody had delivered there, or what was shown of the web or
-- of a calendar. Of the older lines only those that tell of a tainted task are known. Macros as in 0001.

ALTER TABLE message ADD COLUMN tainted {int} NOT NULL DEFAULT 0;

UPDATE message SET tainted = 1 WHERE role = 'event' AND run_id IN
    (SELECT i.run_id FROM inbox i JOIN task t ON t.id = i.task_id WHERE t.tainted = 1);
