"""Updates of the Bot API as updates of ours."""
