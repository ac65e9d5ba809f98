"""Events of Slack as updates of ours."""
