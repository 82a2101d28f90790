# SPDX-License-Identifier: Apache-2.0
"""The procedures of the Fortran interface, and the conversion of each argument to the C function's.

The rules follow MPI 4.1, chapter 19 and annex A.4: handles, flags and counts are INTEGERs, everything goes by
reference, an error code comes last, strings are padded with blanks, with their lengths behind all other arguments.
"""

from dataclasses import dataclass

from c_sources import is_conversion
from parse import HANDLE_TYPES

WIDE_TYPES = {"MPI_Aint": "MPI_ADDRESS_KIND", "MPI_Offset": "MPI_OFFSET_KIND", "MPI_Count": "MPI_COUNT_KIND"}

# Functions whose binding is hand-written in runtime/vmpi/fortran/: C and Fortran pass arguments of different kinds.
HAND_WRITTEN = {
    "MPI_Init", "MPI_Init_thread", "MPI_Info_create_env", "MPI_Pcontrol",
    "MPI_Buffer_detach", "MPI_Comm_detach_buffer", "MPI_Session_detach_buffer",
    "MPI_Attr_get", "MPI_Attr_put", "MPI_Keyval_create",
    "MPI_Comm_get_attr", "MPI_Comm_set_attr", "MPI_Comm_create_keyval",
    "MPI_Type_get_attr", "MPI_Type_set_attr", "MPI_Type_create_keyval",
    "MPI_Win_get_attr", "MPI_Win_set_attr", "MPI_Win_create_keyval",
    "MPI_Grequest_start", "MPI_Register_datarep",
    "MPI_Info_get", "MPI_Info_get_string", "MPI_Session_get_nth_pset",
    "MPI_Comm_spawn", "MPI_Comm_spawn_multiple",
    "MPI_Address", "MPI_Type_extent", "MPI_Type_hindexed", "MPI_Type_hvector", "MPI_Type_lb", "MPI_Type_struct",
    "MPI_Type_ub",
}

# Not in mpi_f08: functions that MPI-3.0 removed, and MPI-1's attributes.
DEPRECATED = {
    "MPI_Address", "MPI_Type_extent", "MPI_Type_hindexed", "MPI_Type_hvector", "MPI_Type_lb", "MPI_Type_struct",
    "MPI_Type_ub", "MPI_Attr_delete", "MPI_Attr_get", "MPI_Attr_put", "MPI_Keyval_create", "MPI_Keyval_free",
    "MPI_Errhandler_create", "MPI_Errhandler_get", "MPI_Errhandler_set",
}

# Functions that hand out an address in mpi_f08 and not in mpif.h.
HAND_OUT_ADDRESSES = {
    name + large
    for name in ("MPI_Buffer_detach", "MPI_Comm_detach_buffer", "MPI_Session_detach_buffer")
    for large in ("", "_c")
}

# Fortran procedures without a C function of their own: the predefined attribute functions, and the forms with
# TYPE(C_PTR) that module mpi overloads.
FORTRAN_ONLY = [
    "mpi_f_sync_reg_", "mpi_f_sync_reg_f08ts_", "mpi_status_f2f08_", "mpi_status_f082f_",
    "mpi_null_copy_fn_", "mpi_dup_fn_", "mpi_null_delete_fn_",
    "mpi_comm_null_copy_fn_", "mpi_comm_dup_fn_", "mpi_comm_null_delete_fn_",
    "mpi_type_null_copy_fn_", "mpi_type_dup_fn_", "mpi_type_null_delete_fn_",
    "mpi_win_null_copy_fn_", "mpi_win_dup_fn_", "mpi_win_null_delete_fn_",
    "mpi_conversion_fn_null_",
    "mpi_alloc_mem_cptr_", "mpi_win_allocate_cptr_", "mpi_win_allocate_shared_cptr_", "mpi_win_shared_query_cptr_",
]  # fmt: skip

# Comparisons of handles in mpi_f08.
COMPARISONS = [f"{handle.lower()}_f08_{word}_" for handle in sorted(HANDLE_TYPES) for word in ("eq", "ne")]

# MPI_SIZEOF of the module: one procedure for each type and kind, of any rank. name: bytes
SIZEOF = {
    f"mpi_sizeof_{kind}{size}_": (kind, size, size * (2 if kind == "complex" else 1))
    for kind, sizes in {
        "character": [1], "logical": [1, 2, 4, 8], "integer": [1, 2, 4, 8, 16],
        "real": [4, 8, 10, 16], "complex": [4, 8, 10, 16],
    }.items()
    for size in sizes
}  # fmt: skip
# x87's 80-bit real takes 16 bytes.
SIZEOF["mpi_sizeof_real10_"] = ("real", 10, 16)
SIZEOF["mpi_sizeof_complex10_"] = ("complex", 10, 32)

# LOGICAL arguments. gfortran's .TRUE. is 1 and .FALSE. is 0, like C's flags.
LOGICALS = {"flag", "periods", "reorder", "remain_dims", "high", "commute", "weighted"}
# Indices into arrays of requests count from 1 in Fortran.
INDEX_FUNCTIONS = {"MPI_Waitany", "MPI_Testany", "MPI_Request_get_status_any"}
INDICES_FUNCTIONS = {"MPI_Waitsome", "MPI_Testsome", "MPI_Request_get_status_some"}

# Room for the strings that C functions hand out.
STRING_ROOM = {
    "MPI_Get_processor_name": "MPI_MAX_PROCESSOR_NAME",
    "MPI_Get_library_version": "MPI_MAX_LIBRARY_VERSION_STRING",
    "MPI_Error_string": "MPI_MAX_ERROR_STRING",
    "MPI_Comm_get_name": "MPI_MAX_OBJECT_NAME",
    "MPI_Type_get_name": "MPI_MAX_OBJECT_NAME",
    "MPI_Win_get_name": "MPI_MAX_OBJECT_NAME",
    "MPI_Info_get_nthkey": "MPI_MAX_INFO_KEY",
    "MPI_File_get_view": "MPI_MAX_DATAREP_STRING",
    "MPI_Open_port": "MPI_MAX_PORT_NAME",
    "MPI_Lookup_name": "MPI_MAX_PORT_NAME",
}


def fortran_name(function):
    """Returns gfortran's external symbol of the procedure."""
    return function.name.lower() + "_"


def in_fortran(function, names):
    """Returns false for large counts (which only mpi_f08 has), the tool interface, and C's own conversions."""
    name = function.name
    if name.endswith("_c") and name[:-2] in names:
        return False
    if name.startswith(("MPI_T_", "MPI_Abi_", "MPI_Status_c2f", "MPI_Status_f2c", "MPI_Status_f08", "MPI_Status_f2f08")):
        return False
    return not is_conversion(function)


def fortran_functions(api):
    names = {function.name for function in api.functions}
    return [function for function in api.functions if in_fortran(function, names)]


# Functions whose counts are MPI_Counts in both forms: MPI 4.1 has one form, the ABI two.
ALWAYS_LARGE = {"MPI_Precv_init", "MPI_Psend_init"}


def large_form(api, function):
    """Returns the function with large counts that mpi_f08 has under the same name, or None."""
    if function.name in ALWAYS_LARGE:
        return None
    return next((large for large in api.functions if large.name == function.name + "_c"), None)


def large_functions(api):
    """Returns the functions with large counts whose bindings are generated."""
    forms = (large_form(api, function) for function in fortran_functions(api) if function.name not in HAND_WRITTEN)
    return [form for form in forms if form]


def is_written(function):
    """Returns true if the bindings of a function and its large form are written by hand."""
    return function.name in HAND_WRITTEN or function.name.removesuffix("_c") in HAND_WRITTEN


def has_choice(function):
    return not is_written(function) and any(each.kind == "choice" for each in arguments(function))


def f08_functions(api):
    """Yields the functions of mpi_f08, each before its large form."""
    for function in fortran_functions(api):
        if function.name not in DEPRECATED:
            yield function
            if large := large_form(api, function):
                yield large


def f08_name(function):
    """Returns the specific procedure of mpi_f08, which tools replace by theirs (MPI 4.1, table 19.1)."""
    return function.name.lower() + ("_f08ts" if has_choice(function) else "_f08")


def fortran_symbols(api):
    """Returns {symbol: its function in the launcher}, without the profiling names, which have a p in front."""
    own = [fortran_name(function) for function in fortran_functions(api)] + FORTRAN_ONLY + COMPARISONS + list(SIZEOF)
    symbols = {name: name for name in own}
    for function in f08_functions(api):
        symbol = f08_name(function) + "_"
        is_own = has_choice(function) or function.name in HAND_OUT_ADDRESSES
        symbols[symbol] = symbol if is_own else fortran_name(function)
    return symbols


@dataclass(frozen=True)
class Argument:
    """The conversion of one argument from Fortran to C.

    kind: value (int, wide or double) | handle | handle_reference | handles | choice | plain | status | statuses |
    weights | string | string_out | callback | index | indices
    """

    kind: str
    parameter: object
    count: str = ""  # handles: the C expression for their number

    @property
    def name(self):
        return self.parameter.name


def handle_count(function, parameter):
    """Returns the C expression for the number of handles in an array argument."""
    names = {p.name for p in function.parameters}
    if parameter.name in ("sendtypes", "recvtypes"):
        kind = "neighbours" if "eighbor" in function.name else "peers"
        if kind == "neighbours":
            return f"neighbours(*comm).{'out' if parameter.name == 'sendtypes' else 'in'}"
        if parameter.name == "sendtypes":
            return "is_in_place(sendbuf) ? 0 : peers(*comm)"
        return "peers(*comm)"
    if parameter.name == "array_of_datatypes":
        return "*max_datatypes"
    for name in ("count", "incount"):
        if name in names:
            return "*" + name
    raise ValueError(f"{function.name}: how many {parameter.name} are there?")


def argument(function, parameter):
    p = parameter
    if p.base.endswith(("_function", "_function_c", "_fn")) or p.base == "MPI_MigrateFn":
        return Argument("callback", p)
    if p.base in HANDLE_TYPES:
        if p.suffix:
            return Argument("handles", p, handle_count(function, p))
        return Argument("handle_reference" if p.stars else "handle", p)
    if p.by_value:
        return Argument("value", p)
    if p.base == "MPI_Status" and not p.const:
        return Argument("statuses" if p.name == "array_of_statuses" else "status", p)
    if p.base == "char" and (p.stars, p.suffix) in ((1, ""), (0, "[]")):
        return Argument("string" if p.const else "string_out", p)
    if p.base == "void" and p.stars == 1:
        return Argument("plain" if p.name == "baseptr" else "choice", p)
    if p.base == "int":
        if p.name == "indx" and function.name in INDEX_FUNCTIONS:
            return Argument("index", p)
        if p.name == "array_of_indices" and function.name in INDICES_FUNCTIONS:
            return Argument("indices", p)
        if p.name.endswith("weights"):
            return Argument("weights", p)
        return Argument("plain", p)
    if p.base in WIDE_TYPES or p.base == "MPI_Status":
        return Argument("plain", p)
    raise ValueError(f"{function.name}: no rule for the argument '{p.c}'")


def arguments(function):
    return [argument(function, parameter) for parameter in function.parameters]
