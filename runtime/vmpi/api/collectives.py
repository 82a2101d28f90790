# SPDX-License-Identifier: Apache-2.0
"""Writes the functions of each collective: blocking, nonblocking and persistent, each with int and with MPI_Count. All
pass their arguments to one function of runtime/vmpi/coll/api/, in groups: sent, received and reduced data."""

import re

from c_sources import BANNER

# The blocking forms, without MPI_, by the source file that has the functions behind them.
FILES = {
    "movement": (
        "Barrier", "Bcast", "Gather", "Gatherv", "Scatter", "Scatterv", "Allgather", "Allgatherv", "Alltoall", "Alltoallv", "Alltoallw",
    ),
    "neighbours": (
        "Neighbor_allgather", "Neighbor_allgatherv", "Neighbor_alltoall", "Neighbor_alltoallv", "Neighbor_alltoallw",
    ),
    "reduction": ("Reduce", "Allreduce", "Scan", "Exscan", "Reduce_scatter", "Reduce_scatter_block"),
}  # fmt: skip


def forms(name):
    """Returns [(function, members of its Form after the name)]."""
    return (
        (f"MPI_{name}", ""),
        (f"MPI_I{name.lower()}", ", Form::Kind::nonblocking, request"),
        (f"MPI_{name}_init", ", Form::Kind::persistent, request"),
    )


def definition(function, called, kind):
    names = [p.name for p in function.parameters if p.name not in ("info", "request")]
    grouped = re.sub(r"sendbuf, recvbuf.* op\b|(send|recv)buf.*?\1types?\b", r"{\g<0>}", ", ".join(names))
    signature = function.signature.replace("MPI_Info info", "MPI_Info")
    return f'int {function.name}({signature}) {{ return {called}({{"{function.name}"{kind}}}, {grouped}); }}'


def collectives(api, file):
    functions = {function.name: function for function in api.functions}
    lines = [BANNER + 'extern "C" {']
    for name in FILES[file]:
        called = re.sub("(allgather|alltoall)[vw]$", r"\1", name.lower())
        for form, kind in forms(name):
            lines += [definition(functions[f], called, kind) for f in (form, form + "_c") if f in functions]
    return "\n".join(lines + ["}"]) + "\n"
