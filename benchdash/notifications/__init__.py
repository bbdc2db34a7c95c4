"""Who launched a plan is notified of how it goes: of what, in which words, by mail and by webhook."""
