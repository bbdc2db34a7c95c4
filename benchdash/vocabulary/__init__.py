"""The domain's terms and units: measures, workload axes, machine facts, storage layers."""
