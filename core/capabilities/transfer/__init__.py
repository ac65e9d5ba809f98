"""Export and import: what a chat has, taken along as a file."""
