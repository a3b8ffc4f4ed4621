"""Machines that others stored, as ``topology`` and ``pin`` show them: nothing of the viewer's."""

from __future__ import annotations

import os
import platform
import re
import socket
import subprocess
from pathlib import Path

import msgspec
import pytest
from programs import one_sentence, real_engine, streamgage
from stored_roots import (
    GIB,
    with_memory_side_cache,
    with_two_designs,
    without_caches,
    write_root,
)

from streamgage.records import Machine

STORED = Path(__file__).parent.parent / "data" / "machines"


def run(folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return streamgage(*words, folder=folder, engine=real_engine(), **variables)


def machine(folder: Path, **variables: str) -> Machine:
    shown = run(folder, "topology", "--json", **variables)
    assert (shown.returncode, shown.stderr) == (0, "")
    return msgspec.json.decode(shown.stdout, type=Machine)


def refusal(folder: Path, *words: str, **variables: str) -> str:
    """The one sentence of a refusal as bad usage."""
    refused = run(folder, *(words or ("topology",)), **variables)
    assert (refused.returncode, refused.stdout) == (2, "")
    return one_sentence(refused.stderr).removesuffix(".")


def text_of(folder: Path, **variables: str) -> str:
    """The tables, with single blanks."""
    shown = run(folder, "topology", **variables)
    assert (shown.returncode, shown.stderr) == (0, "")
    return " ".join(shown.stdout.split())


def test_a_stored_root_shows_nothing_of_the_viewers_machine(tmp_path: Path) -> None:
    root = without_caches(tmp_path / "root")
    found = machine(tmp_path, HWLOC_FSROOT=str(root))
    assert (found.processor, found.cores, found.caches) == ("ARMv7 Processor rev 1 (v7l)", 4, [])
    assert (found.host, found.architecture, found.kernel, found.hypervisor) == (None,) * 4
    assert (found.page_bytes, found.memory_available_bytes, found.nice) == (None,) * 3
    assert found.memory_bytes == 2 * GIB
    empty = {
        name
        for name in msgspec.structs.asdict(found)
        if getattr(found, name) is None and name not in ("processor_id", "numa_distances")
    }
    assert empty <= found.unknown.keys()
    text = text_of(tmp_path, HWLOC_FSROOT=str(root))
    assert f"No caches are known here: HWLOC_FSROOT='{root}' does not contain it." in text
    for name in (socket.gethostname(), platform.release()):
        assert name not in text.replace(str(root), "")


def test_a_core_cache_of_a_machine_without_caches_is_refused(tmp_path: Path) -> None:
    root = without_caches(tmp_path / "root")
    assert "C0" in refusal(tmp_path, "pin", "C0", "--show", HWLOC_FSROOT=str(root))


def test_a_stored_root_says_which_kernel_it_is_of(tmp_path: Path) -> None:
    root = without_caches(tmp_path / "root")
    write_root(root, {"proc/version": "Linux version 4.4.38-tegra (buildbrain@x) (gcc 4.8.5)"})
    assert machine(tmp_path, HWLOC_FSROOT=str(root)).kernel == "Linux 4.4.38-tegra"


def test_an_xml_says_which_system_it_is_of(tmp_path: Path) -> None:
    text = (STORED / "cpus-of-no-package.xml").read_text()
    infos = {
        "OSName": "Linux",
        "OSRelease": "5.14.0",
        "HostName": "node7",
        "Architecture": "ppc64le",
        "DMISysVendor": "Example",
        "DMIProductName": "Rack 7",
    }
    lines = "".join(f'<info name="{name}" value="{value}"/>\n' for name, value in infos.items())
    head, package, rest = text.partition('    <object type="Package" os_index="0"')
    file = tmp_path / "node7.xml"
    file.write_text(f"{head}{lines}{package}{rest}")
    found = machine(tmp_path, HWLOC_XMLFILE=str(file))
    assert (found.host, found.architecture, found.kernel) == ("node7", "ppc64le", "Linux 5.14.0")
    assert found.system == "Example Rack 7"


@pytest.mark.parametrize("variable", ["HWLOC_SYNTHETIC", "HWLOC_XMLFILE"])
def test_a_description_shows_nothing_of_the_viewers_machine(variable: str, tmp_path: Path) -> None:
    value = {
        "HWLOC_SYNTHETIC": "pack:2 core:2 pu:1",
        "HWLOC_XMLFILE": str(STORED / "cpus-of-no-package.xml"),
    }[variable]
    found = machine(tmp_path, **{variable: value})
    assert found.described_by == f"{variable}='{value}'"
    assert (found.host, found.processor, found.architecture, found.kernel) == (None,) * 4
    assert found.unknown["kernel"] == f"{variable}='{value}' does not contain it"


def test_a_folder_that_is_no_root_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "gathered"
    empty.mkdir()
    assert refusal(tmp_path, HWLOC_FSROOT=str(empty)) == (
        f"HWLOC_FSROOT='{empty}' holds no /sys/devices/system/cpu: name the folder that has proc"
        " and sys in it"
    )
    deeper = without_caches(empty / "fsroot")
    assert refusal(tmp_path, HWLOC_FSROOT=str(empty)).endswith(f"proc and sys in it, {deeper}")
    assert "it is not a folder" in refusal(tmp_path, HWLOC_FSROOT=str(tmp_path / "missing"))


def test_a_root_whose_cpus_say_nothing_is_refused(tmp_path: Path) -> None:
    root = write_root(tmp_path / "root", {"sys/devices/system/cpu/modalias": ""})
    assert refusal(tmp_path, HWLOC_FSROOT=str(root)).startswith(
        f"hwloc could not use HWLOC_FSROOT='{root}': its /sys/devices/system/cpu does not say"
    )


def test_an_xml_of_a_newer_hwloc_is_named_with_its_version(tmp_path: Path) -> None:
    file = STORED / "hwloc-3.xml"
    said = refusal(tmp_path, HWLOC_XMLFILE=str(file))
    if "this hwloc reads up to" not in said:
        pytest.skip("this hwloc reads the version")
    assert said.startswith(f"HWLOC_XMLFILE='{file}' cannot be used: hwloc 3 saved it (version 3.0)")
    assert "lstopo --export-xml-flags v2" in said


def test_a_file_that_is_no_topology_is_blamed_and_not_this_machine(tmp_path: Path) -> None:
    file = STORED / "not-a-topology.xml"
    said = refusal(tmp_path, HWLOC_XMLFILE=str(file))
    assert said.startswith(
        f"hwloc could not use HWLOC_XMLFILE='{file}': the file is not a topology"
    )
    cut = tmp_path / "cut.xml"
    cut.write_text((STORED / "cpus-of-no-package.xml").read_text()[:1500])
    said = refusal(tmp_path, HWLOC_XMLFILE=str(cut))
    assert said.startswith(f"hwloc could not use HWLOC_XMLFILE='{cut}': the file is cut off")
    whole = (STORED / "cpus-of-no-package.xml").read_text()
    cut.write_text(re.sub(r'<object type="Package"[^>]*>', "x" * 200, whole, count=1))
    for words in (["topology"], ["pin", "N", "--show"]):
        said = refusal(tmp_path, *words, HWLOC_XMLFILE=str(cut))
        assert said.startswith(f"hwloc could not use HWLOC_XMLFILE='{cut}': the file is cut off")
    alone = subprocess.run(
        [real_engine(), "--machine"],
        env={**os.environ, "HWLOC_XMLFILE": str(cut)},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert alone.returncode == 2 and len(alone.stderr.splitlines()) == 1, alone.stderr
    assert "cannot be read" in refusal(tmp_path, HWLOC_XMLFILE=str(tmp_path / "none.xml"))
    assert "it is a folder" in refusal(tmp_path, HWLOC_XMLFILE=str(tmp_path))


def test_two_descriptions_are_one_too_many(tmp_path: Path) -> None:
    root = without_caches(tmp_path / "root")
    said = refusal(tmp_path, HWLOC_FSROOT=str(root), HWLOC_SYNTHETIC="pu:2")
    assert said == "HWLOC_SYNTHETIC and HWLOC_FSROOT each describe a machine; unset one of them"


def test_a_memory_side_cache_is_named(tmp_path: Path) -> None:
    root = str(with_memory_side_cache(tmp_path / "root"))
    found = machine(tmp_path, HWLOC_FSROOT=root)
    (cache,) = found.memory_side_caches
    assert (cache.bytes, cache.instances, cache.line_bytes) == (16 * GIB, 1, 64)
    assert cache.nodes == ["0"]
    assert found.last_caches_before_memory() == 16 * GIB
    assert sum(each.bytes for each in found.last_level_caches) == 32 << 20
    text = text_of(tmp_path, HWLOC_FSROOT=root)
    assert "memory-side cache 16 GiB 1 64 B NUMA node 0" in text
    assert "NUMA node 0, 256 GiB, memory-side cache 16 GiB" in text


@pytest.mark.parametrize("identified", [True, False], ids=["by-design", "by-capacity"])
def test_two_designs_of_cores_are_two_kinds(identified: bool, tmp_path: Path) -> None:
    root = with_two_designs(tmp_path / "root", identified=identified)
    found = machine(tmp_path, HWLOC_FSROOT=str(root))
    names = ["Arm Cortex-A725", "Arm Cortex-X925"] if identified else [None, None]
    assert [(kind.name, kind.cpus) for kind in found.core_kinds] == [
        (names[0], "0-3"),
        (names[1], "4-7"),
    ]


def test_cpus_of_no_known_package_are_in_none(tmp_path: Path) -> None:
    stored = {"HWLOC_XMLFILE": str(STORED / "cpus-of-no-package.xml")}
    found = machine(tmp_path, **stored)
    assert {each.cpu: each.package for each in found.threads} == {
        **{0: 0, 1: 0, 2: 1, 3: 1},
        **{4: None, 5: None},
    }
    assert {each.cpu: each.die for each in found.threads if each.cpu > 3} == {4: None, 5: None}
    assert {each.cpu: each.node for each in found.threads if each.cpu > 3} == {4: 2, 5: 2}
    text = text_of(tmp_path, **stored)
    assert "Packages 2; the package of CPUs 4-5 is unknown" in text
    assert "Cores 6 CPUs" in text
    shown = run(tmp_path, "pin", "S0", "--show", **stored)
    first, *_ = shown.stdout.splitlines()
    assert first.strip() in ("S0 → 0,1", "S0 -> 0,1")
