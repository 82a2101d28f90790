#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles and runs the programs of a document on native programs.

  run_native.py DOCUMENT MPIEXEC COMPILER ARGUMENT...

A program is a ```cpp block whose first line is a comment with its file name. It is run on 1 and 2 PEs, and on 2 with its
elements moved at random; each time its output must be the lines of the ```text block behind it, in any order. The header that
nearly all of them include is compiled once.
"""
import os
import re
import subprocess
import sys
import tempfile

PROGRAM = re.compile(r"^```cpp\n(// ([\w-]+)\.cpp\n.*?)^```\n^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEADER = "#include <skein/skein.hpp>\n"


def main():
    document, mpiexec, *compiler = sys.argv[1:]
    with open(document, encoding="utf-8") as file:
        programs = PROGRAM.findall(file.read())
    if not programs:
        sys.exit(f"{document}: no program was found")
    before, libraries = (part.split() for part in " ".join(compiler).split(" -- "))
    with tempfile.TemporaryDirectory() as folder:
        once = os.path.join(folder, "once.hpp")
        with open(once, "w", encoding="utf-8") as file:
            file.write(HEADER)
        subprocess.run([*before, "-x", "c++-header", once, "-o", once + ".gch"], check=True)
        for source, name, expected in programs:
            path = os.path.join(folder, name)
            with open(path + ".cpp", "w", encoding="utf-8") as file:
                file.write(source)
            included = ["-include", once] if HEADER in source else []
            subprocess.run([*before, *included, path + ".cpp", "-o", path, *libraries], check=True)
            for pes, options in ((1, []), (2, []), (2, ["--skein.lb=random", "--skein.lb-period=1", "--skein.quiet"])):
                command = [mpiexec, "-n", str(pes), path, *options]
                got = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
                if sorted(got.splitlines()) != sorted(expected.splitlines()):
                    sys.exit(f"{command}: prints\n{got}instead of\n{expected}")


main()
