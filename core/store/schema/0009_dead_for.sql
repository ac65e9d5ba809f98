-- Why a message was given up stands in a column; `error` is only for people to read. Macros as in 0001.

ALTER TABLE outbox ADD COLUMN dead_for TEXT NOT NULL DEFAULT ''
    CHECK (dead_for IN ('', 'superseded', 'unwritable', 'doubt', 'told', 'dropped'));
UPDATE outbox SET dead_for = CASE
    WHEN error LIKE 'superseded:%' THEN 'superseded'
    WHEN error = 'it cannot be written; see the log' THEN 'unwritable'
    WHEN error = 'in doubt: the connection broke while sending' THEN 'doubt'
    WHEN error LIKE 'told: %' THEN 'told'
    WHEN error LIKE 'dropped by the operator%' THEN 'dropped'
    ELSE '' END
    WHERE state = 'dead';

-- The note that brings a held message later has the key of that message, by which `errand` says whose it is.
UPDATE trigger SET link = substr(link, {instr}(link, 'errand:'))
    WHERE deliver = 'note' AND link LIKE 'held:%:errand:%';
