#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""generate.py <folder of mpi.h> <output folder>: writes every source that follows from mpi.h.

Files that are up to date are left alone, so that a touched header rebuilds only what it changes.
"""

import sys
from pathlib import Path

import c_sources
from parse import read_api


def outputs(api):
    """{file name: text}"""
    return {
        "mpi_rename.h": c_sources.rename_header(api),
    }


def main(arguments):
    if len(arguments) != 2:
        sys.exit(__doc__.splitlines()[0])
    header_directory, output_directory = map(Path, arguments)
    output_directory.mkdir(parents=True, exist_ok=True)
    for name, text in outputs(read_api(header_directory)).items():
        path = output_directory / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


if __name__ == "__main__":
    main(sys.argv[1:])
