# SPDX-License-Identifier: Apache-2.0
"""solver.py: a rank of Python, with mpi4py, checks what it receives; rank 0 prints one line."""

import ctypes

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()
doubled = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda number: 2 * number)  # code that is built at run time
total = 0
for step in range(30):
    values = bytearray(8)
    world.Allreduce([rank.to_bytes(8, "little"), MPI.INT64_T], [values, MPI.INT64_T], op=MPI.SUM)
    total += int.from_bytes(values, "little")
    request = world.isend({"step": step, "from": rank}, dest=(rank + 1) % size, tag=step)
    received = world.recv(source=(rank - 1) % size, tag=step)
    request.wait()
    assert doubled(step) == 2 * step
    assert received == {"step": step, "from": (rank - 1) % size}, received
everybody = world.allgather("x" * rank)
assert [len(text) for text in everybody] == list(range(size)), everybody
assert total == 30 * size * (size - 1) // 2, total
if rank == 0:
    print("solver: all as it should be", flush=True)
