-- When the last night was by which things can be old, by the wall clock (steady_since), and that and the time that the
-- bot has run since (at). One row, of the whole installation. Macros as in 0001.

CREATE TABLE night (
    at {int} NOT NULL,
    steady_since {int} NOT NULL
);
