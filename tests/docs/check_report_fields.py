#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether docs/porting.md describes the fields of an LB report: all of them, in their order, and no others.

  check_report_fields.py DOCUMENT SKEIN

Writes a report with a program of one sync point.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

PROGRAM = "#include <mpi.h>\nint main(int c, char** v) { MPI_Init(&c, &v); MPI_Migrate(); return MPI_Finalize(); }\n"


def described(document):
    with open(document, encoding="utf-8") as file:
        table = file.read().split("| field | unit | |\n", 1)[1].split("\n\n", 1)[0]
    return re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)


def written(skein):
    with tempfile.TemporaryDirectory() as folder:
        source, program, report = (os.path.join(folder, name) for name in ("one.c", "one", "report.json"))
        with open(source, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        subprocess.run([skein, "cc", source, "-o", program], check=True)
        subprocess.run([skein, "run", "-p", "1", "-n", "2", "--lb", "greedy", "--lb-period", "1", "--lb-report", report,
                        program], check=True, stdin=subprocess.DEVNULL)
        with open(report, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
    return list(next(line for line in lines if "step" in line))


def main():
    document, skein = sys.argv[1:]
    if described(document) != written(skein):
        sys.exit(f"{document} describes {described(document)}\nthe report has {written(skein)}")


main()
