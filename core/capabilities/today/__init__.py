"""The agenda of a day and the daily brief."""
