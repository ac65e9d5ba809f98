"""Evals: whole conversations with a model, scripted or real, judged by the rows and the messages that result."""
