"""The words and the units: measures, axes of workloads, machine facts, layers of stacks."""
