-- What a press asks for stands beside what a person wrote, never in its place. Macros as in 0001.

-- The intent that a button stood for, as JSON; the text is then only the button's label. Nothing typed gets here.
ALTER TABLE inbox ADD COLUMN intent TEXT NOT NULL DEFAULT '';
