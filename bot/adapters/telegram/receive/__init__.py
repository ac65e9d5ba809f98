"""How updates come in: long polling and webhooks."""
