"""The layers of a stack, made of answers."""
