"""A person's page (Slack's App Home)."""
