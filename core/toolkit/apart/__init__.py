"""Work on what others wrote, in a process of its own with narrow limits: what goes wrong there harms nothing here."""
