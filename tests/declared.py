#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reports how many functions are declared in a header of another name than the source file that defines them has, and
fails where their share grows: whoever looks for a function looks in the file of its header's name.

Counted are the functions that source files of runtime/ and lb/ define at namespace scope, members among them, and that a
header of their folder or a public one declares. --list lists those declared elsewhere."""

import collections
import os
import re
import subprocess
import sys

# The share may only shrink.
MOST_PERCENT = 5.0

FUNCTION = re.compile(r'^(?!using|typedef|return|static|namespace|template|#|//|\}|extern "C")[\w\[][\w:<>,*& \[\]]*?[ *&]((?:\w+::)*~?\w+)\(', re.M)
TYPE = re.compile(r"^(?:struct|class)\s+(?:\[\[.*?\]\]\s*|alignas\(\w+\)\s*)?(\w+)[^;{]*\{", re.M)
# Their last lines say what ends, as the house formats them.
PRIVATE = re.compile(r'^namespace \{.*?^\}  // namespace$|^extern "C" \{.*?^\}', re.M | re.S)


def read(*patterns):
    listed = subprocess.run(["git", "ls-files", *patterns], capture_output=True, text=True, check=True).stdout.split()
    for path in filter(os.path.exists, listed):
        with open(path, encoding="utf-8") as file:
            yield path, file.read()


def folder(path):
    return "/".join(path.split("/")[: 2 if path.startswith("runtime") else 1])


def is_unit_of(name_of_file, header):
    """A unit of several source files has them side by side: heap_bins.cpp is of heap.hpp."""
    name = os.path.splitext(os.path.basename(header))[0]
    return name_of_file == name or name_of_file.startswith(name + "_")


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    declared = collections.defaultdict(set)
    for path, text in read("runtime/*.hpp", "lb/*.hpp", "include/*.hpp"):
        for name in FUNCTION.findall(text) + TYPE.findall(text):
            declared[name].add(path)
    functions, elsewhere = 0, []
    for path, text in read("runtime/*.cpp", "lb/*.cpp"):
        name_of_file = os.path.splitext(os.path.basename(path))[0]
        for name in sorted(set(FUNCTION.findall(PRIVATE.sub("", text)))):
            headers = {h for h in declared[name.split("::")[0]] if folder(h) in (folder(path), "include")}
            functions += bool(headers)
            if headers and not any(is_unit_of(name_of_file, header) for header in headers):
                elsewhere.append(f"  {path}: {name}, declared in {min(headers)}")
    percent = 100 * len(elsewhere) / functions
    if "--list" in sys.argv:
        print("\n".join(elsewhere))
    print(f"{len(elsewhere)} of {functions} functions, {percent:.1f} %, are declared in a header of another name (at most {MOST_PERCENT} %)")
    if percent > MOST_PERCENT:
        print("  Declare a function in the header of the file that defines it; --list lists those that are elsewhere.")
    return int(percent > MOST_PERCENT)


sys.exit(main())
