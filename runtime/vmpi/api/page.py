#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""page.py <folder of mpi.h> <skein> [<page>]: writes docs/mpi.md, or compares it with the page.

The launcher's symbols show which functions exist: the definitions that report a function as unsupported are weak.
"""

import re
import subprocess
import sys
from pathlib import Path

from chapters import CHAPTERS
from fortran_model import DEPRECATED, fortran_functions, large_functions
from parse import read_api

HEAD = """# MPI

Virtual ranks have MPI 4.1 and the ABI of MPI 5.0. `runtime/vmpi/api/page.py` writes this page from the table of
functions (`include/skein/mpi/skein_mpi_functions.h`) and from the functions that the launcher defines.
[porting.md](porting.md) explains how to build and run programs, and lists the limits of a rank outside of MPI.

Everything here also holds for ranks that move. Every function has its `PMPI_` name. C has {c} functions. Fortran has
{fortran} of them by `mpif.h` and `use mpi` (gfortran's calling conventions, with interfaces), and by `use mpi_f08`. In
`mpi_f08` {large} more take large counts under the same names; functions that MPI-3.0 removed are missing there.

`mpi_f08` passes buffers by descriptors: `MPI_SUBARRAYS_SUPPORTED` and `MPI_ASYNC_PROTECTS_NONBLOCKING` are `.TRUE.`.
Data that is sent, received, reduced, read or written may be an array section with gaps. Specific procedures have the
names of table 19.1 (`MPI_Send_f08ts`, `MPI_Send_c_f08ts`, `MPI_Comm_rank_f08`; with a `P` in front for tools). `mpif.h`
and `mpi` pass buffers by address, and both constants are `.FALSE.`. [porting.md](porting.md) lists the arguments that
gfortran passes as a copy.

## Chapters

| chapter of MPI 4.1 | functions | supported | deviations |
|---|---|---|---|
"""


def sections(header):
    """Returns {section of the table of functions: [name]}, in its order."""
    found, names = {}, None
    for line in header.splitlines():
        if match := re.fullmatch(r"/\* (.*) \*/", line):
            names = found.setdefault(match.group(1), [])
        elif match := re.match(r"SKEIN_MPI_FUNCTION\(\w+, (\w+),", line):
            names.append(match.group(1))
    return {section: names for section, names in found.items() if names}


def implemented(launcher):
    """Returns the functions that the launcher defines."""
    symbols = subprocess.run(["nm", launcher], check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"^[0-9a-f]+ [Tti] skein_(A?MPIX?_\w+)$", symbols, re.MULTILINE))


def listed(names):
    """Returns names, with those of the forms with large counts beside them."""
    all_names = set(names)
    words = [
        f"`{name}`" + (" (also `_c`)" if name + "_c" in all_names else "")
        for name in names
        if not (name.endswith("_c") and name[:-2] in all_names)
    ]
    return ", ".join(words)


def page(api, header, defined):
    table = sections(header)
    unknown, untold = set(CHAPTERS) - set(table), set(table) - set(CHAPTERS)
    if unknown or untold:
        sys.exit(f"chapters.py and skein_mpi_functions.h differ: {sorted(unknown)} {sorted(untold)}")
    fortran = fortran_functions(api)
    text = HEAD.format(c=len(api.functions), fortran=len(fortran), large=len(large_functions(api)))
    missing = []
    for section, names in table.items():
        chapter = CHAPTERS[section]
        absent = [name for name in names if name not in defined]
        missing += absent
        number = f"{len(names)}" + (f", {len(absent)} of them not implemented" if absent else "")
        where = section if chapter.where == "none" else f"{section} ({chapter.where})"
        text += f"| {where} | {number} | {chapter.holds} | {'; '.join(chapter.deviations) or '-'} |\n"
    text += "\n## Functions that are not implemented\n\n"
    text += "They return `MPI_ERR_UNSUPPORTED_OPERATION` through the error handler: " if missing else "None."
    text += listed(missing) + ("." if missing else "") + "\n"
    text += "\n## All functions\n"
    old = {name for name in DEPRECATED}
    for section, names in table.items():
        text += f"\n**{section}**: {listed([name for name in names if name in defined])}.\n"
        gone = [name for name in names if name in old]
        if gone:
            text += f"Not in `mpi_f08`: {listed(gone)}.\n"
    return text


def main(arguments):
    if len(arguments) not in (2, 3):
        sys.exit(__doc__.splitlines()[0])
    folder, launcher = Path(arguments[0]), arguments[1]
    defined = implemented(launcher)
    if not defined:
        sys.exit(f"{launcher} has no symbols")
    text = page(read_api(folder), (folder / "skein_mpi_functions.h").read_text(), defined)
    if len(arguments) == 2:
        sys.stdout.write(text)
    elif Path(arguments[2]).read_text() != text:
        sys.exit(f"{arguments[2]} is not what follows from the table of functions; page.py writes it anew")


if __name__ == "__main__":
    main(sys.argv[1:])
