-- What models cost. Macros as in 0001.

-- Of the tokens in, those that the provider knew already; what the calls cost in millionths of a dollar; and how many
-- calls had no known price. Nobody knows what those of a former version cost.
ALTER TABLE token_use ADD COLUMN cached {int} NOT NULL DEFAULT 0;
ALTER TABLE token_use ADD COLUMN cost {int} NOT NULL DEFAULT 0;
ALTER TABLE token_use ADD COLUMN unpriced {int} NOT NULL DEFAULT 0;
UPDATE token_use SET unpriced = calls;
