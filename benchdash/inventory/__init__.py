"""What was tested: hosts, machine snapshots, environments, stacks, configurations."""
