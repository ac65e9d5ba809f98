"""What a message costs, as ratios against a bare python-telegram-bot handler in the same run."""
