"""Tables of people, chats and workspaces."""
