"""What people say to be told before what stands in their calendars, by code of the language."""
