# SPDX-License-Identifier: Apache-2.0
"""The functions of MPI that only pass their arguments on: forms with int and with MPI_Count, with and without a request,
names of MPI-1. FORWARDS has for each room the calls that are their bodies, and the functions that have them; the source
that defines the called functions includes mpi_forwards_<room>.inc at its end.

In a call $all stands for all parameters, $1 for the first, $name for the name as a string, $large for whether it is the
form with MPI_Count; $request, $status and $offset stand for the parameters of these names, or for the value that means
none. Called functions are in skein::vmpi.
"""

import re

from c_sources import BANNER

ORIGIN = "{origin_addr, origin_count, origin_datatype}"
RESULT = "{result_addr, result_count, result_datatype}"
TARGET = "{target_rank, target_disp, target_count, target_datatype, win}"
ONE_AT_TARGET = "{target_rank, target_disp, 1, datatype, win}"
SENT = "{sendbuf, sendcount, sendtype, dest, sendtag}"
RECEIVED = "{recvbuf, recvcount, recvtype, source, recvtag}"
REPLACED = "{buf, count, datatype, dest, sendtag}, {buf, count, datatype, source, recvtag}"
KEY_FUNCTIONS = "reinterpret_cast<CopyAttribute*>($1), reinterpret_cast<DeleteAttribute*>($2), $3, $4"


def file_accesses():
    """Returns the functions of files that read and write, by the pointer that they use."""
    calls = {}
    for way in ("read", "write"):
        for suffix, pointer, collective in (
            ("_at", "given", "false"), ("_at_all", "given", "true"), ("", "individual", "false"), ("_all", "individual", "true"),
            ("_shared", "shared", "false"), ("_ordered", "shared", "true"),
        ):  # fmt: skip
            name = f"File_{way}{suffix}"
            forms = {"blocking": ("$name", name)}
            if suffix != "_ordered":
                forms["nonblocking"] = ("$name", f"File_i{way}{suffix}")
            if collective == "true":
                forms["split"] = (f'"MPI_{name}"', name + "_begin")
                calls[f'end_split($name, "MPI_{name}", fh, status)'] = name + "_end"
            for form, (told, called) in forms.items():
                shape = f"{{{told}, Way::{way}, Shape::Pointer::{pointer}, {collective}, Shape::Form::{form}}}"
                call = f"transfer($name, {shape}, {{fh, $offset, buf, count, datatype, $status, $request}})"
                calls[call] = f"{called} {called}_c"
    return calls


# Names without MPI_.
FORWARDS = {
    "types": {
        "construct<make_contiguous>($name, $large, oldtype, newtype, $1)": "Type_contiguous Type_contiguous_c",
        "construct<make_vector>($name, $large, oldtype, newtype, $1, $2, $3)": "Type_vector Type_vector_c",
        "construct<make_hvector>($name, $large, oldtype, newtype, $1, $2, $3)":
            "Type_create_hvector Type_create_hvector_c Type_hvector",
        "construct<make_indexed>($name, $large, oldtype, newtype, $1, $2, $3)": "Type_indexed Type_indexed_c",
        "construct<make_hindexed>($name, $large, oldtype, newtype, $1, $2, $3)":
            "Type_create_hindexed Type_create_hindexed_c Type_hindexed",
        "construct<make_indexed_block>($name, $large, oldtype, newtype, $1, $2, $3)":
            "Type_create_indexed_block Type_create_indexed_block_c",
        "construct<make_hindexed_block>($name, $large, oldtype, newtype, $1, $2, $3)":
            "Type_create_hindexed_block Type_create_hindexed_block_c",
        "construct<make_resized>($name, $large, oldtype, newtype, $2, $3)": "Type_create_resized Type_create_resized_c",
        "construct<make_subarray>($name, $large, oldtype, newtype, $1, $2, $3, $4, $5)":
            "Type_create_subarray Type_create_subarray_c",
        "construct<make_darray>($name, $large, oldtype, newtype, $1, $2, $3, $4, $5, $6, $7, $8)":
            "Type_create_darray Type_create_darray_c",
        "construct_struct($name, $large, $all)": "Type_create_struct Type_create_struct_c Type_struct",
    },
    "extents": {
        "size($name, $all)": "Type_size Type_size_c Type_size_x",
        "extent($name, $all)": "Type_get_extent Type_get_extent_c Type_get_extent_x",
        "true_extent($name, $all)": "Type_get_true_extent Type_get_true_extent_c Type_get_true_extent_x",
    },
    "elements": {
        "count($name, count_instances, $all)": "Get_count Get_count_c",
        "count($name, count_elements, $all)": "Get_elements Get_elements_c Get_elements_x",
        "set_elements($name, $all)": "Status_set_elements Status_set_elements_c Status_set_elements_x",
    },
    "pack": {
        "pack_to($name, $all)": "Pack Pack_c",
        "unpack_from($name, $all)": "Unpack Unpack_c",
        "pack_size($name, $all)": "Pack_size Pack_size_c",
        "pack_external($name, $all)": "Pack_external Pack_external_c",
        "unpack_external($name, $all)": "Unpack_external Unpack_external_c",
        "pack_external_size($name, $all)": "Pack_external_size Pack_external_size_c",
    },
    "statuses": {
        "get_member($name, &MPI_Status::MPI_SOURCE, $all)": "Status_get_source",
        "get_member($name, &MPI_Status::MPI_TAG, $all)": "Status_get_tag",
        "get_member($name, &MPI_Status::MPI_ERROR, $all)": "Status_get_error",
        "set_member($name, &MPI_Status::MPI_SOURCE, $all)": "Status_set_source",
        "set_member($name, &MPI_Status::MPI_TAG, $all)": "Status_set_tag",
        "set_member($name, &MPI_Status::MPI_ERROR, $all)": "Status_set_error",
        "convert($name, $all)": "Status_c2f Status_f2c Status_c2f08 Status_f082c Status_f2f08 Status_f082f",
    },
    "exchanges": {
        f"exchange($name, get_exchange, {SENT}, {RECEIVED}, comm, status)": "Sendrecv Sendrecv_c",
        f"start_exchange($name, get_exchange, {SENT}, {RECEIVED}, comm, request)": "Isendrecv Isendrecv_c",
        f"exchange($name, get_replacement, {REPLACED}, comm, status)": "Sendrecv_replace Sendrecv_replace_c",
        f"start_exchange($name, get_replacement, {REPLACED}, comm, request)": "Isendrecv_replace Isendrecv_replace_c",
    },
    "probes": {
        "probe($name, source, tag, comm, nullptr, status)": "Probe",
        "probe($name, source, tag, comm, message, status)": "Mprobe",
        "probe_now($name, source, tag, comm, flag, nullptr, status)": "Iprobe",
        "probe_now($name, source, tag, comm, flag, message, status)": "Improbe",
        "receive_matched($name, $all)": "Mrecv Mrecv_c",
        "start_matched_receive_call($name, $all)": "Imrecv Imrecv_c",
    },
    # MPI 4.1 has one function with an MPI_Count; MPI 5.0, whose ABI this is, has the two forms of other functions.
    "partitioned": {
        "make($name, RequestKind::partitioned_send, partitions, {buf, count, datatype, dest, tag}, comm, request)":
            "Psend_init Psend_init_c",
        "make($name, RequestKind::partitioned_receive, partitions, {buf, count, datatype, source, tag}, comm, request)":
            "Precv_init Precv_init_c",
    },
    "buffers": {
        "attach($name, buffer, size)": "Buffer_attach Buffer_attach_c",
        "detach($name, buffer_addr, size)": "Buffer_detach Buffer_detach_c",
        "flush($name)": "Buffer_flush",
        "iflush($name, request)": "Buffer_iflush",
        "attach($name, buffer, size, $1)":
            "Comm_attach_buffer Comm_attach_buffer_c Session_attach_buffer Session_attach_buffer_c",
        "detach($name, buffer_addr, size, $1)":
            "Comm_detach_buffer Comm_detach_buffer_c Session_detach_buffer Session_detach_buffer_c",
        "flush($name, $1)": "Comm_flush_buffer Session_flush_buffer",
        "iflush($name, request, $1)": "Comm_iflush_buffer Session_iflush_buffer",
    },
    "comms": {
        "dup($name, comm, false, MPI_INFO_NULL, newcomm)": "Comm_dup",
        "dup($name, comm, true, info, newcomm)": "Comm_dup_with_info",
        "idup($name, comm, false, MPI_INFO_NULL, newcomm, request)": "Comm_idup",
        "idup($name, comm, true, info, newcomm, request)": "Comm_idup_with_info",
    },
    "attributes": {
        f"create_key($name, KeyvalOwner::comm, {KEY_FUNCTIONS})": "Comm_create_keyval Keyval_create",
        f"create_key($name, KeyvalOwner::datatype, {KEY_FUNCTIONS})": "Type_create_keyval",
        f"create_key($name, KeyvalOwner::window, {KEY_FUNCTIONS})": "Win_create_keyval",
        "free_key($name, $all)": "Comm_free_keyval Keyval_free Type_free_keyval Win_free_keyval",
        "set_attribute($name, $all, ValueForm::pointer)": "Comm_set_attr Attr_put Type_set_attr Win_set_attr",
        "get_attribute($name, $1, $2, static_cast<void**>($3), $4, ValueForm::pointer)":
            "Comm_get_attr Attr_get Type_get_attr Win_get_attr",
    },
    "errhandlers": {
        "create($name, ErrhandlerOwner::comm, $all)": "Comm_create_errhandler Errhandler_create",
        "create($name, ErrhandlerOwner::window, $all)": "Win_create_errhandler",
        "create($name, ErrhandlerOwner::session, $all)": "Session_create_errhandler",
        "create($name, ErrhandlerOwner::file, $all)": "File_create_errhandler",
        "set($name, $all)": "Comm_set_errhandler Errhandler_set Win_set_errhandler Session_set_errhandler File_set_errhandler",
        "get($name, $all)": "Comm_get_errhandler Errhandler_get Win_get_errhandler Session_get_errhandler File_get_errhandler",
        "call_handler($name, $all)": "Comm_call_errhandler Win_call_errhandler Session_call_errhandler File_call_errhandler",
    },
    "tool": {
        "refuse_change($name, session, handle, MPI_T_ERR_PVAR_NO_STARTSTOP)": "T_pvar_start T_pvar_stop",
        "refuse_change($name, session, handle, MPI_T_ERR_PVAR_NO_WRITE)": "T_pvar_reset T_pvar_write T_pvar_readreset",
    },
    "files": file_accesses(),
    "windows": {
        "create($name, base, {size, disp_unit, info}, comm, MPI_WIN_FLAVOR_CREATE, win)": "Win_create Win_create_c",
        "create($name, MPI_BOTTOM, {0, 1, info}, comm, MPI_WIN_FLAVOR_DYNAMIC, win)": "Win_create_dynamic",
        "allocate($name, {size, disp_unit, info}, comm, baseptr, win)": "Win_allocate Win_allocate_c",
        "allocate_shared($name, {size, disp_unit, info}, comm, baseptr, win)":
            "Win_allocate_shared Win_allocate_shared_c",
        "shared_query($name, $all)": "Win_shared_query Win_shared_query_c",
    },
    "accesses": {
        f"put({{$name, $request}}, {ORIGIN}, {TARGET})": "Put Put_c Rput Rput_c",
        f"get({{$name, $request}}, {ORIGIN}, {TARGET})": "Get Get_c Rget Rget_c",
        f"accumulate({{$name, $request}}, {ORIGIN}, {TARGET}, op)": "Accumulate Accumulate_c Raccumulate Raccumulate_c",
        f"get_accumulate({{$name, $request}}, {ORIGIN}, {RESULT}, {TARGET}, op)":
            "Get_accumulate Get_accumulate_c Rget_accumulate Rget_accumulate_c",
        f"get_accumulate({{$name, nullptr}}, {{origin_addr, 1, datatype}}, {{result_addr, 1, datatype}}, {ONE_AT_TARGET}, op)":
            "Fetch_and_op",
        f"swap({{$name, nullptr}}, origin_addr, compare_addr, result_addr, {ONE_AT_TARGET})": "Compare_and_swap",
    },
}  # fmt: skip


def body(function, call):
    """Returns the call of `function`, as C++."""
    names = [p.name for p in function.parameters]
    values = {
        "name": f'"{function.name}"',
        "large": "true" if function.name.endswith("_c") else "false",
        "all": ", ".join(names),
        "request": "request" if "request" in names else "nullptr",
        "status": "status" if "status" in names else "MPI_STATUS_IGNORE",
        "offset": "offset" if "offset" in names else "0",
    } | {str(i + 1): name for i, name in enumerate(names)}
    return re.sub(r"\$(\w+)", lambda match: values[match[1]], call)


def signature(function, call):
    """Returns the parameters, with names for those that the call uses."""
    used = set(re.findall(r"\w+", call))
    return ", ".join(p.c if p.name in used else p.c.replace(f" {p.name}", "", 1) for p in function.parameters)


def forwards(api):
    """Returns {file name: text}."""
    functions = {function.name: function for function in api.functions}
    files = {}
    for room, calls in FORWARDS.items():
        lines = [BANNER, 'extern "C" {']
        for call, names in calls.items():
            for function in (functions[name if name.startswith("MPIX_") else "MPI_" + name] for name in names.split()):
                text = body(function, call)
                lines.append(f"int {function.name}({signature(function, text)}) {{ return skein::vmpi::{text}; }}")
        files[f"mpi_forwards_{room}.inc"] = "\n".join(lines + ["}"]) + "\n"
    return files
