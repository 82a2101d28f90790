#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles and runs the examples of a document, in order, in an empty folder.

  run_examples.py DOCUMENT FOLDER_OF_SKEIN

Three kinds of fenced blocks count; others are for reading only.
  - one whose first line is a comment with a file name alone ("/* app.c */", "# CMakeLists.txt", "! a.f90"): that file
  - ```sh run       commands that must succeed
  - ```text output  lines that the output of the commands before must hold, in any order; "..." stands for anything
"""
import os
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```(.*)$")
FILE_NAME = re.compile(r"^(?:/\*|//|#|!) ([\w.-]+\.[\w]+)(?: \*/)?$")


def blocks(text):
    """(information behind the fence, lines, number of the first line) of each fenced block."""
    information, lines, start = None, [], 0
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if information is None and fence:
            information, lines, start = fence[1].strip(), [], number + 1
        elif information is not None and line == "```":
            yield information, lines, start
            information = None
        elif information is not None:
            lines.append(line)
    if information is not None:
        sys.exit(f"a block that begins before line {start} has no end")


def pattern(line):
    return ".*".join(re.escape(part) for part in line.strip().split("..."))


def run(commands, folder, place):
    result = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=folder, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    print(f"{place}:\n{commands}\n{result.stdout}")
    if result.returncode != 0:
        sys.exit(f"{place}: exit status {result.returncode}")
    return result.stdout


def main():
    document, skein_folder = sys.argv[1:]
    os.environ["PATH"] = os.path.abspath(skein_folder) + os.pathsep + os.environ["PATH"]
    with open(document, encoding="utf-8") as file:
        text = file.read()
    output, commands_run = None, 0
    with tempfile.TemporaryDirectory() as folder:
        for information, lines, number in blocks(text):
            place = f"{document}:{number}"
            if information == "sh run":
                output = run("\n".join(lines), folder, place)
                commands_run += 1
            elif information == "text output":
                if output is None:
                    sys.exit(f"{place}: output of nothing")
                for line in lines:
                    if not any(re.fullmatch(pattern(line), got.strip()) for got in output.splitlines()):
                        sys.exit(f"{place}: no line of the output is: {line}")
            elif lines and (name := FILE_NAME.match(lines[0])):
                with open(os.path.join(folder, name[1]), "w", encoding="utf-8") as file:
                    file.write("\n".join(lines) + "\n")
    if commands_run == 0:
        sys.exit(f"{document}: no example was found")


main()
