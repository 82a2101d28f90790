#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""generate_fortran.py <folder of Skein's mpi.h> <folder of Open MPI's headers> <file>: Open MPI's Fortran procedures.

Each calls the C function of the same stand-in, which converts constants and statuses: Open MPI's are the same in both languages.
What remains is what Skein's own bindings do, so their text is written by the same `Binding`, against fortran.hpp.
"""

import re
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent.parent / "vmpi" / "api"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from fortran_bindings import Binding  # noqa: E402
from fortran_model import HAND_WRITTEN, arguments, fortran_functions, fortran_name  # noqa: E402
from generate import ABIS, BANNER, OBJECT, both_have, extension, text_of  # noqa: E402
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
        yield f"template <>\nconst {kind} Predefined<{kind}>::of[] = {{\n"
        for number in range(max(numbers, default=-1) + 1):
            name = numbers.get(number)
            yield f"#ifdef {name}\n    {name},\n#else\n    nullptr,\n#endif\n" if name else "    nullptr,\n"
        yield f"}};\ntemplate <>\nconst int Predefined<{kind}>::count = sizeof(Predefined<{kind}>::of) / sizeof({kind});\n"


def procedure(function, name):
    """`name`: what C has it as. Under each name that it has for programs, tools, and Open MPI's library for mpi_f08."""
    own = fortran_name(function)
    text = Binding(function).text().replace(f" skein_{own}(", f" p{name.lower()}_(", 1).replace(f" {function.name}(", f" {name}(")
    prefix, stem = name.lower().split("_", 1)
    return text + (f"PROCEDURES({stem})\n\n" if prefix == "mpi" else f"PROCEDURE(ompix_{stem}_f, p{name.lower()}_)\n\n")


def conversions():
    """What C's functions call of that name, which know no numbers of Fortran's."""
    for kind in sorted(HANDLE_TYPES - {"MPI_Session"}):
        name = "skein_fortran_" + ("MPI_Type" if kind == "MPI_Datatype" else kind)
        yield f"MPI_Fint {name}_c2f({kind} handle) {{ return number_of(handle); }}\n"
        yield f"{kind} {name}_f2c(MPI_Fint number) {{ return handle_of<{kind}>(number); }}\n"


def main(arguments_given):
    if len(arguments_given) != 3:
        sys.exit(__doc__.splitlines()[0])
    api = read_api(arguments_given[0])
    folder = Path(arguments_given[1])
    c_header = text_of(folder, ABIS["openmpi"])
    fortran_headers = "".join((folder / f"mpif-{name}.h").read_text() for name in ("handles", "io-handles"))
    out = [BANNER, '#include "fortran.hpp"\n\n']
    out += handles(api, c_header, fortran_headers)
    out.append('\nextern "C" {\n\n')
    for function in fortran_functions(api):
        name = function.name if both_have(c_header, function.name) else extension(function.name)
        if not both_have(c_header, name) or function.name in HAND_WRITTEN:
            continue
        if all(each.kind != "callback" for each in arguments(function)):
            out.append(procedure(function, name))
    out += conversions()
    out.append("}\n")
    Path(arguments_given[2]).write_text("".join(out))


if __name__ == "__main__":
    main(sys.argv[1:])
