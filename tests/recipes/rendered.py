"""What every built-in recipe renders to with its defaults: the goldens under `rendered/`.

`python -m tests.recipes.rendered` writes them anew, for a person to read the difference.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from benchdash.recipes import Node, Place, Recipe, builtin, render
from tests.recipes.expanded import expand

GOLDENS = Path(__file__).parent / "rendered"
NODE = Node("bench", {"fio": "3.33", "bonnie++": "2.00a", "pgbench": "15.20", "sysbench": "1.0.20"})
NODES = {
    "drbd-between-zones-made": 2,
    "ceph-rbd-under-kvm": 3,
    "drbd-on-two-pcs": 2,
    "drbd-on-two-pcs-made": 2,
    "drbd9-files": 2,
    "drbd9-transactions": 2,
}
GIVEN = {
    "ext4-lvm-raid6": {"disks": "/dev/sda /dev/sdb", "array": "/dev/md2"},
    "drbd-between-zones": {"local_directory": "/srv", "mirror_directory": "/srv"},
    "drbd-on-two-pcs": {
        "local_directory": "/srv",
        "drbd_directory": "/srv",
        "gfs2_directory": "/gfs2",
    },
    "drbd9-files": {"cluster_directory": "/drbd", "client_directory": "/drbd"},
    "drbd9-transactions": {"cluster_directory": "/drbd", "client_directory": "/drbd"},
}
# A recipe's other way, by the name of its golden: values, and the factors where they are others.
MADE_ARRAY: dict[str, object] = {
    "disks": "/dev/sda /dev/sdb /dev/sdc /dev/sdd", "array": "", "make_array": True,
    "volume_size": "1G",
}  # fmt: skip
MADE_DRBD: dict[str, object] = {
    "disk": "/dev/vg/bench", "network": "10.0.0.0/24",
}  # fmt: skip
IMAGES: dict[str, object] = {"pool": "bench", "images": "one two three four"}
OTHERWISE: dict[str, tuple[str, dict[str, object], dict[str, list[object]] | None]] = {
    "ext4-lvm-raid6-made": ("ext4-lvm-raid6", MADE_ARRAY, None),
    "drbd-on-two-pcs-made": (
        "drbd-on-two-pcs", MADE_DRBD, {"condition": ["local", "drbd-c-two-primaries"]},
    ),
    "drbd-between-zones-made": ("drbd-between-zones", MADE_DRBD, None),
    "ceph-rbd-without-guests": (
        "ceph-rbd-under-kvm", IMAGES, {"rw": ["read"], "guests": [3], "measured": ["first", "all"]},
    ),
}  # fmt: skip
FACTORS: dict[str, dict[str, list[object]]] = {
    "drbd-on-two-pcs": {"condition": ["drbd-c-two-primaries", "gfs2-two-mounts"]},
    "ceph-rbd-under-kvm": {"rw": ["read"], "guests": [3], "measured": ["first", "all"]},
}


def given(recipe: Recipe) -> dict[str, object]:
    """What has to be given, as the recipe's own examples."""
    examples = {name: one.example for name, one in recipe.parameters.items() if one.required}
    return examples | GIVEN.get(recipe.name, {})


def goldens() -> dict[str, str]:
    """What each golden should say."""
    recipes = {recipe.name: recipe for recipe in builtin()}
    found = {
        name: lines(name, recipe, given(recipe), FACTORS.get(name))
        for name, recipe in recipes.items()
    }
    for name, (recipe, values, factors) in OTHERWISE.items():
        found[name] = lines(name, recipes[recipe], given(recipes[recipe]) | values, factors)
    return found


def lines(
    name: str, recipe: Recipe, values: dict[str, object], factors: dict[str, list[object]] | None
) -> str:
    """The first and the last cell as people read them."""
    cells = expand(recipe, values, factors)
    nodes = {
        f"node-{letter}": replace(NODE, known_as=(letter, f"10.0.0.{number}"))
        for number, letter in enumerate("abc"[: NODES.get(name, 1)], 1)
    }
    text = [f"{len(cells)} cells\n"]
    for cell in (cells[0], cells[-1]) if len(cells) > 1 else cells:
        text.append(f"\n{cell.label or 'the only one'} (repeat {cell.round})\n")
        for step in render(recipe, cell.values, Place("/var/tmp/bench/4f1e", nodes, "b10c")):
            marks = [step.phase, step.node, step.folder]
            marks += ["shared"] if step.shared else []
            marks += ["root"] if step.root else []
            marks += [f"touches {one.kind} {one.name}" for one in step.touches]
            marks += [f"sets {step.tunable.name} of {step.tunable.where}"] if step.tunable else []
            guess = "about " if step.estimated else ""
            marks += [f"{guess}{step.expected_s:.0f} s"] if step.expected_s is not None else []
            text.append(f"{', '.join(marks)}, at most {step.timeout_s} s\n  {step.command()}\n")
            text += [f"  {name}: {content!r}\n" for name, content in step.files.items()]
    return "".join(text)


if __name__ == "__main__":
    GOLDENS.mkdir(exist_ok=True)
    for golden, rendering in goldens().items():
        (GOLDENS / f"{golden}.txt").write_text(rendering, encoding="utf-8")
    print(f"{len(list(GOLDENS.iterdir()))} files under {GOLDENS}")
