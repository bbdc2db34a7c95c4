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
    option("hostname", "text", "Host name", example="xen01.example.org"),
    option("model", "text", "Model", example="Dell PowerEdge R740"),
    option("instance_type", "text", "Instance type", example="m5.large"),
    option("zone", "text", "Zone", example="us-east-1a"),
    option("virtualization", "text", "Virtualization", example="KVM guest"),
    option("architecture", "text", "Architecture", example="x86_64"),
    option("cpu_model", "text", "CPU", example="Intel Xeon Silver 4210"),
    option("cpu_count", "integer", "CPU sockets", minimum=1, example="2"),
    option("cores", "integer", "Cores", minimum=1, example="20"),
    option("threads", "integer", "Threads", minimum=1, example="40"),
    option("memory_bytes", "bytes", "Memory", example="64G"),
    option("memory_modules", "text", "Memory modules", example="4 × 16 GiB DDR4-2400"),
    option("os", "text", "Operating system", example="Debian 12"),
    option("kernel", "text", "Kernel", example="6.1.0-18-amd64"),
    option("tuning", "text", "Tuned for the test", example="tuned-adm throughput-performance"),
)
PARTS = {
    "disks": _words(
        option("model", "text", "Model", example="Samsung PM883"),
        option("size_bytes", "bytes", "Size", example="960GB"),
        option("medium", "choice", "Medium", choices=("hdd", "ssd", "nvme", "memory")),
        option("interface", "text", "Interface", example="SATA 6 Gbit/s"),
        option("firmware", "text", "Firmware", example="HXT7404Q"),
        option("device", "text", "Device", example="/dev/sda"),
        option("role", "text", "Used for", example="DRBD"),
        option("count", "integer", "Count", minimum=1, example="8"),
    ),
    "nics": _words(
        option("model", "text", "Model", example="Intel X710"),
        option("speed_bps", "bits", "Speed", example="10G"),
        option("driver", "text", "Driver", example="i40e"),
        option("firmware", "text", "Firmware", example="8.30"),
        option("mtu", "integer", "MTU", minimum=68, example="9000"),
        option("count", "integer", "Count", minimum=1, example="2"),
    ),
}
GOOD_TO_KNOW = _words(
    option("uptime_s", "seconds", "Uptime", example="86400s"),
    option("load_1m", "number", "Load over a minute", minimum=0, example="0.05"),
    option("memory_available_bytes", "bytes", "Memory available", example="60G"),
    option("temperature_c", "number", "Temperature", unit="°C", example="22.5"),
    option("clock_skew_s", "number", "Clock skew", unit="s", example="0.002"),
)
NETWORK = _words(
    option("switch", "text", "Switch", example="Cisco SG350-28"),
    option("speed_bps", "bits", "Speed", example="10G"),
    option("mtu", "integer", "MTU", minimum=68, example="9000"),
    option("cabling", "text", "Cabling", example="Cat 6"),
    option("measured_bytes_s", "bytes", "Measured throughput", unit="B/s", example="1170MB"),
    option("measured_with", "text", "Measured with", example="iperf3"),
    option("round_trip_s", "seconds", "Round trip", example="0.2ms"),
    option("traffic", "text", "Other traffic", example="NFS"),
    option("distance", "text", "Distance", example="3 km"),
)
TITLES = {"disks": "Disks", "nics": "Network cards", "versions": "Versions"}
ROLE = option("role", "text", "Role", example="node-b")
PROGRAM = option("name", "text", "Program", example="drbd")
VERSION = option("version", "text", "Version", example="9.2.8")
