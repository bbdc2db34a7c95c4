"""The words and the units: what is measured, what a tool was told, what a stack is made of."""
