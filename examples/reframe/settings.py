"""A site configuration for ReFrame: this machine, and a cluster under Slurm to be filled in.

``reframe --system=cluster`` chooses the second; without it the first system counts whose
``hostnames`` match, as both do. Give a cluster's own patterns, and it is found by itself.
"""

site_configuration = {
    "systems": [
        {
            "name": "local",
            "descr": "This machine, without a batch system",
            "hostnames": [".*"],
            "partitions": [
                {
                    "name": "default",
                    "scheduler": "local",
                    "launcher": "local",
                    "environs": ["builtin"],
                    # Two measurements at once would take turns.
                    "max_jobs": 1,
                    # Where an MPI is installed, for StreamgageRanksCheck:
                    # "features": ["mpi"],
                }
            ],
        },
        {
            "name": "cluster",
            "descr": "A cluster under Slurm",
            "hostnames": [".*"],
            "partitions": [
                {
                    "name": "compute",
                    "descr": "Compute nodes",
                    # Where Slurm keeps no accounts, so that sacct tells nothing: "squeue".
                    "scheduler": "slurm",
                    "launcher": "srun",
                    # Options of sbatch: the partition, the account; and all of a node's memory, as
                    # arrays are to be four times as large as the caches.
                    "access": ["--partition=compute", "--mem=0"],
                    "environs": ["builtin"],
                    "max_jobs": 8,
                    "features": ["mpi"],
                    # What puts streamgage on the path there, if it is a module:
                    # "modules": ["streamgage"],
                }
            ],
        },
    ],
}
