-- When the last night was in which old data was to be forgotten, by the wall clock, and since when that went on without a
-- jump between two nights. One row, of the whole installation. Macros as in 0001.

CREATE TABLE night (
    at {int} NOT NULL,
    steady_since {int} NOT NULL
);
