# SPDX-License-Identifier: Apache-2.0
"""Writes mpif.h and the source of module mpi: constants, the block of special arguments, interfaces.

Both have the same declarations, in lines that are valid in fixed and in free form: columns 7 to 72.
"""

from fortran_model import (
    FORTRAN_ONLY, HAND_WRITTEN, LOGICALS, SIZEOF, WIDE_TYPES, argument, fortran_functions,
)  # fmt: skip
from parse import integer

BANNER = "! SPDX-License-Identifier: Apache-2.0\n! Written by runtime/vmpi/api/generate.py from mpi.h.\n"
INDENT = " " * 6

# Not in Fortran: C's view of Fortran, the tool interface, and constants that describe the ABI.
FOREIGN = ("MPI_F_", "MPI_T_", "SKEIN_MPI_F_", "MPI_F08_")

# Numbers that only Fortran has, or that have other values in C.
KINDS = {"MPI_INTEGER_KIND": 4, "MPI_ADDRESS_KIND": 8, "MPI_OFFSET_KIND": 8, "MPI_COUNT_KIND": 8}
STATUS = {"MPI_STATUS_SIZE": 8, "MPI_SOURCE": 1, "MPI_TAG": 2, "MPI_ERROR": 3}

# The COMMON block, in the order of mpi.h. name: type and shape
SENTINELS = {
    "MPI_BOTTOM": "INTEGER MPI_BOTTOM",
    "MPI_IN_PLACE": "INTEGER MPI_IN_PLACE",
    "MPI_BUFFER_AUTOMATIC": "INTEGER MPI_BUFFER_AUTOMATIC",
    "MPI_UNWEIGHTED": "INTEGER MPI_UNWEIGHTED(1)",
    "MPI_WEIGHTS_EMPTY": "INTEGER MPI_WEIGHTS_EMPTY(1)",
    "MPI_ERRCODES_IGNORE": "INTEGER MPI_ERRCODES_IGNORE(1)",
    "MPI_STATUS_IGNORE": "INTEGER MPI_STATUS_IGNORE(8)",
    "MPI_STATUSES_IGNORE": "INTEGER MPI_STATUSES_IGNORE(8,1)",
    "MPI_ARGV_NULL": "CHARACTER(LEN=4) MPI_ARGV_NULL(1)",
    "MPI_ARGVS_NULL": "CHARACTER(LEN=4) MPI_ARGVS_NULL(1,1)",
}
BLOCK_WORDS = 32
TYPED_FUNCTIONS = {
    "MPI_WTIME": "DOUBLE PRECISION", "MPI_WTICK": "DOUBLE PRECISION",
    "MPI_AINT_ADD": "INTEGER(KIND=8)", "MPI_AINT_DIFF": "INTEGER(KIND=8)",
}  # fmt: skip


def constants(api):
    """Returns {name: value} of the INTEGER constants."""
    values = dict(KINDS) | STATUS
    for name in api.constants:
        value = integer(api.constants, name)
        if value is None or name.startswith(FOREIGN):
            continue
        # Strings have no terminator in Fortran (MPI 4.1, section 19.3.9).
        values[name] = value - 1 if name.startswith("MPI_MAX_") else value
    return values


def words(declaration):
    """Returns the number of INTEGERs in an entry of SENTINELS."""
    shape = declaration.partition("(")[2].rstrip(")")
    return 8 if shape.startswith("8") else 1


def check_block(api):
    """Checks the declarations against the offsets in mpi.h."""
    at = 0
    for name, declaration in SENTINELS.items():
        stated = integer(api.constants, "SKEIN_MPI_F_" + name.removeprefix("MPI_"))
        if at != stated:
            raise ValueError(f"{name} is at {at} of the COMMON block, and at {stated} in mpi.h")
        at += words(declaration)
    return at


def line(text):
    if len(INDENT + text) > 72:
        raise ValueError(f"too long for fixed form: {text}")
    return INDENT + text


def declarations(api):
    """Returns the lines that mpif.h and the module share."""
    lines = []
    for name, value in constants(api).items():
        lines += [line(f"INTEGER {name}"), line(f"PARAMETER ({name}={value})")]
    lines += [line("INTEGER(KIND=8) MPI_DISPLACEMENT_CURRENT"), line("PARAMETER (MPI_DISPLACEMENT_CURRENT=-1_8)")]
    for name in ("MPI_SUBARRAYS_SUPPORTED", "MPI_ASYNC_PROTECTS_NONBLOCKING"):
        lines += [line(f"LOGICAL {name}"), line(f"PARAMETER ({name}=.FALSE.)")]
    padding = BLOCK_WORDS - check_block(api)
    for declaration in [*SENTINELS.values(), f"INTEGER SKEIN_MPI_ROOM({padding})"]:
        lines.append(line(declaration))
    for name in [*SENTINELS, "SKEIN_MPI_ROOM"]:
        lines.append(line(f"COMMON /SKEIN_MPI_SENTINELS/ {name}"))
    lines.append(line("SAVE /SKEIN_MPI_SENTINELS/"))
    for name in FORTRAN_ONLY:
        if name.endswith(("_fn_", "_fn_null_")):
            lines.append(line(f"EXTERNAL {name[:-1].upper()}"))
    return lines


def mpif(api):
    lines = [BANNER + "! For INCLUDE 'mpif.h', in fixed and free form.", *declarations(api)]
    for name, result in TYPED_FUNCTIONS.items():
        for alias in (name, "P" + name):
            lines += [line(f"{result} {alias}"), line(f"EXTERNAL {alias}")]
    return "\n".join(lines) + "\n"


# Argument lists of the hand-written functions: name of the argument and its declaration.
ADDRESS = "integer(MPI_ADDRESS_KIND) :: "
HAND_INTERFACES = {
    "MPI_Init": [],
    "MPI_Init_thread": ["integer :: required", "integer :: provided"],
    "MPI_Info_create_env": ["integer :: info"],
    "MPI_Buffer_detach": ["choice buffer_addr", "integer :: size"],
    "MPI_Comm_detach_buffer": ["integer :: comm", "choice buffer_addr", "integer :: size"],
    "MPI_Session_detach_buffer": ["integer :: session", "choice buffer_addr", "integer :: size"],
    "MPI_Attr_get": ["integer :: comm", "integer :: keyval", "integer :: attribute_val", "logical :: flag"],
    "MPI_Attr_put": ["integer :: comm", "integer :: keyval", "integer :: attribute_val"],
    "MPI_Keyval_create": ["external :: copy_fn", "external :: delete_fn", "integer :: keyval", "integer :: extra_state"],
    "MPI_Grequest_start": [
        "external :: query_fn", "external :: free_fn", "external :: cancel_fn", ADDRESS + "extra_state",
        "integer :: request",
    ],
    "MPI_Register_datarep": [
        "character(*) :: datarep", "external :: read_conversion_fn", "external :: write_conversion_fn",
        "external :: dtype_file_extent_fn", ADDRESS + "extra_state",
    ],
    "MPI_Info_get": [
        "integer :: info", "character(*) :: key", "integer :: valuelen", "character(*) :: value", "logical :: flag",
    ],
    "MPI_Info_get_string": [
        "integer :: info", "character(*) :: key", "integer :: buflen", "character(*) :: value", "logical :: flag",
    ],
    "MPI_Session_get_nth_pset": [
        "integer :: session", "integer :: info", "integer :: n", "integer :: pset_len", "character(*) :: pset_name",
    ],
    "MPI_Comm_spawn": [
        "character(*) :: command", "character(*) :: argv(*)", "integer :: maxprocs", "integer :: info",
        "integer :: root", "integer :: comm", "integer :: intercomm", "integer :: array_of_errcodes(*)",
    ],
    "MPI_Comm_spawn_multiple": [
        "integer :: count", "character(*) :: array_of_commands(*)", "character(*) :: array_of_argv(count,*)",
        "integer :: array_of_maxprocs(*)", "integer :: array_of_info(*)", "integer :: root", "integer :: comm",
        "integer :: intercomm", "integer :: array_of_errcodes(*)",
    ],
    "MPI_Address": ["choice location", "integer :: address"],
    "MPI_Type_extent": ["integer :: datatype", "integer :: extent"],
    "MPI_Type_lb": ["integer :: datatype", "integer :: displacement"],
    "MPI_Type_ub": ["integer :: datatype", "integer :: displacement"],
    "MPI_Type_hvector": [
        "integer :: count", "integer :: blocklength", "integer :: stride", "integer :: oldtype", "integer :: newtype",
    ],
    "MPI_Type_hindexed": [
        "integer :: count", "integer :: array_of_blocklengths(*)", "integer :: array_of_displacements(*)",
        "integer :: oldtype", "integer :: newtype",
    ],
    "MPI_Type_struct": [
        "integer :: count", "integer :: array_of_blocklengths(*)", "integer :: array_of_displacements(*)",
        "integer :: array_of_types(*)", "integer :: newtype",
    ],
}  # fmt: skip
for owner, handle in (("Comm", "comm"), ("Type", "datatype"), ("Win", "win")):
    keyval = f"integer :: {owner.lower()}_keyval"
    common = [f"integer :: {handle}", keyval, ADDRESS + "attribute_val"]
    HAND_INTERFACES[f"MPI_{owner}_get_attr"] = common + ["logical :: flag"]
    HAND_INTERFACES[f"MPI_{owner}_set_attr"] = common
    HAND_INTERFACES[f"MPI_{owner}_create_keyval"] = [
        f"external :: {owner.lower()}_copy_attr_fn", f"external :: {owner.lower()}_delete_attr_fn", keyval,
        ADDRESS + "extra_state",
    ]  # fmt: skip


def declaration(function, parameter):
    """Returns a dummy argument of an interface, in the notation of HAND_INTERFACES."""
    kind = argument(function, parameter).kind
    name = parameter.name
    if kind == "choice":
        return f"choice {name}"
    if kind == "callback":
        return f"external :: {name}"
    if kind in ("string", "string_out"):
        return f"character(*) :: {name}"
    if kind == "statuses":
        return f"integer :: {name}(MPI_STATUS_SIZE,*)"
    if kind == "weights":  # pointers in C, where gcc would warn of MPI_UNWEIGHTED
        return f"integer :: {name}(*)"
    if parameter.base == "MPI_Status":
        return f"integer :: {name}(MPI_STATUS_SIZE)"
    shape = {"": "", "[]": "(*)", "[][3]": "(3,*)"}[parameter.suffix]
    if parameter.base in WIDE_TYPES:
        return f"integer({WIDE_TYPES[parameter.base]}) :: {name}{shape}"
    if parameter.base == "double":
        return f"double precision :: {name}"
    if parameter.name == "baseptr":
        return ADDRESS + name
    return f"{'logical' if name in LOGICALS else 'integer'} :: {name}{shape}"


def dummy_name(declared):
    return declared.split("::")[-1].replace("choice", "").strip().partition("(")[0]


def wrap(head, names):
    """Returns a procedure statement, continued before it gets too long."""
    text, width = head + "(", len(head)
    for position, name in enumerate(names):
        piece = name + (", " if position + 1 < len(names) else ")")
        if width + len(piece) > 100:
            text, width = text.rstrip() + " &\n        ", 8
        text, width = text + piece, width + len(piece)
    return text if names else head + "()"


def procedure(name, declared, result=None):
    """Returns one interface body. Choice buffers take any type and rank."""
    names = [dummy_name(text) for text in declared]
    kind = "function" if result else "subroutine"
    lines = [wrap(f"    {kind} {name}", names)]
    lines.append("      import")
    if result:
        lines.append(f"      {result} :: {name}")
    for text in declared:
        if text.startswith("choice "):
            buffer = text.removeprefix("choice ")
            lines.append(f"      !GCC$ ATTRIBUTES NO_ARG_CHECK :: {buffer}")
            lines.append(f"      type(*), dimension(*) :: {buffer}")
        else:
            lines.append(f"      {text}")
    lines.append(f"    end {kind} {name}")
    return lines


RESULTS = {"double": "double precision", "MPI_Aint": "integer(MPI_ADDRESS_KIND)"}


def dummies(function):
    if function.name in HAND_WRITTEN:
        return HAND_INTERFACES[function.name]
    return [declaration(function, parameter) for parameter in function.parameters]


def c_pointer_form(declared):
    return ["type(c_ptr) :: baseptr" if dummy_name(text) == "baseptr" else text for text in declared]


def status_conversions(error):
    """Returns the conversions between the two forms of a status, which both modules have (MPI 4.1, section 19.3.5)."""
    array, typed = "integer :: f_status(MPI_STATUS_SIZE)", "type(MPI_Status) :: f08_status"
    lines = ["  interface"]
    for prefix in ("", "p"):
        lines += procedure(f"{prefix}mpi_status_f2f08", [array, typed, error])
        lines += procedure(f"{prefix}mpi_status_f082f", [typed, array, error])
    return lines + ["  end interface"]


def module(api):
    lines = [BANNER + "! Interfaces without code: what they name is in the library that programs are linked against."]
    lines += ["module mpi", "  use, intrinsic :: iso_c_binding, only: c_ptr", "  use skein_mpi_types"]
    lines += ["  implicit none", "  private :: c_ptr"]
    lines += declarations(api)
    lines += status_conversions("integer :: ierror")
    overloaded = {name.removesuffix("_cptr_"): name[:-1] for name in FORTRAN_ONLY if name.endswith("_cptr_")}
    functions = fortran_functions(api)
    for function in functions:
        if function.name == "MPI_Pcontrol":
            declared = ["integer :: level"]
        elif function.result != "int":
            declared = dummies(function)
        else:
            declared = dummies(function) + ["integer :: ierror"]
        result = RESULTS.get(function.result)
        for name in (function.name.lower(), "p" + function.name.lower()):
            generic = overloaded.get(name.removeprefix("p")) if name.removeprefix("p") in overloaded else None
            lines.append(f"  interface {name if generic else ''}".rstrip())
            lines += procedure(name, declared, result)
            if generic:
                prefix = "p" if name.startswith("p") else ""
                lines += procedure(prefix + generic, c_pointer_form(declared))
            lines.append("  end interface")
    for prefix in ("", "p"):
        lines.append(f"  interface {prefix}mpi_sizeof")
        for name, (kind, size, _) in SIZEOF.items():  # gfortran's kinds are bytes; of a complex number, of a part
            variable = "character(*) :: x(..)" if kind == "character" else f"{kind}({size}) :: x(..)"
            lines += procedure(prefix + name[:-1], [variable, "integer :: size", "integer :: ierror"])
        lines.append("  end interface")
    lines.append("end module mpi")
    return "\n".join(lines) + "\n"
