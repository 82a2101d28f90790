#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_names.py BUILD: says which names of source files clash where CMAKE_UNITY_BUILD compiles several as one.

BUILD is configured so, by tests/setup.sh say, and need not be built. What a file keeps to itself, in an unnamed namespace, as
static or by #define, has a name that no other file has which a change of the list of sources may bring into the same
compilation: those of a library, or of its folder where each folder is compiled by itself."""

import collections
import json
import os
import re
import sys

BLANKED = re.compile(r"""//[^\n]* | /\*.*?\*/ | R"(\w*)\(.*?\)\1" | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])'""",
                     re.DOTALL | re.VERBOSE)
DEFINED = re.compile(r"^#define (\w+)", re.MULTILINE)
# A declaration at the start of its line, as clang-format leaves those of a namespace.
TYPE = re.compile(r"(?:enum class|enum|struct|class|union|concept|using) (?:\w+\(.*?\) |\[\[.*?\]\] )*(\w+)(?! *::)\b")
KEYWORD = re.compile(r"namespace\b|static_assert\b|template\b[^<]|extern\b|friend\b|public:|private:|return\b")
OTHER = re.compile(r"[^=;{(]*?\b(?<!::)(\w+) *(?:\[[^\]]*\] *)?[=;{(]")


def sources_of(build):
    """The source files that may be compiled as one, by where and as which group."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    groups = collections.defaultdict(list)
    for command in commands:
        folder, _, name = command["file"].rpartition("/Unity/unity_")
        if folder and name.endswith("_cxx.cxx"):
            group = re.sub(r"_?\d*_cxx\.cxx$", "", name)
            with open(command["file"], encoding="utf-8") as file:
                groups[folder, group] += re.findall(r'^#include "(.*)"', file.read(), re.MULTILINE)
    return groups


def blank(match):
    return re.sub(r"[^\n]", " ", match.group()) if match.group()[0] == "/" else '""' + "\n" * match.group().count("\n")


def parameter_types(text):
    """Those of a function whose parameters begin at the start of the text, by which overloads are told apart."""
    types, depth, start = [], 1, 0
    for at, character in enumerate(text):
        depth += (character in "(<{[") - (character in ")>}]")
        if depth == 0 or (depth == 1 and character == ","):
            parameter = text[start:at].split("=")[0].strip()
            types.append(re.sub(r"(?<=[\w>&*])\s*\b(?<!::)\w+$", "", parameter) if re.search(r"[\s&*]\w+$", parameter) else parameter)
            start = at + 1
        if depth == 0:
            break
    return re.sub(r"\s+", " ", ", ".join(types))


def own_names(path):
    """What the file keeps to itself, as name, namespace and line, and what two of one name may differ in."""
    with open(path, encoding="utf-8") as file:
        text = BLANKED.sub(blank, file.read())
    undefined = re.findall(r"^#undef (\w+)", text, re.MULTILINE)
    found = [(name.group(1), "#define", text.count("\n", 0, name.start()) + 1, None)
             for name in DEFINED.finditer(text) if name.group(1) not in undefined]
    open_braces = []  # for each the name of its namespace, empty if it has none, or None if it is something else's
    offset = 0
    for number, line in enumerate(text.split("\n"), 1):
        start = re.match(r"(?:template <.*> ?)?(?:\[\[.*?\]\] |alignas\(.*?\) )*", line).end()
        own = "" in open_braces or line.startswith("static ")
        if own and None not in open_braces and re.match(r"[A-Za-z_]", line[start:]) and not KEYWORD.match(line):
            match = TYPE.match(line, start) or OTHER.match(line, start)
            if match:
                told_apart = None
                if match.re is OTHER and match.group().endswith("("):
                    told_apart = parameter_types(text[offset + match.end():])
                    if told_apart.startswith('""'):  # arguments: a variable
                        told_apart = None
                elif line.startswith("using "):
                    told_apart = line
                found.append((match.group(1), "::".join(filter(None, open_braces)), number, told_apart))
        opened = re.match(r"(?:inline )?namespace ?([\w:]*) *{", line)
        for brace in re.findall(r"[{}]", line):
            if brace == "{":
                open_braces.append(opened.group(1) if opened else None)
            elif open_braces:
                open_braces.pop()
        offset += len(line) + 1
    return found


def clashes_among(sources):
    seen = collections.defaultdict(list)
    for path in filter(os.path.exists, dict.fromkeys(sources)):  # some are generated
        for name, namespace, line, told_apart in own_names(path):
            for other, at, its in seen[name, namespace]:
                # Functions of other parameters are overloads, and the same type may have its name twice.
                overloads = told_apart is not None and its is not None and not told_apart.startswith("using ") and told_apart != its
                same_type = told_apart is not None and told_apart.startswith("using ") and told_apart == its
                if other != path and not overloads and not same_type:
                    yield f"{path}:{line}: {name} is in {other}:{at}, too, and CMAKE_UNITY_BUILD may compile both as one"
                    break
            seen[name, namespace].append((path, line, told_apart))


def main():
    groups = sources_of(sys.argv[1])
    if not groups:
        sys.exit(f"check_names: {sys.argv[1]} is not configured with CMAKE_UNITY_BUILD")
    clashes = [clash for sources in groups.values() for clash in clashes_among(sources)]
    print("".join(clash + "\n" for clash in dict.fromkeys(clashes)), end="")
    if clashes:
        sys.exit("check_names: rename what only one file uses; docs/architecture.md, Folders")


main()
