# SPDX-License-Identifier: Apache-2.0
"""Writes what the launcher and the stub library need of the C interface."""

BANNER = "// SPDX-License-Identifier: Apache-2.0\n// Written by runtime/vmpi/api/generate.py from mpi.h.\n"


def rename_header(api):
    """The launcher holds two MPIs: ours gets the prefix skein_. PMPI_Send is the same function as MPI_Send."""
    lines = [BANNER + "#pragma once\n"]
    for function in api.functions:
        lines.append(f"#define {function.name} skein_{function.name}")
        lines.append(f"#define P{function.name} skein_{function.name}")
    return "\n".join(lines) + "\n"
