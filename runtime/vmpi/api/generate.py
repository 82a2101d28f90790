#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""generate.py <folder of mpi.h> <folder for sources> <folder for Fortran>: writes what follows from mpi.h.

Leaves files alone that are up to date, so that a touched header rebuilds only what it changes.
"""

import sys
from pathlib import Path

import c_sources
import collectives
import fortran_bindings
import fortran_f08
import fortran_headers
import fortran_sections
from fortran_model import fortran_symbols
from forwards import forwards
from fronts import fronts, has_front
from parse import read_api


def sources(api):
    """Returns {file name: text} for the launcher and the stub library."""
    return {
        "mpi_rename.h": c_sources.rename_header(api),
        "mpi_conversions.cpp": c_sources.conversions(api),
        "mpi_unsupported.cpp": c_sources.unsupported(api),
        "mpi_fronts.cpp": fronts(api),
        "mpi_symbols.cpp": c_sources.symbol_table(api, fortran_symbols(api), has_front),
        "mpi_stub.c": c_sources.stub_library(api, fortran_symbols(api)),
        "mpi_fortran.cpp": fortran_bindings.bindings(api),
        "mpi_sections.cpp": fortran_sections.section_bindings(api),
        **{f"mpi_{file}.inc": collectives.collectives(api, file) for file in collectives.FILES},
    } | forwards(api)


def fortran(api):
    """Returns {file name: text} for the programs that ranks run."""
    return {
        "mpif.h": fortran_headers.mpif(api),
        "mpi.f90": fortran_headers.module(api),
        "skein_mpi_types.f90": fortran_f08.types_module(),
        "mpi_f08.f90": fortran_f08.module(api),
    }


def write(directory, files):
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = directory / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


def main(arguments):
    if len(arguments) != 3:
        sys.exit(__doc__.splitlines()[0])
    header_directory, source_directory, fortran_directory = map(Path, arguments)
    api = read_api(header_directory)
    write(source_directory, sources(api))
    write(fortran_directory, fortran(api))


if __name__ == "__main__":
    main(sys.argv[1:])
