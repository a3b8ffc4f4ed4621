"""A server that answers as the API of Kubernetes does where jobs of nodes ask: nodes, jobs, pods.

It "runs" a pod by running the container's command here, with the variables that the job asks for.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlparse

import yaml

_UNSCHEDULABLE = "0/4 nodes are available: insufficient memory."


class _Cluster(BaseHTTPRequestHandler):
    nodes: ClassVar[list[str]]
    unready: ClassVar[list[str]]
    jobs: ClassVar[dict[str, Any]]
    deleted: ClassVar[list[str]]
    forbidden: ClassVar[bool]
    pods: ClassVar[dict[str, tuple[dict[str, Any], str]]]

    def do_GET(self) -> None:
        url = urlparse(self.path)
        if url.path == "/api/v1/nodes":
            self._pages([*map(self._node, self.nodes)], parse_qs(url.query))
        elif url.path.endswith("/pods"):
            self._pages([pod for pod, _ in self.pods.values()], parse_qs(url.query))
        elif url.path.endswith("/log"):
            self._answer(self.pods[url.path.split("/")[-2]][1].encode(), "text/plain")
        else:
            self._refuse(404, "Not Found")

    def do_POST(self) -> None:
        job = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.forbidden:
            self._refuse(403, "Forbidden")
            return
        self.jobs[job["metadata"]["name"]] = job
        spec = job["spec"]["template"]["spec"]
        terms = spec["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
        (wanted,) = terms["nodeSelectorTerms"][0]["matchExpressions"]
        for index, node in enumerate(wanted["values"]):
            self._start(f"{job['metadata']['name']}-{index}", spec["containers"][0], node)
        self._send(job, 201)

    def do_DELETE(self) -> None:
        self.deleted.append(self.path.partition("?")[0].rpartition("/")[2])
        self._send({"kind": "Status", "status": "Success"})

    def _start(self, name: str, container: dict[str, Any], node: str) -> None:
        status: dict[str, Any] = {"phase": "Pending"}
        log = ""
        if node in self.unready:
            condition = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}
            status["conditions"] = [condition | {"message": _UNSCHEDULABLE}]
        else:
            (variable,) = container["env"]
            assert variable["valueFrom"]["fieldRef"]["fieldPath"] == "spec.nodeName"
            done = subprocess.run(
                container["command"],
                env={variable["name"]: node, "PATH": "/usr/bin:/bin"},
                capture_output=True,
                text=True,
                check=False,
            )
            log = done.stdout
            status["phase"] = "Succeeded" if done.returncode == 0 else "Failed"
        pod = {
            "metadata": {"name": name},
            "spec": {"containers": [{"name": "engine"}], "nodeName": node},
            "status": status,
        }
        self.pods[name] = (pod, log)

    def _node(self, name: str) -> dict[str, Any]:
        ready = "False" if name in self.unready else "True"
        return {
            "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name}},
            "spec": {},
            "status": {"conditions": [{"type": "Ready", "status": ready}]},
        }

    def _pages(self, items: list[dict[str, Any]], query: dict[str, list[str]]) -> None:
        """Two items a page, whatever was asked for."""
        start = int(query.get("continue", ["0"])[0])
        more = str(start + 2) if start + 2 < len(items) else None
        self._send({"items": items[start : start + 2], "metadata": {"continue": more}})

    def _refuse(self, status: int, reason: str) -> None:
        self._send({"kind": "Status", "status": "Failure", "reason": reason}, status)

    def _send(self, content: dict[str, Any], status: int = 200) -> None:
        self._answer(json.dumps(content).encode(), "application/json", status)

    def _answer(self, content: bytes, kind: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


class StubCluster:
    """The cluster, as tests look at it."""

    def __init__(self, handler: type[_Cluster], config: Path) -> None:
        self._handler = handler
        self.variables = {"KUBECONFIG": str(config)}

    @property
    def jobs(self) -> dict[str, Any]:
        """The jobs that were made, by name."""
        return self._handler.jobs

    @property
    def deleted(self) -> list[str]:
        """The names of those that were deleted."""
        return self._handler.deleted


@contextmanager
def stub_kubernetes(
    folder: Path, nodes: list[str], *, unready: tuple[str, ...] = (), forbidden: bool = False
) -> Iterator[StubCluster]:
    """A cluster with these nodes; ``variables`` lead clients to it."""
    fields = {"nodes": nodes, "unready": list(unready), "forbidden": forbidden}
    handler = type("Cluster", (_Cluster,), {**fields, "jobs": {}, "deleted": [], "pods": {}})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    config = folder / "kubeconfig"
    url = f"http://127.0.0.1:{server.server_port}"
    config.write_text(
        yaml.safe_dump(
            {
                "apiVersion": "v1",
                "kind": "Config",
                "current-context": "test",
                "clusters": [{"name": "test", "cluster": {"server": url}}],
                "users": [{"name": "test", "user": {}}],
                "contexts": [
                    {
                        "name": "test",
                        "context": {"cluster": "test", "user": "test", "namespace": "bench"},
                    }
                ],
            }
        )
    )
    try:
        yield StubCluster(handler, config)
    finally:
        server.shutdown()
        server.server_close()
