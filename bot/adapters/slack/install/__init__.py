"""Installing the app into workspaces."""
