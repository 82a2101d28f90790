# SPDX-License-Identifier: Apache-2.0
"""The checks of arguments that follow from the table of functions alone: pointers that must not be null, info handles,
numbers that must not be negative. A function that needs checks gets a front, which programs call instead of it."""

from c_sources import BANNER
from parse import HANDLE_TYPES

NUMBERS = {"int", "MPI_Count", "MPI_Aint", "MPI_Offset"}
# Pointers that may be null, or that functions on the path of messages check themselves.
UNCHECKED = {
    "argc", "status", "array_of_statuses", "sourceweights", "destweights", "weights", "array_of_errcodes", "newtype",
    "array_of_integers", "array_of_addresses", "array_of_large_counts", "array_of_datatypes",
}  # fmt: skip
REQUEST_UNCHECKED_BUT = (
    "MPI_Buffer_iflush", "MPI_Comm_idup", "MPI_Comm_iflush", "MPI_Grequest_start", "MPI_Session_iflush", "MPI_Isendrecv"
)  # fmt: skip
STATUS_NEEDED = {"MPI_Status_set_cancelled", "MPI_Test_cancelled", "MPI_Topo_test"}
# Functions whose texts and infos count at the root only.
AT_THE_ROOT = {"MPI_Comm_spawn", "MPI_Comm_spawn_multiple", "MPI_Comm_accept", "MPI_Comm_connect"}
# Input texts that fronts check; the functions check all others themselves.
CHECKED_TEXTS = {"comm_name", "port_name", "pset_name", "service_name", "string", "stringtag", "type_name", "win_name"}
# The parameters that give the number of an array's elements.
LENGTHS = {
    "array_of_requests": ("count", "incount"),
    "array_of_indices": ("incount",),
    "array_of_displacements": ("count",),
    "array_of_blocklengths": ("count",),
    "array_of_types": ("count",),
    "array_of_sizes": ("ndims",),
    "array_of_subsizes": ("ndims",),
    "array_of_starts": ("ndims",),
    "array_of_gsizes": ("ndims",),
    "array_of_distribs": ("ndims",),
    "array_of_dargs": ("ndims",),
    "array_of_psizes": ("ndims",),
    "dims": ("ndims", "maxdims"),
    "periods": ("ndims", "maxdims"),
    "coords": ("maxdims",),
    "indx": ("maxindex",),
    "edges": ("maxedges",),
    "neighbors": ("maxneighbors",),
    "sources": ("maxindegree",),
    "destinations": ("maxoutdegree",),
    "ranks": ("n",),
    "ranks1": ("n",),
    "ranks2": ("n",),
    "ranges": ("n",),
    "array_of_partitions": ("length",),
    # Texts with room for this many characters.
    "pset_name": ("*pset_len",),
    "value": ("valuelen", "*buflen"),
}
NOT_NEGATIVE = {
    "MPI_Pready_list": "length",
    "MPI_Group_range_excl": "n",
    "MPI_Group_range_incl": "n",
    "MPI_Group_translate_ranks": "n",
    "MPI_Cart_coords": "maxdims",
    "MPI_Cart_get": "maxdims",
    "MPI_Comm_attach_buffer": "size",
    "MPI_Comm_attach_buffer_c": "size",
    "MPI_Session_attach_buffer": "size",
    "MPI_Session_attach_buffer_c": "size",
}
CALLBACKS = {"query_fn", "free_fn", "cancel_fn"}


def length_of(function, parameter):
    """Returns the C expression of the number of elements, or None if no parameter gives it."""
    names = {p.name for p in function.parameters}
    for length in LENGTHS.get(parameter.name, ()):
        if length.removeprefix("*") in names:
            return length
    return None


def null_condition(function, p):
    """Returns the C condition under which a null pointer is wrong, or None if it may be null."""
    if p.name == "status" and function.name in STATUS_NEEDED:
        return "!status"
    if p.name in UNCHECKED or (p.name == "request" and not function.name.startswith(REQUEST_UNCHECKED_BUT)):
        return None
    length = length_of(function, p)
    if length and (p.suffix or p.base == "char"):
        return f"{length} > 0 && !{p.name}"
    if p.suffix or p.stars != 1:
        return None
    if p.base == "char" and p.const:
        return f"!{p.name}" if p.name in CHECKED_TEXTS and function.name not in AT_THE_ROOT else None
    if p.const:
        return None
    if p.name in CALLBACKS or p.base in NUMBERS or p.base in HANDLE_TYPES or p.base == "char" or p.name in ("baseptr", "buffer_addr"):
        return f"!{p.name}"
    return None


def checks(function):
    """Returns [(condition in C, error class, error in words)]."""
    found = []
    # Lengths behind pointers are read after the pointers were checked.
    for p in sorted(function.parameters, key=lambda p: (length_of(function, p) or "").startswith("*")):
        info = p.base == "MPI_Info" and p.by_value and not function.name.startswith("MPI_Info_")
        if info and function.name not in AT_THE_ROOT:
            found.append((f"!is_info({p.name})", "MPI_ERR_INFO", f"{p.name} is no info object, or one that was freed"))
        if NOT_NEGATIVE.get(function.name) == p.name:
            found.append((f"{p.name} < 0", "MPI_ERR_ARG", f"{p.name} is negative"))
        if condition := null_condition(function, p):
            found.append((condition, "MPI_ERR_ARG", f"{p.name} is a null pointer"))
    return found


def has_front(function):
    return (
        function.result == "int" and function.name.startswith(("MPI_", "MPIX_")) and not function.name.startswith("MPI_T_")
        and function.name not in ("MPI_Init", "MPI_Init_thread") and bool(checks(function))
    )  # fmt: skip


def owner(function):
    """Returns the C expression of the object whose error handler gets the error."""
    for base in ("MPI_File", "MPI_Win", "MPI_Session", "MPI_Comm"):
        if function.name.startswith("MPI_File_") and base != "MPI_File":
            return "MPI_FILE_NULL"
        parameter = function.parameter(base=base)
        if parameter:
            return parameter.name
    return "MPI_COMM_NULL"


def fronts(api):
    lines = [BANNER + '#include "runtime/vmpi/front.hpp"\n', "using namespace skein::vmpi;\n", 'extern "C" {']
    for function in filter(has_front, api.functions):
        lines.append(f"int skein_front_{function.name}({function.signature}) {{")
        for condition, error_class, words in checks(function):
            lines.append(f"  if ({condition}) [[unlikely]]")
            lines.append(f'    return refuse("{function.name}", {owner(function)}, {error_class}, "{words}");')
        lines.append(f"  return {function.name}({', '.join(p.name for p in function.parameters)});\n}}")
    lines.append("}")
    return "\n".join(lines) + "\n"
