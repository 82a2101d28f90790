#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""generate_fortran.py <folder of Skein's mpi.h> <folder of Open MPI's headers> <file>: Open MPI's Fortran procedures.

Each calls the C function of the same stand-in, which converts constants and statuses: Open MPI's are the same in both languages.
What remains is what Skein's own bindings do, so their text is written by the same `Binding`, against fortran.hpp.
"""

import re
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "vmpi" / "api"))

from fortran_bindings import Binding  # noqa: E402
from fortran_model import HAND_WRITTEN, arguments, fortran_functions, fortran_name  # noqa: E402
from generate import BANNER, OBJECT, both_have  # noqa: E402
from parse import HANDLE_TYPES, handle_type, read_api  # noqa: E402

PREDEFINED = re.compile(r"parameter \((MPI_\w+)=(\d+)\)")
WITHOUT_OBJECT = {"MPI_INFO_ENV": "MPI_Info", "MPI_MESSAGE_NO_PROC": "MPI_Message"}


def handles(api, c_header, fortran_headers):
    """For each type of handle: C's predefined ones, by their INTEGERs."""
    kinds = {name: kind for name, kind, _ in OBJECT.findall(c_header)} | WITHOUT_OBJECT
    rows = {kind: {} for kind in sorted(HANDLE_TYPES - {"MPI_Session"})}
    for name, number in PREDEFINED.findall(fortran_headers):
        kind = kinds.get(name) or (name in api.constants and handle_type(api.constants, name))
        if kind:
            rows[kind][int(number)] = name
    for kind, numbers in rows.items():
        yield f"template <>\nconst {kind} predefined<{kind}>[] = {{\n"
        for number in range(max(numbers, default=-1) + 1):
            name = numbers.get(number)
            yield f"#ifdef {name}\n    {name},\n#else\n    nullptr,\n#endif\n" if name else "    nullptr,\n"
        yield f"}};\ntemplate <>\nconst int predefined_count<{kind}> = sizeof(predefined<{kind}>) / sizeof({kind});\n"


def procedure(function):
    """Under each name that programs know it by: that of mpif.h, of mpi_f08, and of tools."""
    name = fortran_name(function)
    text = Binding(function).text().replace(f" skein_{name}(", f" p{name}(", 1)
    stem = name.removesuffix("_")
    names = [name, f"{stem}_f08_", f"p{stem}_f08_"] if function.result == "int" else [name]
    return text + "".join(f"PROCEDURE({each}, p{name})\n" for each in names) + "\n"


def comparisons():
    """Of handles, in mpi_f08: a program refers to gfortran's names of procedures of Open MPI's module."""
    for kind in sorted(HANDLE_TYPES):
        for word, operator in (("eq", "=="), ("ne", "!=")):
            name = f"__mpi_f08_types_MOD_ompi_{kind.removeprefix('MPI_').lower()}_op_{word}"
            yield f"MPI_Fint {name}(const MPI_Fint* a, const MPI_Fint* b) {{ return *a {operator} *b; }}\n"


def main(arguments_given):
    if len(arguments_given) != 3:
        sys.exit(__doc__.splitlines()[0])
    api = read_api(arguments_given[0])
    folder = Path(arguments_given[1])
    c_header = (folder / "mpi.h").read_text()
    fortran_headers = "".join((folder / f"mpif-{name}.h").read_text() for name in ("handles", "io-handles"))
    out = [BANNER, '#include "fortran.hpp"\n\n']
    out += handles(api, c_header, fortran_headers)
    out.append('\nextern "C" {\n\n')
    for function in fortran_functions(api):
        if not both_have(c_header, function.name) or function.name in HAND_WRITTEN:
            continue
        if all(each.kind != "callback" for each in arguments(function)):
            out.append(procedure(function))
    out += comparisons()
    out.append("}\n")
    Path(arguments_given[2]).write_text("".join(out))


if __name__ == "__main__":
    main(sys.argv[1:])
