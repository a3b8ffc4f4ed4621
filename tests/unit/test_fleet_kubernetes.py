"""The job of Kubernetes that measures nodes, made by the cluster's own client library."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import msgspec
import pytest
from kubernetes import config
from stub_kubernetes import StubCluster, stub_kubernetes
from stub_launchers import node_engine

from streamgage.errors import UsageError
from streamgage.process.fleet import pods_of_nodes
from streamgage.process.fleet.launcher import Task
from streamgage.process.fleet.launchers.kubernetes import launch
from streamgage.process.fleet.on_node import shell_words
from streamgage.process.signals import handled


def lead_to(cluster: StubCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library looks at $KUBECONFIG once, when it is loaded."""
    for module in (config, config.kube_config):
        monkeypatch.setattr(module, "KUBE_CONFIG_DEFAULT_LOCATION", cluster.variables["KUBECONFIG"])


def asked_for(nodes: str, engine: Path) -> str:
    return pods_of_nodes.JobRequest(
        "job", nodes, "image", shell_words(str(engine), ()), 60
    ).encoded()


def test_nodes_are_those_that_are_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with stub_kubernetes(tmp_path, ["n1", "n2", "n3"], unready=("n2",)) as cluster:
        lead_to(cluster, monkeypatch)
        assert pods_of_nodes.main("nodes") == 0
    assert capfd.readouterr().out.split() == ["n1", "n3"]


def test_a_pod_that_finds_no_place_is_said_with_its_reason_and_the_job_is_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """As at the deadline, when the program is ended."""
    with (
        stub_kubernetes(tmp_path, ["n1", "n2"], unready=("n2",)) as cluster,
        handled({signal.SIGTERM: signal.SIG_DFL}),
    ):
        lead_to(cluster, monkeypatch)
        monkeypatch.setenv(pods_of_nodes.ASKED, asked_for("n[1-2]", node_engine(tmp_path)))
        monkeypatch.setattr(
            pods_of_nodes.time, "sleep", lambda _: os.kill(os.getpid(), signal.SIGTERM)
        )
        with pytest.raises(SystemExit):
            pods_of_nodes.main("run")
        assert cluster.deleted == ["job"]
    said = capfd.readouterr()
    assert "@n1 0/" in said.out and "@n2" not in said.out
    assert said.err.startswith("n2: Unschedulable: 0/4 nodes are available")


def test_a_cluster_that_refuses_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with (
        stub_kubernetes(tmp_path, ["n1"], forbidden=True) as cluster,
        handled({signal.SIGTERM: signal.SIG_DFL}),
    ):
        lead_to(cluster, monkeypatch)
        monkeypatch.setenv(pods_of_nodes.ASKED, asked_for("n1", tmp_path))
        assert pods_of_nodes.main("run") == 1
    assert capfd.readouterr().err == "Kubernetes refused: 403 Forbidden\n"


def test_a_pod_asks_for_gpus_and_cpus_and_tolerates_taints(tmp_path: Path) -> None:
    options = (
        *("--namespace=monitoring", "--pull-secret=registry", "--cpu=16", "--gpu=4"),
        *("--tolerate=nvidia.com/gpu", "--tolerate=dedicated"),
    )
    task = Task(("n1",), tmp_path, (), 60, "token", options=options, image="site/streamgage:1")
    (call,) = launch(task)
    request = msgspec.json.decode(
        call.variables[pods_of_nodes.ASKED], type=pods_of_nodes.JobRequest
    )
    assert request.namespace == "monitoring"
    pod = pods_of_nodes.job_of(request).spec.template.spec
    (container,) = pod.containers
    wanted = {"cpu": "16", "nvidia.com/gpu": "4"}
    assert (container.resources.requests, container.resources.limits) == (wanted, wanted)
    assert [(each.key, each.operator) for each in pod.tolerations] == [
        ("nvidia.com/gpu", "Exists"),
        ("dedicated", "Exists"),
    ]
    assert [each.name for each in pod.image_pull_secrets] == ["registry"]


@pytest.mark.parametrize("option", ["--gpu=some", "--gpus=4", "-n", "--cpu", "--gpu=0"])
def test_an_option_that_is_not_known_is_refused(option: str, tmp_path: Path) -> None:
    task = Task(("n1",), tmp_path, (), 60, "token", options=(option,), image="site/streamgage:1")
    with pytest.raises(UsageError, match=r"option|number of GPUs"):
        launch(task)
