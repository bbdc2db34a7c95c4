"""The words for what a machine is, and for the network between machines.

What could change a number is content: two machines with the same content are one snapshot. What
a recipe can set (scheduler, sysctl, mount options) belongs to the configuration instead, and what
differs at each look (uptime, load) is only good to know.
"""

from __future__ import annotations

from benchdash.vocabulary.options import Option, option


def _words(*words: Option) -> dict[str, Option]:
    return {word.name: word for word in words}


FACTS = _words(
    option("hostname", "text", "Host name"),
    option("model", "text", "Model"),
    option("instance_type", "text", "Instance type"),
    option("zone", "text", "Zone"),
    option("virtualization", "text", "Virtualization"),
    option("architecture", "text", "Architecture"),
    option("cpu_model", "text", "CPU"),
    option("cpu_count", "integer", "CPU sockets", minimum=1),
    option("cores", "integer", "Cores", minimum=1),
    option("threads", "integer", "Threads", minimum=1),
    option("memory_bytes", "bytes", "Memory"),
    option("memory_modules", "text", "Memory modules"),
    option("os", "text", "Operating system"),
    option("kernel", "text", "Kernel"),
    option("tuning", "text", "Tuned for the test"),
)
PARTS = {
    "disks": _words(
        option("model", "text", "Model"),
        option("size_bytes", "bytes", "Size"),
        option("medium", "choice", "Medium", choices=("hdd", "ssd", "nvme", "memory")),
        option("interface", "text", "Interface"),
        option("firmware", "text", "Firmware"),
        option("device", "text", "Device"),
        option("role", "text", "Used for"),
        option("count", "integer", "Count", minimum=1),
    ),
    "nics": _words(
        option("model", "text", "Model"),
        option("speed_bps", "bits", "Speed"),
        option("driver", "text", "Driver"),
        option("firmware", "text", "Firmware"),
        option("mtu", "integer", "MTU", minimum=68),
        option("count", "integer", "Count", minimum=1),
    ),
}
GOOD_TO_KNOW = _words(
    option("uptime_s", "seconds", "Uptime"),
    option("load_1m", "number", "Load over a minute", minimum=0),
    option("memory_available_bytes", "bytes", "Memory available"),
    option("temperature_c", "number", "Temperature", unit="°C"),
    option("clock_skew_s", "number", "Clock skew", unit="s"),
)
NETWORK = _words(
    option("switch", "text", "Switch"),
    option("speed_bps", "bits", "Speed"),
    option("mtu", "integer", "MTU", minimum=68),
    option("cabling", "text", "Cabling"),
    option("measured_bytes_s", "bytes", "Measured throughput", unit="B/s"),
    option("measured_with", "text", "Measured with"),
    option("round_trip_s", "seconds", "Round trip"),
    option("traffic", "text", "Other traffic"),
    option("distance", "text", "Distance"),
)
TITLES = {"disks": "Disks", "nics": "Network cards", "versions": "Versions"}
VERSION = option("version", "text", "Version")
