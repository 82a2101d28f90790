#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_c_library.py PAGE LIST_OVERRIDES: each function that the machine's C library exports is in the tables of PAGE
(docs/c-library.md), by its whole name; the section of Skein's functions names just those that LIST_OVERRIDES prints; and
that of the mathematical library those of libm which keep something."""
import re
import subprocess
import sys

LIBRARIES = ("c.so.6", "rt.so.1", "pthread.so.0", "dl.so.2", "util.so.1", "anl.so.1")


def rows_by_section(page):
    sections, section = {}, None
    for line in page.splitlines():
        if line.startswith("## "):
            section = sections.setdefault(line[3:], set())
        elif section is not None and line.startswith("| "):
            section.update(re.findall(r"`([^`]+)`", line.split("|")[1]))
    return sections


# Those of libm that are not functions of their arguments alone: the floating-point environment, and what sets signgam.
KEEPS_SOMETHING = re.compile(r"fe[a-z]+|l?gamma(f\d*x?|l)?")


def exported(libraries=LIBRARIES):
    """Names that a program can be linked to, of those that have a file on this machine."""
    names = set()
    maps = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    for library in libraries:
        files = re.findall(rf"^\s*lib{re.escape(library)} .*x86-64.* => (\S+)$", maps, re.M)
        if not files:
            continue
        symbols = subprocess.run(["nm", "-D", "--defined-only", files[0]], capture_output=True, text=True, check=True)
        for address_kind_name in symbols.stdout.splitlines():
            kind, name = address_kind_name.split()[-2:]
            if kind in "TWi" and "@@" in name and "PRIVATE" not in name:
                names.add(name.split("@")[0])
    return names


def main():
    page, list_overrides = sys.argv[1:]
    sections = rows_by_section(open(page, encoding="utf-8").read())
    ours = sections["Skein's functions"]
    overrides = set(subprocess.run([list_overrides], capture_output=True, text=True, check=True).stdout.split())
    library = exported()
    if len(library) < 1500:
        sys.exit(f"check_c_library: the C library has {len(library)} functions, which cannot be all")
    failures = [f"{name} is overridden, and not among Skein's functions in {page}" for name in overrides - ours]
    failures += [f"{name} is among Skein's functions in {page}, and not overridden" for name in ours - overrides]
    others = set().union(*(names for title, names in sections.items() if title != "Skein's functions"))
    failures += [f"{name} is overridden, and named among those that are not" for name in others & overrides]
    for name in library - ours - others:
        if not name.startswith("_"):
            failures.append(f"{name} is in no row of {page}: does it make state of the process or the kernel?")
    mathematical = exported(("m.so.6",))
    if len(mathematical) < 500:
        sys.exit(f"check_c_library: libm has {len(mathematical)} functions, which cannot be all")
    keeping = {name for name in mathematical if KEEPS_SOMETHING.fullmatch(name)}
    for name in keeping ^ sections["The mathematical library's"]:
        failures.append(f"{name} is {'' if name in keeping else 'not '}in libm and keeps something; see {page}")
    print("\n".join(sorted(failures)))
    print(f"{len(library)} functions of the C library, {len(ours)} of them and others Skein's")
    return bool(failures)


sys.exit(main())
