-- What is spoken: whether a message is to be listened to, or was; that a chat was told once how that is set up; and the
-- seconds of sound that were written down for somebody in an hour. Macros as in 0001.

ALTER TABLE inbox ADD COLUMN spoken {int} NOT NULL DEFAULT 0;
ALTER TABLE chat ADD COLUMN told_voice {int} NOT NULL DEFAULT 0;
ALTER TABLE fetch_use ADD COLUMN seconds {int} NOT NULL DEFAULT 0;
