# SPDX-License-Identifier: Apache-2.0
"""Writes the sources of modules skein_mpi_types, mpi_f08: handles as types of their own, interfaces with intents.

MPI 4.1, section 19.1.2 and annex A.4. A handle is passed as the INTEGER in it, a status as the array that mpif.h has, and
an absent error code as a null pointer: so procedures without choice buffers are those of mpif.h under another name, and
the module needs no code. Choice buffers are passed by descriptors, so that array sections need no copies.
"""

from fortran_headers import (
    BANNER, BLOCK_WORDS, HAND_INTERFACES, INDENT, RESULTS, SENTINELS, SIZEOF, check_block, constants, dummy_name,
    procedure, status_conversions,
)  # fmt: skip
from fortran_model import (
    DEPRECATED, HAND_WRITTEN, LOGICALS, WIDE_TYPES, argument, f08_name, fortran_functions, large_form,
)  # fmt: skip
from fortran_sections import is_asynchronous
from parse import HANDLE_TYPES, handle_type

ADDRESS, COUNT, OFFSET = (f"integer(MPI_{kind}_KIND)" for kind in ("ADDRESS", "COUNT", "OFFSET"))
ERROR = "integer, optional, intent(out) :: ierror"


def types_module():
    """Returns the types of handles and statuses, which MPI 4.1 requires in module mpi as well."""
    lines = [BANNER + "! The types of handles and statuses, and what compares handles.", "module skein_mpi_types"]
    lines.append("  implicit none")
    for name in sorted(HANDLE_TYPES):
        lines += [f"  type, bind(c) :: {name}", "    integer :: MPI_VAL", f"  end type {name}"]
    lines += ["  type, bind(c) :: MPI_Status", "    integer :: MPI_SOURCE, MPI_TAG, MPI_ERROR"]
    lines += ["    integer, private :: internal(5)", "  end type MPI_Status"]
    for operator, word in (("==", "eq"), ("/=", "ne")):
        lines.append(f"  interface operator({operator})")
        for name in sorted(HANDLE_TYPES):
            declared = [f"type({name}), intent(in) :: a", f"type({name}), intent(in) :: b"]
            first, *rest = procedure(comparison(name, word), declared, "logical")
            lines += [first.replace("function", "elemental function"), *rest]
        lines.append("  end interface")
    return "\n".join(lines + ["end module skein_mpi_types"]) + "\n"


def comparison(handle, word):
    return f"{handle.lower()}_f08_{word}"


def attribute_functions(owner, handle, dummy):
    keyval = f"integer :: {owner.lower()}_keyval"
    of = f"type({handle}) :: "
    last = ["integer :: ierror"]
    return {
        f"MPI_{owner}_copy_attr_function": [
            of + "old" + dummy, keyval, f"{ADDRESS} :: extra_state", f"{ADDRESS} :: attribute_val_in",
            f"{ADDRESS} :: attribute_val_out", "logical :: flag",
        ] + last,
        f"MPI_{owner}_delete_attr_function": [
            of + dummy, keyval, f"{ADDRESS} :: attribute_val", f"{ADDRESS} :: extra_state",
        ] + last,
    }  # fmt: skip


def user_function(count):
    return ["type(c_ptr), value :: invec", "type(c_ptr), value :: inoutvec", f"{count} :: len",
            "type(MPI_Datatype) :: datatype"]  # fmt: skip


def conversion_function(count):
    return ["type(c_ptr), value :: userbuf", "type(MPI_Datatype) :: datatype", f"{count} :: count",
            "type(c_ptr), value :: filebuf", f"{OFFSET} :: position", f"{ADDRESS} :: extra_state",
            "integer :: ierror"]  # fmt: skip


EXTRA = f"{ADDRESS} :: extra_state"
# The abstract interfaces of callbacks: name: its arguments.
CALLBACKS = {
    "MPI_User_function": user_function("integer"),
    "MPI_User_function_c": user_function(COUNT),
    "MPI_Grequest_query_function": [EXTRA, "type(MPI_Status) :: status", "integer :: ierror"],
    "MPI_Grequest_free_function": [EXTRA, "integer :: ierror"],
    "MPI_Grequest_cancel_function": [EXTRA, "logical :: complete", "integer :: ierror"],
    "MPI_Datarep_extent_function": [
        "type(MPI_Datatype) :: datatype", f"{ADDRESS} :: extent", EXTRA, "integer :: ierror",
    ],
    "MPI_Datarep_conversion_function": conversion_function("integer"),
    "MPI_Datarep_conversion_function_c": conversion_function(COUNT),
}  # fmt: skip
for each, of, called in (("Comm", "MPI_Comm", "comm"), ("Type", "MPI_Datatype", "type"), ("Win", "MPI_Win", "win")):
    CALLBACKS |= attribute_functions(each, of, called)
for each in ("Comm", "File", "Win", "Session"):
    CALLBACKS[f"MPI_{each}_errhandler_function"] = [f"type(MPI_{each}) :: {each.lower()}", "integer :: error_code"]

# Predefined callbacks. name: its abstract interface
PREDEFINED = {"mpi_conversion_fn_null": "MPI_Datarep_conversion_function"}
for each in ("Comm", "Type", "Win"):
    PREDEFINED[f"mpi_{each.lower()}_null_copy_fn"] = f"MPI_{each}_copy_attr_function"
    PREDEFINED[f"mpi_{each.lower()}_dup_fn"] = f"MPI_{each}_copy_attr_function"
    PREDEFINED[f"mpi_{each.lower()}_null_delete_fn"] = f"MPI_{each}_delete_attr_function"

# Handles among the arguments that HAND_INTERFACES declares as INTEGERs. dummy: type
HAND_HANDLES = {
    "comm": "MPI_Comm", "intercomm": "MPI_Comm", "info": "MPI_Info", "request": "MPI_Request",
    "session": "MPI_Session", "datatype": "MPI_Datatype", "win": "MPI_Win", "array_of_info": "MPI_Info",
}  # fmt: skip
# Callbacks among the arguments that HAND_INTERFACES declares. (function, dummy): abstract interface
HAND_CALLBACKS = {
    "query_fn": "MPI_Grequest_query_function", "free_fn": "MPI_Grequest_free_function",
    "cancel_fn": "MPI_Grequest_cancel_function", "dtype_file_extent_fn": "MPI_Datarep_extent_function",
    "read_conversion_fn": "MPI_Datarep_conversion_function", "write_conversion_fn": "MPI_Datarep_conversion_function",
}  # fmt: skip
for each in ("comm", "type", "win"):
    for action in ("copy", "delete"):
        HAND_CALLBACKS[f"{each}_{action}_attr_fn"] = f"MPI_{each.capitalize()}_{action}_attr_function"


def hand_declaration(text, large):
    """Returns an entry of HAND_INTERFACES with this module's types."""
    kind, _, shaped = text.partition(" :: ")
    name = dummy_name(text)
    if text.startswith("choice buffer_addr"):
        return "type(c_ptr) :: buffer_addr"
    if name in HAND_HANDLES:
        return f"type({HAND_HANDLES[name]}) :: {shaped}"
    if kind == "external":
        suffix = "_c" if large and "conversion" in name else ""
        return f"procedure({HAND_CALLBACKS[name]}{suffix}) :: {name}"
    if large and name == "size":
        return f"{COUNT} :: size"
    return text


def buffer(name, attributes):
    return f"type(*), dimension(..){attributes} :: {name}"


def declaration(function, parameter):
    """Returns a dummy argument of an interface body."""
    p = parameter
    kind = argument(function, p).kind
    given = ", intent(in)" if p.by_value or p.const else ""
    shape = {"": "", "[]": "(*)", "[][3]": "(3,*)"}[p.suffix]
    if kind == "choice":
        return buffer(p.name, f"{given}{', asynchronous' if is_asynchronous(function) else ''}")
    if kind == "callback":
        return f"external :: {p.name}" if p.base == "MPI_MigrateFn" else f"procedure({callback(p.base)}) :: {p.name}"
    if kind in ("string", "string_out"):
        return f"character(len=*), intent({'in' if kind == 'string' else 'out'}) :: {p.name}"
    if p.base in HANDLE_TYPES:
        return f"type({p.base}){given} :: {p.name}{shape}"
    if kind == "weights":  # pointers in C, where gcc would warn of MPI_UNWEIGHTED
        return f"integer{given} :: {p.name}(*)"
    if p.base == "MPI_Status":
        return f"type(MPI_Status){given} :: {p.name}{'(*)' if kind == 'statuses' else ''}"
    if p.name == "baseptr":
        return "type(c_ptr), intent(out) :: baseptr"
    if p.base in WIDE_TYPES:
        return f"integer({WIDE_TYPES[p.base]}){given} :: {p.name}{shape}"
    if p.base == "double":
        return f"double precision{given} :: {p.name}"
    return f"{'logical' if p.name in LOGICALS else 'integer'}{given} :: {p.name}{shape}"


def callback(base):
    """Returns the abstract interface of a C type of callbacks."""
    return base.replace("_errhandler_fn", "_errhandler_function")


def dummies(function, large=False):
    name = function.name.removesuffix("_c") if large else function.name
    if name in HAND_WRITTEN:
        return [hand_declaration(text, large) for text in HAND_INTERFACES[name]]
    return [declaration(function, parameter) for parameter in function.parameters]


def kinds(declared):
    """Returns the properties by which gfortran tells specific procedures apart; MPI's wide integers have one kind."""
    kind, _, shaped = declared.partition(" :: ")
    text = kind.replace(", intent(in)", "").replace(", intent(out)", "")
    if text in (ADDRESS, COUNT, OFFSET):
        text = "integer(8)"
    return text.partition("(")[0] if text.startswith("procedure") else text, "(" in shaped


def interface(api, function):
    """Returns the generic interface of a function and its large form, also under the profiling name."""
    result = RESULTS.get(function.result)
    if function.name == "MPI_Pcontrol":
        forms = [(f08_name(function), ["integer, intent(in) :: level"])]
    else:
        last = [] if result else [ERROR]
        forms = [(f08_name(function), dummies(function) + last)]
        large = large_form(api, function)
        if large:
            forms.append((f08_name(large), dummies(large, True) + last))
    generic = function.name.lower()
    ambiguous = len(forms) == 2 and list(map(kinds, forms[0][1])) == list(map(kinds, forms[1][1]))
    groups = [(f"{generic}_c" if at else generic, [form]) for at, form in enumerate(forms)] if ambiguous else [
        (generic, forms)]  # fmt: skip
    lines = []
    for prefix in ("", "p"):
        for name, specific in groups:
            lines.append(f"  interface {prefix}{name}")
            for external, declared in specific:
                lines += procedure(prefix + external, declared, result)
            lines.append("  end interface")
    return lines


def special_arguments(api):
    """Returns the COMMON block of mpif.h, with statuses of their own type."""
    padding = BLOCK_WORDS - check_block(api)
    lines = []
    for name, text in SENTINELS.items():
        typed = {"MPI_STATUS_IGNORE": "TYPE(MPI_Status) MPI_STATUS_IGNORE",
                 "MPI_STATUSES_IGNORE": "TYPE(MPI_Status) MPI_STATUSES_IGNORE(1)"}.get(name, text)  # fmt: skip
        lines.append(INDENT + typed)
    lines.append(f"{INDENT}INTEGER, PRIVATE :: SKEIN_MPI_ROOM({padding})")
    lines += [f"{INDENT}COMMON /SKEIN_MPI_SENTINELS/ {name}" for name in [*SENTINELS, "SKEIN_MPI_ROOM"]]
    return lines + [f"{INDENT}SAVE /SKEIN_MPI_SENTINELS/"]


def named_constants(api):
    lines = []
    for name, value in constants(api).items():
        handle = handle_type(api.constants, name) if name in api.constants else None
        if handle:
            lines.append(f"  type({handle}), parameter :: {name} = {handle}({value})")
        else:
            lines.append(f"  integer, parameter :: {name} = {value}")
    lines.append(f"  {OFFSET}, parameter :: MPI_DISPLACEMENT_CURRENT = -1_MPI_OFFSET_KIND")
    for name in ("MPI_SUBARRAYS_SUPPORTED", "MPI_ASYNC_PROTECTS_NONBLOCKING"):
        lines.append(f"  logical, parameter :: {name} = .true.")
    return lines


def module(api):
    lines = [BANNER + "! Interfaces without code: what they name is in the library that programs are linked against."]
    lines += ["module mpi_f08", "  use, intrinsic :: iso_c_binding, only: c_ptr", "  use skein_mpi_types"]
    lines += ["  implicit none", "  private :: c_ptr", *named_constants(api), *special_arguments(api)]
    lines.append("  abstract interface")
    for name, declared in CALLBACKS.items():
        lines += procedure(name, declared)
    lines += ["  end interface", "  interface"]
    for name, form in PREDEFINED.items():
        lines += procedure(name, CALLBACKS[form])
    lines.append("  end interface")
    for prefix in ("", "p"):
        lines.append(f"  interface {prefix}mpi_f_sync_reg")
        lines += procedure(f"{prefix}mpi_f_sync_reg_f08ts", [buffer("buf", ", asynchronous")])
        lines.append("  end interface")
    lines += status_conversions(ERROR)
    for function in fortran_functions(api):
        if function.name not in DEPRECATED:
            lines += interface(api, function)
    for prefix in ("", "p"):
        lines.append(f"  interface {prefix}mpi_sizeof")
        for name, (kind, size, _) in SIZEOF.items():
            variable = "character(*) :: x(..)" if kind == "character" else f"{kind}({size}) :: x(..)"
            lines += procedure(prefix + name[:-1], [variable, "integer, intent(out) :: size", ERROR])
        lines.append("  end interface")
    return "\n".join(lines + ["end module mpi_f08"]) + "\n"
