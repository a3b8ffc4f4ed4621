"""Makes an indexed Job of Kubernetes with a pod on each node, and prints the pods' output.

``python -m streamgage.process.fleet.pods_of_nodes run`` takes the request from a variable.
``nodes`` prints the nodes that accept pods. The job is deleted at the end.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from types import FrameType
from typing import Any

import msgspec

from streamgage.process.fleet.node_names import parse_nodes

ASKED = "STREAMGAGE_FLEET_JOB"
"""The variable with the request, as JSON."""
_SECONDS_BETWEEN = 2.0
_HOST = "kubernetes.io/hostname"
_PAGE = 500
_OVER = ("Succeeded", "Failed")


class JobRequest(msgspec.Struct, frozen=True):
    """The requested job."""

    name: str
    nodes: str
    """The names of the nodes, folded."""
    image: str
    command: list[str]
    seconds: int
    namespace: str | None = None
    """The namespace; ``None``: that of the current context."""
    pull_secret: str | None = None
    """The secret with which the image is fetched; ``None``: none is needed."""
    cpu: str | None = None
    """The CPUs that each pod asks for, and may use: with a whole number, a node whose kubelet pins
    CPUs gives them to the pod alone."""
    gpu: int | None = None
    """The GPUs that each pod asks for."""
    gpu_name: str = "nvidia.com/gpu"
    """What they are called."""
    tolerate: list[str] = []
    """The keys of taints that are no obstacle, such as ``nvidia.com/gpu``."""

    def encoded(self) -> str:
        """The request as the value of the variable."""
        return msgspec.json.encode(self).decode()


def job_of(request: JobRequest) -> Any:  # noqa: ANN401 - of the client library, which has no types
    """Describe the Job: one pod on each node, none twice; a failing pod does not end the others."""
    from kubernetes import client

    nodes = list(parse_nodes("the job", request.nodes))
    mine = client.V1LabelSelector(match_labels={"job-name": request.name})
    on_nodes = client.V1NodeSelectorTerm(
        match_expressions=[client.V1NodeSelectorRequirement(key=_HOST, operator="In", values=nodes)]
    )
    affinity = client.V1Affinity(
        node_affinity=client.V1NodeAffinity(
            required_during_scheduling_ignored_during_execution=client.V1NodeSelector(
                node_selector_terms=[on_nodes]
            )
        ),
        pod_anti_affinity=client.V1PodAntiAffinity(
            required_during_scheduling_ignored_during_execution=[
                client.V1PodAffinityTerm(label_selector=mine, topology_key=_HOST)
            ]
        ),
    )
    wanted = {"cpu": request.cpu} if request.cpu else {}
    wanted |= {request.gpu_name: str(request.gpu)} if request.gpu else {}
    container = client.V1Container(
        name="engine",
        image=request.image,
        command=request.command,
        env=[
            client.V1EnvVar(
                name="STREAMGAGE_NODE",
                value_from=client.V1EnvVarSource(
                    field_ref=client.V1ObjectFieldSelector(field_path="spec.nodeName")
                ),
            )
        ],
        resources=client.V1ResourceRequirements(requests=wanted, limits=wanted) if wanted else None,
    )
    pod = client.V1PodSpec(
        restart_policy="Never",
        tolerations=[client.V1Toleration(key=key, operator="Exists") for key in request.tolerate]
        or None,
        image_pull_secrets=[client.V1LocalObjectReference(name=request.pull_secret)]
        if request.pull_secret
        else None,
        affinity=affinity,
        containers=[container],
        automount_service_account_token=False,
    )
    return client.V1Job(
        api_version="batch/v1",
        kind="Job",
        metadata=client.V1ObjectMeta(name=request.name),
        spec=client.V1JobSpec(
            completion_mode="Indexed",
            completions=len(nodes),
            parallelism=len(nodes),
            backoff_limit=len(nodes),
            active_deadline_seconds=request.seconds,
            ttl_seconds_after_finished=600,
            template=client.V1PodTemplateSpec(spec=pod),
        ),
    )


def _follow(request: JobRequest) -> int:
    """Make the job, print the log of each pod that has ended, and delete the job."""
    from kubernetes import client

    namespace = request.namespace or _namespace()
    jobs, pods = client.BatchV1Api(), client.CoreV1Api()
    jobs.create_namespaced_job(namespace, job_of(request))
    wanted = len(parse_nodes("the job", request.nodes))
    done: set[str] = set()
    why: dict[str, str] = {}
    try:
        while len(done) < wanted:
            for pod in _pages(
                lambda page: pods.list_namespaced_pod(
                    namespace,
                    label_selector=f"job-name={request.name}",
                    limit=_PAGE,
                    _continue=page,
                )
            ):
                if pod.metadata.name in done:
                    continue
                if pod.status.phase in _OVER:
                    done.add(pod.metadata.name)
                    log = pods.read_namespaced_pod_log(pod.metadata.name, namespace)
                    print(log, flush=True)
                elif sentence := _why_not(pod):
                    why[pod.spec.node_name or ""] = sentence
            if len(done) < wanted:
                time.sleep(_SECONDS_BETWEEN)
    finally:
        for node, sentence in why.items():
            print(f"{node}: {sentence}" if node else sentence, file=sys.stderr, flush=True)
        with suppress(client.ApiException, OSError):
            jobs.delete_namespaced_job(
                request.name, namespace, propagation_policy="Background", grace_period_seconds=0
            )
    return 0


def _why_not(pod: Any) -> str | None:  # noqa: ANN401 - of the client library
    """The reason why a pod does not run, in the words of Kubernetes."""
    for each in pod.status.container_statuses or ():
        waiting = each.state and each.state.waiting
        if waiting and waiting.message:
            return f"{waiting.reason}: {waiting.message}"
    for each in pod.status.conditions or ():
        if each.status == "False" and each.reason == "Unschedulable":
            return f"{each.reason}: {each.message}"
    return None


def _nodes(tolerated: Sequence[str]) -> int:
    """Print the nodes that are ready and accept pods with these tolerations."""
    from kubernetes import client

    core = client.CoreV1Api()
    for node in _pages(lambda page: core.list_node(limit=_PAGE, _continue=page)):
        ready = any(
            each.type == "Ready" and each.status == "True" for each in node.status.conditions or ()
        )
        taints = {each.effect for each in node.spec.taints or () if each.key not in tolerated}
        if ready and not node.spec.unschedulable and not taints & {"NoSchedule", "NoExecute"}:
            print((node.metadata.labels or {}).get(_HOST, node.metadata.name))
    return 0


def _pages(ask: Callable[[str | None], Any]) -> Iterator[Any]:
    """Yield all items of a list that comes in pages."""
    page = None
    while True:
        found = ask(page)
        yield from found.items
        page = found.metadata._continue
        if not page:
            return


def _namespace() -> str:
    """The namespace of the pod that this runs in, or of the current context."""
    from kubernetes import config

    try:
        _, current = config.list_kube_config_contexts()
        return str(current["context"].get("namespace", "default"))
    except config.ConfigException:
        return "default"


def main(what: str, *tolerated: str) -> int:
    """Run the command; report a failure as one line on stderr.

    ``tolerated``: keys of taints that are no obstacle.
    """
    from kubernetes import client, config
    from urllib3.exceptions import HTTPError

    def leave(_number: int, _frame: FrameType | None) -> None:
        raise SystemExit(143)

    signal.signal(signal.SIGTERM, leave)
    try:
        config.load_config()
        if what == "nodes":
            return _nodes(tolerated)
        return _follow(msgspec.json.decode(os.environ[ASKED], type=JobRequest))
    except client.ApiException as error:
        print(f"Kubernetes refused: {error.status} {error.reason}", file=sys.stderr)
    except (config.ConfigException, HTTPError, OSError) as error:
        print(f"Kubernetes cannot be reached: {error}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
