"""The database in Postgres."""

NO_DRIVER = (
    "A postgresql:// database needs a driver that is not installed. In a checkout run: make postgres. "
    "Else install the wheel of Teller with its extra [postgres]."
)
