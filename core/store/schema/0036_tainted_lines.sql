-- Whether a line of the transcript has words of others: what somebody had delivered there, or what was shown of the web or
-- of a calendar. Macros as in 0001.

ALTER TABLE message ADD COLUMN tainted {int} NOT NULL DEFAULT 0;
