#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""generate.py <openmpi or mpich> <folder of Skein's mpi.h> <folder of its mpi.h> <folder for sources>: the calls of its ABI.

Writes three C sources of one shared library, which a rank has in place of the other MPI's:

  constants.c  compiled against the other mpi.h: what each number and each predefined handle is there and here
  objects.c    what a predefined handle of the other MPI is: an object of its own, or a row of a perfect hash
  calls.c      every function of MPI that both have: converts, calls Skein's, converts back

How a parameter is converted follows from its type in Skein's mpi.h, and that of an int from its name (INTEGERS).
"""

import random
import re
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "vmpi" / "api"))

from parse import HANDLE_TYPES, NUMBER, handle_type, integer, read_api  # noqa: E402

BANNER = "/* Written by runtime/foreign/generate.py. */\n"

# What an int means: the names of the parameters that have it, and the constants that differ between MPIs.
INTEGERS = {
    "rank": ("dest source root rank target_rank remote_leader ranks1 ranks2 neighbors rank_source rank_dest",
             r"MPI_(ANY_SOURCE|PROC_NULL|ROOT)"),
    "tag": ("tag sendtag recvtag", r"MPI_ANY_TAG"),
    "keyval": ("keyval comm_keyval type_keyval win_keyval",
               r"MPI_(KEYVAL_INVALID|TAG_UB|IO|HOST|WTIME_IS_GLOBAL|APPNUM|LASTUSEDCODE|UNIVERSE_SIZE|"
               r"WIN_(BASE|SIZE|DISP_UNIT|CREATE_FLAVOR|MODEL))"),
    "error": ("errorcode errorclass", r"MPI_(SUCCESS|(T_)?ERR_\w+)"),
    "thread": ("required provided", r"MPI_THREAD_\w+"),
    "comparison": ("result", r"MPI_(IDENT|CONGRUENT|SIMILAR|UNEQUAL)"),
    "topology": ("status", r"MPI_(CART|GRAPH|DIST_GRAPH|UNDEFINED)"),
    "combiner": ("combiner", r"MPI_COMBINER_(?!H\w+_INTEGER|STRUCT_INTEGER)\w+"),
    "order": ("order", r"MPI_ORDER_\w+"),
    "distribution": ("array_of_distribs", r"MPI_DISTRIBUTE_(BLOCK|CYCLIC|NONE)"),
    "distribution_argument": ("array_of_dargs", r"MPI_DISTRIBUTE_DFLT_DARG"),
    "lock": ("lock_type", r"MPI_LOCK_\w+"),
    "seek": ("whence", r"MPI_SEEK_\w+"),
    "split": ("split_type", r"MPI_(COMM_TYPE_\w+|UNDEFINED)"),
    "class": ("typeclass", r"MPI_TYPECLASS_\w+"),
    "flavor": ("", r"MPI_WIN_FLAVOR_\w+"),
    "model": ("", r"MPI_WIN_(SEPARATE|UNIFIED)"),
    "displacement": ("", r"MPI_DISPLACEMENT_CURRENT"),
    "verbosity": ("verbosity", r"MPI_T_VERBOSITY_\w+"),
    "bind": ("bind", r"MPI_T_BIND_\w+"),
    "scope": ("scope", r"MPI_T_SCOPE_\w+"),
    "variable": ("var_class", r"MPI_T_PVAR_CLASS_\w+"),
}  # fmt: skip
# Error classes that came late: what they were before. Others that an MPI lacks are MPI_ERR_OTHER.
BEFORE = {"MPI_ERR_ERRHANDLER": "MPI_ERR_ARG", "MPI_T_ERR_NOT_ACCESSIBLE": "MPI_T_ERR_INVALID",
          "MPI_T_ERR_NOT_SUPPORTED": "MPI_T_ERR_INVALID"}  # fmt: skip
# Which of them are the same everywhere: they cost a comparison.
COMMON = {"rank": "n >= 0", "tag": "n >= 0", "error": "n == 0"}
# Numbers that are sums of these.
FLAGS = {
    "amode": ("amode", r"MPI_MODE_(APPEND|CREATE|DELETE_ON_CLOSE|EXCL|RDONLY|RDWR|SEQUENTIAL|UNIQUE_OPEN|WRONLY)"),
    "assert": ("assert", r"MPI_MODE_(NOCHECK|NOPRECEDE|NOPUT|NOSTORE|NOSUCCEED)"),
}
NUMBERS = INTEGERS | FLAGS
MEANING = {name: meaning for meaning, (names, _) in NUMBERS.items() for name in names.split()}
# How many elements an array has.
LENGTHS = {
    "array_of_requests": "{count}", "array_of_statuses": "{count}", "array_of_types": "{count}",
    "array_of_datatypes": "{types}", "ranks1": "n", "ranks2": "n", "neighbors": "maxneighbors",
    "array_of_distribs": "ndims", "array_of_dargs": "ndims",
    "sendtypes": "{sent}", "recvtypes": "{received}", "array_of_info": "count",
}  # fmt: skip
# Strings that are returned: the constant that says how much room there is for them.
STRINGS = {
    "comm_name": "OBJECT_NAME", "type_name": "OBJECT_NAME", "win_name": "OBJECT_NAME", "string": "ERROR_STRING",
    "version": "LIBRARY_VERSION_STRING", "key": "INFO_KEY", "port_name": "PORT_NAME",
}  # fmt: skip
# Pointers that stand for something else.
POINTERS = ("in_place", "unweighted", "weights_empty", "status_ignore", "statuses_ignore", "t_pvar_all_handles")
# Numbers of Skein's that sources here know by name, as OUR_MPI_X.
OURS = ("MPI_ERR_NO_MEM MPI_ERR_UNSUPPORTED_OPERATION MPI_HOST MPI_IO MPI_WIN_BASE MPI_WIN_SIZE MPI_WIN_CREATE_FLAVOR MPI_WIN_MODEL MPI_CART MPI_GRAPH "
        "MPI_DIST_GRAPH MPI_COMBINER_SUBARRAY MPI_COMBINER_DARRAY MPI_FILE_NULL").split()  # fmt: skip
# What a pointer to a handle is for: read and written by these, written by all others.
CHANGES_HANDLE = re.compile(
    r"MPI_(\w+_free|Comm_disconnect|Type_commit|File_close|Session_finalize|Wait|Test|Start|Cancel|I?[Mm]recv)$")
# Written by hand in special.c.
BY_HAND = re.compile(r"MPI_(Pcontrol|Status_(c2f|f2c)|Op_create(_c)?|\w*create_errhandler|Errhandler_create|\w*create_keyval"
                     r"|Keyval_create|Grequest_start|Register_datarep(_c)?|(Comm|Win)_get_attr|Attr_get)$")  # fmt: skip

# Open MPI's predefined objects: bytes of each, by the type of its handle. From its library's symbol table.
OBJECT_BYTES = {"MPI_Op": 2048, "MPI_Errhandler": 1024, "MPI_File": 1536, "MPI_Group": 256, "MPI_Message": 256,
                "MPI_Info": 256, "MPI_Request": 256}  # fmt: skip
OTHER_OBJECT_BYTES = 512
OBJECT = re.compile(r"#define (MPI_\w+) +OMPI_PREDEFINED_GLOBAL\( *(MPI_\w+), *(\w+)\)")
# MPICH's predefined handles.
VALUE = re.compile(r"#define (MPI_\w+)\s+\(?\((MPI_\w+)\)\s*\(?(0x[0-9a-f]+)\)?", re.IGNORECASE)
KIND_STEP = 0x9E3779B1
TABLE_BITS = 10


def objects(api, theirs):
    """Their first word is Skein's handle, which a copy relocation carries along."""
    out = [BANNER, "#include <stdint.h>\n\n"]
    seen = set()
    for name, kind, symbol in OBJECT.findall(theirs):
        if symbol in seen:
            continue
        seen.add(symbol)
        value = integer(api.constants, name) if name in api.constants else 0
        words = OBJECT_BYTES.get(kind, OTHER_OBJECT_BYTES) // 8
        out.append(f"uintptr_t {symbol}[{words}] = {{{value or 0:#x}}};  /* {name} */\n")
    return "".join(out), ""


def perfect_hash(api, theirs):
    """Kinds are told apart: two of MPICH's null handles are one number. A null handle goes before what MPICH lacks."""
    kinds = {kind: number for number, kind in enumerate(sorted(HANDLE_TYPES))}
    found = sorted((integer(api.constants, name), (int(value, 16) + kinds[kind] * KIND_STEP) % 2**32, name)
                   for name, kind, value in VALUE.findall(theirs) if kind in kinds and name in api.constants)  # fmt: skip
    ours = {}
    for value, key, name in found:
        ours.setdefault(key, (value, name))
    if not ours:
        sys.exit("no predefined handle in MPICH's mpi.h")
    numbers = random.Random(1)
    while True:
        multiplier, rows = numbers.randrange(1, 2**32, 2), {}
        for key in ours:
            rows.setdefault((key * multiplier % 2**32) >> (32 - TABLE_BITS), key)
        if len(rows) == len(ours):
            break
    out = [BANNER, '#include "convert.h"\n\nconst struct Known skein_known[] = {\n']
    out += [f"  [{row}] = {{{key:#x}u, {ours[key][0]:#x}}}, /* {ours[key][1]} */\n" for row, key in sorted(rows.items())]
    out.append(f"  [{2**TABLE_BITS - 1}] = {{0}},\n}};\n" if 2**TABLE_BITS - 1 not in rows else "};\n")
    declared = [f"#define SKEIN_MULTIPLIER {multiplier}u\n#define SKEIN_SHIFT {32 - TABLE_BITS}\n"
                f"#define SKEIN_KIND_STEP {KIND_STEP}u\nstruct Known {{\n  unsigned key, ours;\n}};\n"
                "extern const struct Known skein_known[];\n"]  # fmt: skip
    declared += [f"#define SKEIN_{kind} {number}u\n" for kind, number in kinds.items()]
    return "".join(out), "".join(declared)


@dataclass(frozen=True)
class Abi:
    """What the MPIs whose calls are written here differ in; the rest of it is in their.h of their folders."""

    headers: tuple  # in which functions are declared
    before: str  # what its mpi.h needs
    objects: object  # the text of objects.c, and what it declares
    status: str  # the fields of its status, in order
    by_hand: re.Pattern  # in its own.c
    variables: tuple = ()  # pointers that are variables of its library
    data: str = ""  # those and other variables that its own libraries for other languages refer to, as C


ABIS = {
    "openmpi": Abi(("mpi.h", "openmpi/mpiext/mpiext_pcollreq_c.h"), "#define OMPI_OMIT_MPI1_COMPAT_DECLS 0\n", objects,
                   "MPI_SOURCE MPI_TAG MPI_ERROR _cancelled _ucount", re.compile(r"$^"), data="""
/* Nothing is read in them but by what own.c says that is not there. */
uintptr_t ompi_mpi_errors_throw_exceptions[128], ompi_errcodes_intern[32], ompi_registered_datareps[32];
int ompi_errcode_intern_lastused;
"""),
    "mpich": Abi(("mpi.h", "mpi_proto.h", "mpio.h"), "", perfect_hash,
                 "count_lo count_hi_and_cancelled MPI_SOURCE MPI_TAG MPI_ERROR", re.compile(r"\w+(_c2f|_f2c|_\w*f08\w*)$"),
                 ("unweighted", "weights_empty", "t_pvar_all_handles"), """
/* They have Skein's values (their.h). */
int *const MPI_UNWEIGHTED = (int*)10, *const MPI_WEIGHTS_EMPTY = (int*)11, *const MPI_T_PVAR_ALL_HANDLES = (int*)1;
/* Fortran's special arguments: these are mpi_f08's, the others are put here by its library. */
int MPIR_F08_MPI_BOTTOM, MPIR_F08_MPI_IN_PLACE, MPIR_C_MPI_UNWEIGHTED, MPIR_C_MPI_WEIGHTS_EMPTY;
struct TheirStatus MPIR_F08_MPI_STATUS_IGNORE_OBJ, MPIR_F08_MPI_STATUSES_IGNORE_OBJ[1];
struct TheirStatus *MPI_F08_STATUS_IGNORE = &MPIR_F08_MPI_STATUS_IGNORE_OBJ,
                   *MPI_F08_STATUSES_IGNORE = MPIR_F08_MPI_STATUSES_IGNORE_OBJ;
int *MPI_F_STATUS_IGNORE, *MPI_F_STATUSES_IGNORE;
"""),
}  # fmt: skip


def both_have(theirs, name):
    return re.search(r"\b" + name + r"\b", theirs) is not None


def constants(api, theirs, abi):
    """Compiled against the other mpi.h."""
    out = [BANNER, abi.before, "#include <mpi.h>\n#include <stddef.h>\n#include <stdint.h>\n", '#include "constants.h"\n\n']
    for meaning, (_, pattern) in NUMBERS.items():
        ours = [name for name in api.constants if re.fullmatch(pattern, name) and NUMBER.match(api.constants[name])]
        rows = [(name, name) for name in ours if both_have(theirs, name)]
        if meaning == "error":
            # Its number may be another class there. Behind the others, so that nothing comes in as one of these.
            rows += [(name, BEFORE.get(name, "MPI_ERR_OTHER")) for name in ours
                     if name != "MPI_ERR_LASTCODE" and not both_have(theirs, name)]  # fmt: skip
        out.append(f"const struct Number skein_{meaning}[] = {{\n")
        out += [f"  {{{integer(api.constants, name)}, {there}}},\n" for name, there in rows]
        out.append(f"}};\nconst int skein_{meaning}_count = {len(rows)};\n")
    out.append("const void* const skein_handles[SKEIN_HANDLES] = {\n")
    seen = set()
    for name in api.constants:
        if handle_type(api.constants, name) and both_have(theirs, name):
            value = integer(api.constants, name)
            if value not in seen:
                out.append(f"#ifdef {name}\n  [{value:#x}] = (const void*)(intptr_t)({name}),\n#endif\n")
            seen.add(value)
    out.append("};\n")
    out += [f"const int skein_max_{name.lower()} = MPI_MAX_{name};\n" for name in sorted(set(STRINGS.values()))
            if both_have(theirs, f"MPI_MAX_{name}")]  # fmt: skip
    out += [f"const void* const skein_{name} = (const void*)MPI_{name.upper()};\n" for name in POINTERS
            if name not in abi.variables]  # fmt: skip
    fields = abi.status.split()
    for field, after in zip(fields, fields[1:]):
        out.append(f'_Static_assert(offsetof(MPI_Status, {field}) + sizeof(int) == offsetof(MPI_Status, {after}), "{field}");\n')
    return "".join(out)


def c_type(base):
    if base in HANDLE_TYPES:
        return base
    tool = "void*" if base.startswith("MPI_T_") else base
    return {"MPI_Status": "struct TheirStatus", "MPI_Aint": "intptr_t", "MPI_Count": "int64_t", "MPI_Offset": "int64_t",
            "MPI_Fint": "int", "MPI_T_cb_safety": "int", "MPI_T_source_order": "int"}.get(base, tool)  # fmt: skip


class Call:
    """The text of one function."""

    def __init__(self, function):
        self.function = function
        self.before, self.arguments, self.after = [], [], []
        names = {p.name for p in function.parameters}
        near = "neighbor" in function.name.lower()
        self.is_tool = function.name.startswith("MPI_T_")  # its results may be left out, and there are no events
        self.lengths = {"count": "incount" if "incount" in names else "count",
                        "types": "0" if self.is_tool else "max_datatypes",
                        "sent": "destinations_of(comm)" if near else "members_of(comm)",
                        "received": "sources_of(comm)" if near else "members_of(comm)"}  # fmt: skip
        for p in function.parameters:
            self.convert(p)
        if function.name == "MPI_Type_get_contents":
            self.after.append("if (came == 0) contents_out(in_MPI_Datatype(datatype), array_of_integers);")

    def convert(self, p):
        name = p.name
        if p.base in HANDLE_TYPES:
            self.convert_handle(p)
        elif p.base == "MPI_Status":
            self.convert_status(p)
        elif p.base == "int" and name in MEANING:
            self.convert_number(p, MEANING[name])
        elif p.base == "int" and name.endswith("weights"):
            self.arguments.append(f"in_weights({name})" if p.const else name)
        elif p.base == "char" and p.stars == 1 and not p.const and name in STRINGS:
            self.convert_string(p)
        elif p.base == "void" and p.stars == 1 and name.endswith("buf"):
            self.arguments.append(f"in_buffer({name})")
        elif p.base == "MPI_T_pvar_handle" and p.by_value:
            self.arguments.append(f"in_variable_handle({name})")
        elif p.base == "MPI_Offset" and self.function.name == "MPI_File_set_view":
            self.arguments.append(f"in_offset({name})")
        else:
            self.arguments.append(name)

    def convert_handle(self, p):
        name = p.name
        if p.by_value:
            self.arguments.append(f"in_{p.base}({name})")
        elif p.suffix:
            length = LENGTHS[name].format(**self.lengths)
            if name == "sendtypes":
                length = f"(in_place(sendbuf) ? 0 : {length})"
            given = "NULL" if not p.const and name == "array_of_datatypes" else name
            self.before.append(f"struct Handles {name}_here;\n  handles_in(&{name}_here, {given}, {length}, in_{p.base});")
            self.arguments.append(f"{name}_here.of")
            if given == "NULL" or name == "array_of_requests":
                self.after.append(f"give_handles_back({name}, &{name}_here, out_{p.base});")
            else:
                self.after.append(f"drop_handles(&{name}_here);")
        else:
            first = f"in_{p.base}(*{name})" if CHANGES_HANDLE.match(self.function.name) else "0"
            self.before.append(f"Handle {name}_here = {first};")
            self.arguments.append(f"&{name}_here")
            wanted = f"{name} && " if self.is_tool else ""
            self.after.append(f"if ({wanted}{name}_here) *{name} = out_{p.base}({name}_here);")

    def convert_status(self, p):
        name = p.name
        if name in LENGTHS:
            length = LENGTHS[name].format(**self.lengths)
            self.before.append(f"struct Statuses {name}_here;\n  statuses_in(&{name}_here, {name}, {length});")
            self.arguments.append(f"{name}_here.of")
            self.after.append(f"give_statuses_back({name}, &{name}_here);")
        elif p.const:
            self.before.append(f"const struct Status {name}_here = status_in({name});")
            self.arguments.append(f"&{name}_here")
        else:
            self.before.append(f"struct Status {name}_here = status_in({name});")
            self.arguments.append(f"ignored({name}) ? NULL : &{name}_here")
            self.after.append(f"if (!ignored({name})) *{name} = status_out(&{name}_here);")

    def convert_number(self, p, meaning):
        name = p.name
        if p.by_value:
            self.arguments.append(f"in_{meaning}({name})")
        elif p.const:
            self.before.append(f"struct Numbers {name}_here;\n  numbers_in(&{name}_here, {name}, {LENGTHS[name]}, skein_{meaning}, skein_{meaning}_count);")
            self.arguments.append(f"{name}_here.of")
            self.after.append(f"drop_numbers(&{name}_here);")
        else:
            first = f"in_{meaning}(*{name})" if re.search(r"_free_keyval|Keyval_free", self.function.name) else None
            if first:
                self.before.append(f"*{name} = {first};")
            self.arguments.append(name)
            if p.suffix:
                self.after.append(f"for (int i = 0; i < {LENGTHS[name]}; ++i) {name}[i] = out_{meaning}({name}[i]);")
            else:
                wanted = f"if ({name}) " if self.is_tool else ""
                self.after.append(f"{wanted}*{name} = out_{meaning}(*{name});")

    def convert_string(self, p):
        room = STRINGS[p.name].lower()
        self.before.append(f"char {p.name}_here[SKEIN_LONGEST_STRING];")
        self.arguments.append(f"{p.name}_here")
        length = "resultlen" if any(q.name == "resultlen" for q in self.function.parameters) else "0"
        self.after.append(f"if (came == 0) shorten({p.name}, {p.name}_here, skein_max_{room}, {length});")

    def text(self):
        f = self.function
        here = f"skein_here_{f.name}"
        results = {"int": "out_error(came)"} if f.result == "int" else {}
        result_type = c_type(f.result)
        returned = f"out_{f.result}(came)" if f.result in HANDLE_TYPES else results.get(f.result, "came")
        hook = ""
        if re.search(r"_c2f$|_f2c$", f.name):
            # Fortran's numbers of predefined handles are known to its library, if the program has that.
            hook = f"skein_fortran_{f.name}"
            returned = "came" if f.result == "MPI_Fint" else returned
        parameters = ", ".join(parameter(p) for p in f.parameters) or "void"
        body = f"  if ({hook}) return {hook}({f.parameters[0].name});\n" if hook else ""
        body += "".join(f"  {line}\n" for line in self.before)
        came_type = "Handle" if f.result in HANDLE_TYPES else result_type
        body += f"  const {came_type} came = {here}({', '.join(self.arguments)});\n"
        body += "".join(f"  {line}\n" for line in self.after)
        declared = f"extern {result_type} {hook}({parameters}) __attribute__((weak));\n" if hook else ""
        return (f"extern {came_type} {here}();\n{declared}"
                f"{result_type} P{f.name}({parameters}) {{\n{body}  return {returned};\n}}\n"
                f"ALIAS({f.name})\n\n")  # fmt: skip


def parameter(p):
    """As the other MPI's program passes it."""
    text = ("const " if p.const else "") + c_type(p.base) + "*" * p.stars + " " + p.name + p.suffix
    return text.replace("void ", "void ", 1)


def extension(name):
    """Its name where it came before the standard had it."""
    return name.replace("MPI_", "MPIX_", 1)


def calls(api, theirs, abi):
    out = [BANNER, '#include "convert.h"\n\n']
    for function in api.functions:
        if BY_HAND.match(function.name) or abi.by_hand.match(function.name):
            continue
        if both_have(theirs, function.name):
            out.append(Call(function).text())
        elif both_have(theirs, extension(function.name)):
            renamed = extension(function.name)
            out.append(Call(function).text().replace(f"P{function.name}(", f"P{renamed}(")
                       .replace(f"ALIAS({function.name})", f"ALIAS({renamed})"))  # fmt: skip
    return "".join(out)


def header_text(api, declared):
    """What constants.c defines, and the functions that go through its tables."""
    out = [BANNER, '#include "numbers.h"\n\n#pragma GCC visibility push(hidden)\n', "enum { SKEIN_HANDLES = 1 << 12 };\n"]
    out += [f"enum {{ OUR_{name} = {integer(api.constants, name)} }};\n" for name in OURS]
    out += [f"extern const void* const skein_{name};\n" for name in POINTERS]
    out += [f"extern const int skein_max_{name.lower()};\n" for name in sorted(set(STRINGS.values()))]
    out.append("extern const void* const skein_handles[SKEIN_HANDLES];\n")
    for meaning in NUMBERS:
        out.append(f"extern const struct Number skein_{meaning}[];\nextern const int skein_{meaning}_count;\n")
    for meaning in INTEGERS:
        for way in ("in", "out"):
            out.append(f"static inline int {way}_{meaning}(int n) {{\n"
                       f"  return {COMMON.get(meaning, '0')} ? n : number_{way}(n, skein_{meaning}, skein_{meaning}_count);\n}}\n")  # fmt: skip
    for meaning in FLAGS:
        out.append(f"static inline int in_{meaning}(int n) {{ return flags_in(n, skein_{meaning}, skein_{meaning}_count); }}\n"
                   f"static inline int out_{meaning}(int n) {{ return flags_out(n, skein_{meaning}, skein_{meaning}_count); }}\n")  # fmt: skip
    out.append(declared + "#pragma GCC visibility pop\n")
    return "".join(out)


def text_of(folder, abi):
    """Its headers, as far as this version has them."""
    return "".join(file.read_text() for file in (folder / header for header in abi.headers) if file.exists())


def main(arguments):
    if len(arguments) != 4 or arguments[0] not in ABIS:
        sys.exit(__doc__.splitlines()[0])
    abi = ABIS[arguments[0]]
    api = read_api(arguments[1])
    theirs = text_of(Path(arguments[2]), abi)
    directory = Path(arguments[3])
    directory.mkdir(parents=True, exist_ok=True)
    text_of_objects, declared = abi.objects(api, theirs)
    files = {"constants.h": header_text(api, declared), "constants.c": constants(api, theirs, abi),
             "objects.c": text_of_objects + abi.data, "calls.c": calls(api, theirs, abi)}  # fmt: skip
    for name, text in files.items():
        (directory / name).write_text(text)


if __name__ == "__main__":
    main(sys.argv[1:])
