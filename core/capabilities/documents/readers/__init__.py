"""Readers of documents. They run in a process of their own (`core.capabilities.documents.child`) and import little."""
