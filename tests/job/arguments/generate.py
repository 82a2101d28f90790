#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""generate.py <folder of runtime/vmpi/api> <folder of mpi.h>: writes a C program that calls every MPI function with each
of its arguments wrong in turn, the others right. The program compares the error class with those that the standard
has for the mistake, and checks whose error handler was called.

Types and names of arguments tell what they are and what is wrong for them; the tables below have the exceptions.
"""

import sys

sys.path.insert(0, sys.argv[1])
from parse import read_api  # noqa: E402

# Functions that return no error, or that end what the other functions need.
SKIPPED = {
    "MPI_Abort", "MPI_Init", "MPI_Init_thread", "MPI_Finalize", "MPI_Pcontrol", "MPI_Wtime", "MPI_Wtick", "MPI_Aint_add",
    "MPI_Aint_diff", "MPI_Comm_join", "MPI_Session_finalize", "MPI_Free_mem", "MPI_Abi_set_fortran_info",
    "MPI_Abi_set_fortran_booleans", "MPI_Comm_spawn", "MPI_Comm_spawn_multiple", "MPI_Comm_accept", "MPI_Comm_connect",
    "MPI_Intercomm_merge", "MPI_Intercomm_create", "MPI_Comm_remote_group", "MPI_Comm_remote_size",
    "MPI_Intercomm_create_from_groups", "MPI_Info_create_env",
    # The counts of these functions mean room, which may be 0.
    "MPI_Type_get_contents", "MPI_Type_get_contents_c",
}  # fmt: skip
CONVERSIONS = ("_c2f", "_f2c", "_toint", "_fromint", "_f08", "_f082c", "_f082f", "_f2f08", "_c2f08")

# For each kind of handle: a right argument, and the error classes for a wrong one.
HANDLES = {
    "MPI_Comm": ("comm", "COMM"),
    "MPI_Datatype": ("MPI_INT", "TYPE"),
    "MPI_Op": ("MPI_SUM", "OP"),
    "MPI_Group": ("group", "GROUP"),
    "MPI_Errhandler": ("MPI_ERRORS_RETURN", "ERRHANDLER ARG"),
    "MPI_Info": ("MPI_INFO_NULL", "INFO"),
    "MPI_Win": ("win", "WIN"),
    "MPI_File": ("file", "FILE"),
    "MPI_Session": ("session", "SESSION"),
    "MPI_Request": ("request", "REQUEST"),
    "MPI_Message": ("MPI_MESSAGE_NO_PROC", "REQUEST"),
}
NULLS = {base: base.upper() + "_NULL" for base in HANDLES}

COUNTS = {
    "count", "sendcount", "recvcount", "origin_count", "result_count", "target_count", "incount", "outcount", "blocklength",
    "ndims", "nnodes", "n", "indegree", "outdegree", "partitions", "length", "valuelen", "maxdims", "size", "insize", "outsize",
}  # fmt: skip
NUMBERS = {
    "dest": ("0", {"99": "RANK", "-77": "RANK"}),
    "source": ("0", {"99": "RANK", "-77": "RANK"}),
    "target_rank": ("0", {"99": "RANK", "-77": "RANK"}),
    "root": ("0", {"99": "ROOT", "-1": "ROOT"}),
    "tag": ("0", {"-5": "TAG"}),
    "sendtag": ("0", {"-5": "TAG"}),
    "recvtag": ("0", {"-5": "TAG"}),
    "lock_type": ("MPI_LOCK_SHARED", {"7": "LOCKTYPE"}),
    "assert": ("0", {"1 << 30": "ASSERT"}),
    "disp_unit": ("1", {"0": "DISP ARG", "-3": "DISP ARG"}),
    "whence": ("MPI_SEEK_SET", {"77": "ARG"}),
    "offset": ("0", {"-5": "ARG"}),
    "split_type": ("MPI_COMM_TYPE_SHARED", {"9999": "ARG"}),
    "color": ("0", {"-9": "ARG"}),
    "direction": ("0", {"7": "DIMS ARG", "-1": "DIMS ARG"}),
    "amode": ("MPI_MODE_RDWR | MPI_MODE_CREATE", {"0": "AMODE", "MPI_MODE_RDONLY | MPI_MODE_RDWR": "AMODE"}),
    "order": ("MPI_ORDER_C", {"5": "ARG"}),
    "typeclass": ("MPI_TYPECLASS_REAL", {"5": "ARG"}),
    "target_disp": ("0", {"-1": "DISP RMA_RANGE ARG"}),
    "errorclass": ("MPI_ERR_ARG", {"-2": "ARG"}),
    "p": ("6", {}), "r": ("6", {}), "stride": ("1", {}), "disp": ("0", {}), "lb": ("0", {}), "extent": ("4", {}),
    "high": ("0", {}), "key": ("0", {}), "commute": ("1", {}), "reorder": ("0", {}), "flag": ("1", {}), "error": ("0", {}),
    "errorcode": ("MPI_ERR_ARG", {}), "partition": ("0", {"5": "ARG", "-1": "ARG"}), "required": ("0", {}),
    "partition_low": ("0", {"-1": "ARG"}), "partition_high": ("0", {"5": "ARG"}), "rank": ("0", {"99": "RANK", "-4": "RANK"}),
    "logical_size": ("4", {"5": "ARG"}), "nkey": ("0", {"-1": "ARG", "99": "ARG"}),
}  # fmt: skip
STRINGS = {
    "key": ('"key"', "INFO_KEY ARG"),
    "value": ('"value"', "INFO_VALUE ARG"),
    "filename": ("path", "BAD_FILE ARG"),
    "port_name": ('"port"', "PORT ARG"),
    "service_name": ('"service"', "SERVICE ARG NAME"),
    "datarep": ('"native"', "ARG UNSUPPORTED_DATAREP"),
    "pset_name": ('"mpi://SELF"', "ARG"),
}
BUFFERS = {"buf", "sendbuf", "recvbuf", "origin_addr", "result_addr", "compare_addr", "inbuf", "outbuf", "inoutbuf"}
# Buffers that must differ from the other buffers of the same call.
OTHER_BUFFERS = {"recvbuf", "result_addr", "outbuf", "inoutbuf"}
# Pointers that may be null: they have a meaning then, or nothing is read or written.
NULLABLE = {
    "extra_state", "attribute_val", "location", "base", "buffer", "logical_true", "logical_false", "status", "weights",
    "array_of_statuses", "argc", "argv", "sourceweights", "destweights", "array_of_errcodes", "buffer_addr", "indx_",
}  # fmt: skip
FUNCTIONS_THAT_MAY_BE_NULL = ("copy_attr_function", "delete_attr_function", "Copy_function", "Delete_function",
                              "conversion_function", "conversion_function_c")

# (function, or its beginning with *; parameter): the right argument where it differs from the usual one.
RIGHT = {
    ("MPI_Cart_*", "comm"): "cart",
    ("MPI_Cartdim_get", "comm"): "cart",
    ("MPI_Graph_*", "comm"): "graph",
    ("MPI_Graphdims_get", "comm"): "graph",
    ("MPI_Dist_graph_*", "comm"): "dist_graph",
    ("MPI_Neighbor_*", "comm"): "cart",
    ("MPI_Ineighbor_*", "comm"): "cart",
    ("MPI_Cart_map", "comm"): "comm",
    ("MPI_Graph_map", "comm"): "comm",
    ("MPI_Comm_create_from_group", "group"): "group",
    ("MPI_Pready*", "request"): "partitioned",
    ("MPI_Parrived", "request"): "partitioned_receive",
    ("MPI_Grequest_complete", "request"): "generalized",
    ("MPI_Type_create_resized*", "extent"): "4",
    ("MPI_Unpack_external*", "datarep"): '"external32"',
    ("MPI_Pack_external*", "datarep"): '"external32"',
    ("MPI_Type_get_value_index", "index_type"): "MPI_INT",
    ("MPI_Info_*", "info"): "info",
    ("MPI_Type_match_size", "size"): "8",
    ("MPI_Win_set_info", "info"): "MPI_INFO_NULL",
    ("MPI_Win_attach", "win"): "dynamic_win",
    ("MPI_Rput*", "win"): "locked_win",
    ("MPI_Rget*", "win"): "locked_win",
    ("MPI_Raccumulate*", "win"): "locked_win",
    ("MPI_Alloc_mem", "info"): "MPI_INFO_NULL",
    ("MPI_Op_commutative", "op"): "MPI_SUM",
    ("MPI_Fetch_and_op", "op"): "MPI_SUM",
    ("MPI_Info_get_nthkey", "n"): "0",
    ("MPI_Info_get_string", "buflen"): "&(int){8}",
    ("MPI_Session_get_nth_pset", "pset_len"): "&(int){8}",
    ("MPI_Session_get_nth_pset", "n"): "0",
}
# Error classes where the standard leaves a choice, or another check comes first.
CLASSES = {
    ("MPI_Mrecv*", "message"): "REQUEST ARG",
    ("MPI_Imrecv*", "message"): "REQUEST ARG",
    ("MPI_Type_match_size", "size"): "ARG",
    ("MPI_Type_create_darray*", "rank"): "ARG RANK",
    ("MPI_Alloc_mem", "size"): "ARG NO_MEM",
    ("MPI_Group_*", "n"): "ARG GROUP RANK SIZE",
}
# Arguments that are not wrong for a function, or whose mistake it cannot notice.
LEFT_OUT = {
    ("MPI_Comm_get_name", "comm", "MPI_COMM_NULL"),  # has a name (MPI 4.1, 7.8)
    ("MPI_Type_get_name", "datatype", "MPI_DATATYPE_NULL"),
    ("MPI_Win_get_name", "win", "MPI_WIN_NULL"),
    ("MPI_File_get_errhandler", "file", "MPI_FILE_NULL"),  # has a handler (14.7)
    ("MPI_File_set_errhandler", "file", "MPI_FILE_NULL"),
    ("MPI_File_call_errhandler", "fh", "MPI_FILE_NULL"),
    ("MPI_Parrived", "request", "MPI_REQUEST_NULL"),  # has arrived (4.2.2)
    ("MPI_Request_get_status", "request", "MPI_REQUEST_NULL"),  # is complete (3.7.6)
    ("MPI_Status_set_source", "source", "99"),
    ("MPI_Status_set_source", "source", "-77"),
    ("MPI_Status_set_tag", "tag", "-5"),
}

HEAD = r"""// Written by tests/job/arguments/generate.py: every MPI function with each of its arguments wrong in turn.
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wnonnull"

static MPI_Group group, some_group;
static MPI_Win win, locked_win, dynamic_win, some_win;
static MPI_File file, some_file;
static MPI_Session session, some_session;
static MPI_Request request, some_request, partitioned, partitioned_receive, generalized;
static MPI_Info info, some_info;
static MPI_Comm comm, cart, graph, dist_graph, some_comm;
static MPI_Datatype some_type, types[8];
static MPI_Op some_op;
static MPI_Errhandler some_handler;
static MPI_Message message = MPI_MESSAGE_NO_PROC, some_message;
static MPI_Status status, statuses[8];
static MPI_Request requests[8];
static int comm_keyval, type_keyval, win_keyval, found;
static char buffer[65536], other_buffer[65536], text[8192], path[256];
static int numbers[64], ones[64];
static MPI_Count numbers_c[64], ones_c[64];
static MPI_Aint aints[64];
static void* pointer;
static double window_memory[16];  // of two windows

/* Whose handler was called: n (that of MPI_COMM_SELF, for what belongs to no object), c, w, f, s. */
static char heard;
static void hear_comm(MPI_Comm* of, int* code, ...) { (void)code; heard = *of == MPI_COMM_SELF || *of == MPI_COMM_WORLD ? 'n' : 'c'; }
static void hear_win(MPI_Win* of, int* code, ...) { (void)of, (void)code; heard = 'w'; }
static void hear_file(MPI_File* of, int* code, ...) { (void)of, (void)code; heard = 'f'; }
static void hear_session(MPI_Session* of, int* code, ...) { (void)of, (void)code; heard = 's'; }

static void listen(void) {
  MPI_Errhandler comms, wins, files, sessions;
  MPI_Comm_create_errhandler(hear_comm, &comms);
  MPI_Win_create_errhandler(hear_win, &wins);
  MPI_File_create_errhandler(hear_file, &files);
  MPI_Session_create_errhandler(hear_session, &sessions);
  const MPI_Comm all_comms[] = {MPI_COMM_WORLD, MPI_COMM_SELF, comm, cart, graph, dist_graph};
  const MPI_Win all_wins[] = {win, locked_win, dynamic_win};
  for (int i = 0; i < 6; ++i) MPI_Comm_set_errhandler(all_comms[i], comms);
  for (int i = 0; i < 3; ++i) MPI_Win_set_errhandler(all_wins[i], wins);
  MPI_File_set_errhandler(file, files);
  MPI_Session_set_errhandler(session, sessions);
}

static int query(void* state, MPI_Status* result) { (void)state, (void)result; return MPI_SUCCESS; }
static int release(void* state) { (void)state; return MPI_SUCCESS; }
static int cancel(void* state, int complete) { (void)state, (void)complete; return MPI_SUCCESS; }
static void combine(void* in, void* inout, int* count, MPI_Datatype* type) { (void)in, (void)inout, (void)count, (void)type; }
static void combine_c(void* in, void* inout, MPI_Count* count, MPI_Datatype* type) {
  (void)in, (void)inout, (void)count, (void)type;
}
static int extent(MPI_Datatype type, MPI_Aint* result, void* state) { (void)type, (void)state; *result = 1; return 0; }

static void prepare(void) {
  const int dims[] = {1}, periods[] = {1}, indx[] = {1}, edges[] = {0}, degrees[] = {1}, sources[] = {0};
  for (int i = 0; i < 64; ++i) ones[i] = 1, ones_c[i] = 1;
  for (int i = 0; i < 8; ++i) types[i] = MPI_INT, requests[i] = MPI_REQUEST_NULL;
  snprintf(path, sizeof path, "%s/arguments", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_group(MPI_COMM_SELF, &group);
  MPI_Win_create(window_memory, 8 * sizeof(double), 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  MPI_Win_fence(0, win);
  MPI_Win_create(window_memory + 8, 8 * sizeof(double), 1, MPI_INFO_NULL, MPI_COMM_SELF, &locked_win);
  MPI_Win_set_errhandler(locked_win, MPI_ERRORS_RETURN);
  MPI_Win_lock_all(0, locked_win);
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_SELF, &dynamic_win);
  MPI_Win_set_errhandler(dynamic_win, MPI_ERRORS_RETURN);
  MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Info_create(&info);
  MPI_Info_set(info, "key", "value");
  MPI_Recv_init(buffer, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request);
  MPI_Psend_init(buffer, 2, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, MPI_INFO_NULL, &partitioned);
  MPI_Precv_init(buffer, 2, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, MPI_INFO_NULL, &partitioned_receive);
  MPI_Start(&partitioned);
  MPI_Start(&partitioned_receive);
  MPI_Grequest_start(query, release, cancel, NULL, &generalized);
  MPI_Cart_create(MPI_COMM_SELF, 1, dims, periods, 0, &cart);
  MPI_Graph_create(MPI_COMM_SELF, 1, indx, edges, 0, &graph);
  MPI_Dist_graph_create(MPI_COMM_SELF, 1, sources, degrees, sources, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &dist_graph);
  listen();
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &comm_keyval, NULL);
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &type_keyval, NULL);
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &win_keyval, NULL);
  memset(&status, 0, sizeof status);
  (void)numbers, (void)numbers_c, (void)aints, (void)pointer, (void)statuses, (void)text, (void)message;
  (void)some_group, (void)some_win, (void)some_file, (void)some_session, (void)some_request, (void)some_info, (void)some_comm;
  (void)found, (void)some_type, (void)some_op, (void)some_handler, (void)some_message, (void)combine, (void)combine_c, (void)extent;
}

struct Case {
  int (*call)(void);
  const char* text;
  char owner; /* whose handler is to be called; ?: not known */
  int wanted[4];
};
"""

MAIN = r"""
/* arguments [FIRST [LAST]]: these cases, all if nothing is said. ARGUMENTS_TOLD: tells of each before it is made. */
int main(int argc, char** argv) {
  const int count = (int)(sizeof cases / sizeof *cases), first = argc > 1 ? atoi(argv[1]) : 0;
  const int end = argc > 2 ? atoi(argv[2]) : count;
  int rank, failures = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  prepare();
  for (int i = first; i < end && i < count; ++i) {
    if (getenv("ARGUMENTS_TOLD")) fprintf(stderr, "case %d: %s\n", i, cases[i].text);
    heard = '-';
    const int code = cases[i].call();
    const char owner = heard;
    int class = -1, expected = 0;
    MPI_Error_class(code, &class);
    for (int k = 0; k < 4; ++k) expected = expected || (cases[i].wanted[k] != 0 && class == cases[i].wanted[k]);
    if (expected && (cases[i].owner == '?' || cases[i].owner == owner)) continue;
    char name[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(class, name, &length);
    fprintf(stderr, "case %d: %s: returned %s, through handler %c for %c\n", i, cases[i].text, name, owner, cases[i].owner);
    ++failures;
  }
  printf("%d calls, %d failures\n", end - first, failures);
  MPI_Request_free(&partitioned);
  MPI_Request_free(&partitioned_receive);
  MPI_Grequest_complete(generalized);
  MPI_Wait(&generalized, MPI_STATUS_IGNORE);
  MPI_Win_fence(0, win);
  MPI_Win_unlock_all(locked_win);
  MPI_Win_free(&win);
  MPI_Win_free(&locked_win);
  MPI_Win_free(&dynamic_win);
  MPI_File_close(&file);
  MPI_Session_finalize(&session);
  MPI_Finalize();
  return failures > 0;
}
"""


def looked_up(table, function, name):
    """Returns the value for the function by its name, else by a beginning of it, else None."""
    if (function, name) in table:
        return table[function, name]
    for (pattern, parameter), value in table.items():
        if pattern.endswith("*") and function.startswith(pattern[:-1]) and parameter == name:
            return value
    return None


OUT_HANDLES = {
    "MPI_Comm": "&some_comm", "MPI_Datatype": "&some_type", "MPI_Op": "&some_op", "MPI_Group": "&some_group",
    "MPI_Errhandler": "&some_handler", "MPI_Info": "&some_info", "MPI_Win": "&some_win", "MPI_File": "&some_file",
    "MPI_Session": "&some_session", "MPI_Request": "&some_request", "MPI_Message": "&message",
}  # fmt: skip
# Functions that read the handle to which the pointer points.
READS_HANDLE = {
    "MPI_Comm_free", "MPI_Comm_disconnect", "MPI_Type_free", "MPI_Type_commit", "MPI_Op_free", "MPI_Group_free",
    "MPI_Errhandler_free", "MPI_Info_free", "MPI_Win_free", "MPI_File_close", "MPI_Request_free", "MPI_Cancel", "MPI_Start",
    "MPI_Wait", "MPI_Test", "MPI_Mrecv", "MPI_Mrecv_c", "MPI_Imrecv", "MPI_Imrecv_c",
}  # fmt: skip
NULL_IS_RIGHT = {"MPI_Wait", "MPI_Test"}  # of requests


def garbage(base):
    return f"({base})0x7abcde"


def rules(function, p):
    """Returns (a right argument, {a wrong argument: error classes})."""
    name, base = p.name, p.base
    classes = looked_up(CLASSES, function.name, name)
    if base in HANDLES and p.by_value:
        right, wanted = HANDLES[base]
        wrong = {garbage(base): wanted, NULLS[base]: wanted}
        if base == "MPI_Info" and not function.name.startswith("MPI_Info_"):
            wrong = {garbage(base): wanted}
        if base == "MPI_Comm":
            wrong["(MPI_Comm)MPI_INT"] = wanted
        return looked_up(RIGHT, function.name, name) or right, {w: classes or c for w, c in wrong.items()}
    if base in HANDLES and p.stars == 1 and not p.suffix and not p.const:
        wanted = HANDLES[base][1]
        wrong = {"NULL": wanted + " ARG"}
        if function.name in READS_HANDLE and base != "MPI_Status" and name != "request" or (
            function.name in READS_HANDLE and base == "MPI_Request" and not function.name.startswith("MPI_Imrecv")
        ):
            wrong[f"&({base}){{{garbage(base)}}}"] = classes or wanted
            if function.name not in NULL_IS_RIGHT:
                wrong[f"&({base}){{{NULLS[base]}}}"] = classes or wanted
        right = OUT_HANDLES[base]
        if function.name in READS_HANDLE and base == "MPI_Request" and not function.name.startswith("MPI_Imrecv"):
            right = "&request"
        return right, wrong
    if base in HANDLES and p.suffix:
        if base == "MPI_Datatype":
            return "types", {"NULL": "ARG TYPE"}
        if base == "MPI_Request":
            wrong = {"NULL": "ARG REQUEST"}
            wrong[f"(MPI_Request[]){{{garbage(base)}}}"] = "REQUEST IN_STATUS"
            return "requests", wrong
        return "NULL", {}
    if base in ("int", "MPI_Count", "MPI_Aint", "MPI_Offset") and p.by_value:
        if name.endswith("keyval"):
            kind = name.split("_")[0] if "_" in name else "comm"
            return f"{kind}_keyval", {"0x7abcdef": "KEYVAL", "MPI_KEYVAL_INVALID": "KEYVAL"}
        right, wrong = NUMBERS.get(name, ("1", {"-1": "COUNT ARG SIZE DIMS"} if name in COUNTS else {}))
        if name in COUNTS:
            right, wrong = "1", {"-1": "COUNT ARG SIZE DIMS"}
        return looked_up(RIGHT, function.name, name) or right, {w: classes or c for w, c in wrong.items()}
    if base == "double":
        return "1.0", {}
    if base.endswith(("_function", "_function_c", "_fn")):
        known = {"query_fn": "query", "free_fn": "release", "cancel_fn": "cancel", "dtype_file_extent_fn": "extent",
                 "user_fn": "combine_c" if base.endswith("_c") else "combine"}
        if name in known:
            return known[name], {"NULL": "ARG OP"}
        if base.endswith(FUNCTIONS_THAT_MAY_BE_NULL):
            return "NULL", {}
        return "(void*)query", {"NULL": "ARG"}
    if base == "MPI_MigrateFn":
        return "NULL", {}
    if base == "char" and p.stars + bool(p.suffix) == 1:
        if p.const:
            right, wanted = STRINGS.get(name, ('"text"', "ARG"))
            return looked_up(RIGHT, function.name, name) or right, {"NULL": wanted}
        return "text", {"NULL": "ARG"}
    if base == "char":
        return "NULL", {}
    if base == "void":
        if name in BUFFERS:
            wrong = {} if function.name.endswith("_end") else {"NULL": "BUFFER ARG"}  # nothing was begun
            return "other_buffer" if name in OTHER_BUFFERS else "buffer", wrong
        if name == "baseptr":
            return "&pointer", {"NULL": "ARG"}
        if name == "buffer_addr":
            return "&pointer", {"NULL": "ARG BUFFER"}
        return "buffer", {}
    if base in ("MPI_Status", "MPI_F08_status"):
        if p.suffix or name == "array_of_statuses":
            return "statuses", {}
        right = "&status" if base == "MPI_Status" else "(MPI_F08_status*)&status"
        return right, {"NULL": "ARG"} if function.name.startswith("MPI_Status_") or p.const else {}
    if base in ("int", "MPI_Count", "MPI_Aint", "MPI_Offset", "MPI_Fint"):
        if p.suffix == "[][3]":
            return "(int[][3]){{0, 0, 1}}", {"NULL": "ARG"}
        arrays = {"int": "ones", "MPI_Count": "ones_c", "MPI_Aint": "aints"}
        zeros = {"int": "numbers", "MPI_Count": "numbers_c", "MPI_Aint": "aints"}
        if name in NULLABLE:
            return "MPI_UNWEIGHTED", {}
        if name.endswith("keyval"):
            right = f"&(int){{{name.split('_')[0] if '_' in name else 'comm'}_keyval}}"
            wrong = {"NULL": "ARG KEYVAL"}
            if "free" in function.name:
                wrong["&(int){0x7abcdef}"] = "KEYVAL"
            return right, wrong
        if p.suffix:
            plain = zeros if name in ("displs", "sdispls", "rdispls", "ranks", "ranks1", "sources", "destinations", "edges",
                                      "array_of_starts", "coords", "array_of_partitions") else arrays
            return plain[base], {"NULL": "ARG TOPOLOGY"}
        if base == "int":
            return looked_up(RIGHT, function.name, name) or ("&found" if name == "flag" else "numbers"), {"NULL": "ARG"}
        return {"MPI_Count": "numbers_c", "MPI_Aint": "aints"}.get(base, f"({base}*)numbers_c"), {"NULL": "ARG"}
    raise ValueError(f"{function.name}: no rule for '{p.c}'")


# Functions whose errors go to a handler that the test does not see: that of MPI_FILE_NULL, or an argument.
ELSEWHERE = {"MPI_File_open", "MPI_File_delete", "MPI_Comm_create_from_group", "MPI_Session_init", "MPI_Comm_compare",
             "MPI_Register_datarep", "MPI_Register_datarep_c"}


def owner_of(function, wrong):
    """Returns the letter of the error handler that is called."""
    if function.name in ELSEWHERE or "call_errhandler" in function.name:
        return "?"
    for base, letter in (("MPI_File", "f"), ("MPI_Win", "w"), ("MPI_Session", "s"), ("MPI_Comm", "c")):
        objects = [p for p in function.parameters if p.base == base and p.by_value]
        if objects:
            return letter if wrong not in objects else "?" if base == "MPI_File" or len(objects) > 1 else "n"
    of_other = ("MPI_Request", "MPI_Message", "MPI_Comm", "MPI_Win", "MPI_File", "MPI_Session")
    if any(p.base in of_other for p in function.parameters) or "errhandler" in function.name:
        return "?"
    return "n"


def cases_of(function):
    all_rules = [rules(function, p) for p in function.parameters]
    for i, (_, wrong) in enumerate(all_rules):
        p = function.parameters[i]
        for value, classes in wrong.items():
            if (function.name, p.name, value) in LEFT_OUT:
                continue
            arguments = [value if k == i else right for k, (right, _) in enumerate(all_rules)]
            text = f"{function.name}, {p.name} = {value}"
            yield f"{function.name}({', '.join(arguments)})", text, owner_of(function, p), classes.split()


def is_tested(function):
    name = function.name
    return (
        function.result == "int" and name.startswith(("MPI_", "MPIX_")) and not name.startswith("MPI_T_") and name not in SKIPPED
        and not name.endswith(CONVERSIONS) and "_c2f" not in name and "_f2c" not in name
    )  # fmt: skip


def main():
    api = read_api(sys.argv[2])
    bodies, table = [], []
    for function in api.functions:
        if not is_tested(function):
            continue
        for call, text, owner, classes in cases_of(function):
            wanted = ", ".join("MPI_ERR_" + name for name in classes)
            number = len(table)
            bodies.append(f"static int case_{number}(void) {{ return {call}; }}")
            text = text.replace('"', "'")
            table.append(f"  {{case_{number}, \"{text}\", '{owner}', {{{wanted}}}}},")
    print(HEAD)
    print("\n".join(bodies))
    print("\nstatic const struct Case cases[] = {\n" + "\n".join(table) + "\n};")
    print(MAIN)


if __name__ == "__main__":
    main()
