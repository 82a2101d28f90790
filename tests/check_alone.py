#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_alone.py BUILD [COUNT]: compiles those source files of runtime/ and lb/ that were changed last, COUNT of them (default:
16), each alone. BUILD, a build as tests/setup.sh makes it, compiles several as one, which hides an #include that is missing; from
it are the options and the generated headers."""
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# What is wrong only beside other files is checked here.
STRICTER = {"-Wshadow=local": "-Wshadow", "-Wno-subobject-linkage": "-Wsubobject-linkage"}


def changed_last(count):
    log = subprocess.run(["git", "log", "--max-count", "200", "--name-only", "--format=", "--", "runtime/*.cpp", "lb/*.cpp"],
                         cwd=ROOT, capture_output=True, text=True, check=True).stdout
    there = (os.path.join(ROOT, name) for name in dict.fromkeys(log.split()))
    return [source for source in there if os.path.exists(source)][:count]


def commands_of(build):
    """By source file, the words that compile what it is in, and from where."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    found = {}
    for entry in entries:
        words = shlex.split(entry["command"])
        options = [STRICTER.get(word, word) for word in words[:words.index("-o")]]
        sources = [entry["file"]]
        if "/Unity/" in entry["file"]:
            with open(entry["file"], encoding="utf-8") as file:
                sources = re.findall(r'^#include "(.*)"$', file.read(), re.MULTILINE)
        for source in sources:
            found[source] = (options, entry["directory"])
    return found


def compiles(source, options, folder):
    said = subprocess.run([*options, "-fsyntax-only", source], cwd=folder, capture_output=True, text=True)
    print(os.path.relpath(source, ROOT), said.stdout, said.stderr, flush=True)
    return said.returncode == 0


def main():
    commands = commands_of(sys.argv[1])
    sources = changed_last(int(sys.argv[2]) if len(sys.argv) > 2 else 16)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        # A module of a library that is missing, say, is not compiled.
        tries = [pool.submit(compiles, source, *commands[source]) for source in sources if source in commands]
        alone = [each.result() for each in tries]
    if not alone:
        sys.exit(f"{sys.argv[1]}: compiles none of {sources}")
    sys.exit(0 if all(alone) else 1)


main()
