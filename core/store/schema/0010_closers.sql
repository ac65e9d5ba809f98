-- Who has done for another what that one was reminded of is said as long as the message is shown. Macros as in 0001.

-- The person who said that it is done; empty while it is not, and where nobody noted it.
ALTER TABLE reminded ADD COLUMN closer_id {int};
