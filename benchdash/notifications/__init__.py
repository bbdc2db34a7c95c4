"""Who launched a plan is told how it goes: what is told, in which words, by mail and by webhook."""
