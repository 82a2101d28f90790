# SPDX-License-Identifier: Apache-2.0
"""The text of docs/mpi.md on each section of skein_mpi_functions.h: its place in the standard, the supported parts, and
the deviations from what a reader of the standard would expect."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Chapter:
    where: str  # chapter of MPI 4.1, or of MPI 5.0 where it says so
    holds: str
    deviations: tuple = ()


CHAPTERS = {
    "Environment": Chapter(
        "9.1, 9.6, 11.2",
        "start and end, versions, time, memory, threads up to `MPI_THREAD_MULTIPLE`",
        (
            "a rank has one thread: `pthread_create` in it fails with `EAGAIN`, and OpenMP runs its regions on one thread, "
            "with a warning at the start",
            "`MPI_Abort` ends the whole job, whatever the communicator",
            "`MPI_WTIME_IS_GLOBAL` is true: one clock for the job",
        ),
    ),
    "Point-to-point communication": Chapter(
        "3",
        "all send modes, blocking, nonblocking and persistent; probes, matched probes, cancelling, combined send and receive",
        (),
    ),
    "Partitioned communication": Chapter("4", "everything", ()),
    "Buffers of buffered sends": Chapter(
        "3.6",
        "buffers of the process, of communicators and of sessions, and `MPI_BUFFER_AUTOMATIC`",
        (
            "messages take room until they are received, by the rules of 3.6.1; other MPIs let short ones go at once",
        ),
    ),
    "Requests and statuses": Chapter("3.7, 13.2", "everything, with generalized requests", ()),
    "Datatypes": Chapter(
        "5",
        "all constructors, packing, `external32`, `MPI_Type_create_f90_*`, `MPI_Type_match_size`",
        (
            "types with `MPI_LONG_DOUBLE` at unaligned places are rounded up to 16 bytes, as 5.1.6 defines; other MPIs "
            "differ",
        ),
    ),
    "Reduction operations": Chapter("6.9", "predefined and own operations, `MPI_Reduce_local`", ()),
    "Collective communication": Chapter(
        "6, 8.6 to 8.8",
        "blocking, nonblocking and persistent, on intracommunicators and intercommunicators, and of neighbourhoods",
        (
            "if members disagree about call, root, count, operation or `MPI_IN_PLACE`, the job ends with a line that names the "
            "ranks and the difference, or with a deadlock message that names the calls and the bytes of each",
            "only `--check` compares types of equal size in calls that just move data, and calls of neighbourhoods that "
            "send equally much",
        ),
    ),
    "Groups": Chapter("7.3", "everything", ()),
    "Communicators": Chapter(
        "7.4, 7.6",
        "everything, with intercommunicators and creation from groups",
        (
            "`MPI_Comm_split_type` finds shared memory on one node only, and no other hardware: ranks move between nodes "
            "and PEs",
        ),
    ),
    "Topologies": Chapter(
        "8", "Cartesian, graph and distributed graph", ("`reorder` leaves the ranks their numbers: LB steps bring communicating ranks together",)
    ),
    "Caching of attributes, and names": Chapter("7.7, 7.8", "everything", ()),
    "Error handling": Chapter(
        "9.3 to 9.5",
        "handlers of communicators, windows, files and sessions; classes, codes and strings of the program",
        (),
    ),
    "Info objects": Chapter("10", "everything", ()),
    "Sessions": Chapter("11.3", "everything", ("process sets are `mpi://WORLD` and `mpi://SELF`",)),
    "Dynamic processes": Chapter(
        "11.7 to 11.10",
        "ports and names within the job",
        (
            "`MPI_Comm_spawn` and `MPI_Comm_spawn_multiple` fail with `MPI_ERR_SPAWN`, `MPI_Comm_join` does not work, and "
            "ports of other jobs are not found",
        ),
    ),
    "One-sided communication": Chapter(
        "12",
        "all kinds of windows, all synchronisation, all operations and their request forms; in the unified model",
        (
            "`MPI_Win_allocate_shared` needs ranks that share memory wherever they move, so all ranks on one node",
            "thread-local variables cannot be windows (`MPI_ERR_BASE`, `MPI_ERR_RMA_ATTACH`)",
            "an access outside the window of a target that is not in reach fails in the call that completes it",
        ),
    ),
    "Input and output": Chapter(
        "14",
        "everything: individual, shared and explicit pointers, collective, split and nonblocking, atomic mode, own "
        "representations",
        (
            "`MPI_File_iread` and the like are complete when they return; the collective ones go on beside the program",
            '`"internal"` is `"native"`',
        ),
    ),
    "Tool information interface": Chapter(
        "15.2, 15.3",
        "tools in front of MPI by `PMPI_` names, linked or given by `--preload` ([porting.md](porting.md)); control variables, "
        "performance variables (messages, bytes, sync points, moves, time computed and waited), categories",
        (
            "control variables cannot be set",
            "performance variables belong to the calling rank, and count all the time",
            "there are no events",
        ),
    ),
    "Handles and statuses as Fortran has them, and as integers": Chapter("19.3, 20.3 of MPI 5.0", "everything", ()),
    "The ABI itself": Chapter(
        "20 of MPI 5.0",
        "handles, constants and types have the values of the standard ABI: programs built against another of its headers run",
        ("Fortran's types are gfortran's and cannot be set",),
    ),
    "Deprecated since MPI-2.0": Chapter("16", "everything", ()),
    "Removed in MPI-3.0; still called by old programs": Chapter("17", "everything", ()),
    "Skein": Chapter("none", "sync points and loads, see [porting.md](porting.md)", ()),
    "Adaptive MPI": Chapter("none", "the functions that programs written for Adaptive MPI call", ()),
}
