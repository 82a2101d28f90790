#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_settings.py SOURCE_FOLDER LIBRARY...: compares what these libraries export and keep once a process with settings.txt.
Fails for a setting that the table lacks, for one that it has twice, and for one about which the table is wrong: a rank's
own, or pinning, without a function in front of the library's; told, but not in the document; a rank's by its library,
which is shared."""
import fnmatch
import pathlib
import re
import subprocess
import sys

# Names of functions that may set something for the whole process, of C and of Fortran.
C_SETTING = re.compile(
    r"_*(set(?!jmp)[a-z0-9]+|register_.*|.*atexit.*|on_exit|quick_exit|.*atfork|openlog|closelog|.*textdomain.*|mallopt"
    r"|m(un)?trace|mcheck.*|malloc_(trim|stats|info)|hcreate|hdestroy|init(state|groups)|s?rand(om|48)?|seed48|lcong48"
    r"|sig(action|nal|set|altstack|stack|vec|procmask|mask|block|setmask|hold|ignore|relse|interrupt)|(bsd|sysv|s)_?signal"
    r"|umask|[uv]limit|nice|tzset|f?chdir|chroot|re_set_.*|res_n?init|putenv|unsetenv|clearenv|(use|new)locale|utmpx?name"
    r"|prctl|personality|s?profil|u?alarm|m(un)?lockall|acct|swapo.*|sched_set.*|timer_.*|clock_settime|iopl|ioperm|error_.*"
    r"|getopt.*|fmtmsg|addseverity|unshare|obstack_.*|argp_.*|freeaddrinfo)")
FORTRAN_SETTING = re.compile(r"_gfortran_(set_\w+|random_(seed|init)\w*|srand|umask\w*|chdir\w*|signal\w*|alarm\w*)")


def exported(library, kinds):
    lines = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout.splitlines()
    for line in lines:
        _, kind, name = line.split()
        # Old versions, which nothing links against any more, have one @; names that libraries use among themselves are private.
        if kind in kinds and "PRIVATE" not in name and not re.search(r"[^@]@[^@]", name):
            yield name.split("@")[0]


def library_is_cxx(library):
    return pathlib.Path(library).name.startswith(("libstdc++", "libgcc_s"))


def settings(library):
    functions, name = set(exported(library, "Ti" if library_is_cxx(library) else "TWi")), pathlib.Path(library).name
    if name.startswith("libc.so"):
        return {f for f in functions if C_SETTING.fullmatch(f)} | set(exported(library, "BDV"))
    if name.startswith("libgfortran"):
        return {f for f in functions if FORTRAN_SETTING.fullmatch(f)}
    # From the C++ library and the unwinder take everything that is no template, by classes: names do not show what they keep.
    names = functions | set(exported(library, "BD"))
    return {qualified_name(line) for line in demangled(names) if not re.match(r"(vtable|VTT|typeinfo|construction)", line)}


def demangled(names):
    return subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True).stdout.splitlines()


def qualified_name(readable):
    """Returns the name without parameters, arguments of templates, result and ABI tags."""
    name = re.sub(r"\[abi:\w+\]| const$", "", readable)
    name = re.sub(r"\boperator\b[^(]*(\(\))?", "operator", name)
    while re.search(r"<[^<>]*>", name):
        name = re.sub(r"<[^<>]*>", "", name)
    return re.sub(r"\(.*", "", name).split()[-1]


def read_table(path):
    """Yields (kind, what follows its colon, name) for each name."""
    kind = text = None
    for line in path.read_text().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if not line.startswith(" "):
            kind, text = line.split(":", 1)
        else:
            yield from ((kind, text, name) for name in line.split())


def main():
    root = pathlib.Path(sys.argv[1])
    table = list(read_table(pathlib.Path(__file__).parent / "settings.txt"))
    in_front = "".join(p.read_text() for p in sorted((root / "runtime/libc").rglob("*.c*")))
    in_front += (root / "runtime/image/cxx_library.cpp").read_text()
    # Macros make these names of parts: check_c_library.py compares this list with the functions themselves.
    listed = (root / "docs/c-library.md").read_text().split("## The process's")[0]
    in_front += listed.replace("`", '"')
    document = (root / "docs/porting.md").read_text()
    rule = (root / "runtime/image/library_rule.cpp").read_text()
    wrong = []
    for library in sys.argv[2:]:
        for name in sorted(settings(library)):
            rows = [row for row in table if row[2] == name] or [row for row in table if fnmatch.fnmatchcase(name, row[2])]
            if len({(kind, text) for kind, text, _ in rows}) != 1:
                wrong.append(f"{name} of {library} is in {len(rows)} rows of settings.txt")
    for kind, text, name in table:
        # A function of C++ is known by its mangled name, which contains the plain one.
        plain = re.escape(name.split("::")[-1])
        if kind in ("own", "pins") and not re.search(rf'"\w*{plain}\w*"|\b{plain}\b *[(;=]|\({plain}\)', in_front):
            wrong.append(f"{name}: nothing in runtime/libc stands in front of it")
        if kind == "told" and not re.search(re.escape(re.search('"(.*)"', text)[1]), document):
            wrong.append(f"{name}: docs/porting.md does not say {text.strip()}")
        if kind == "library" and not re.search(rf"kAlwaysPrivate\[\].*{text.strip()}", rule):
            wrong.append(f"{name}: {text.strip()} is not private by rule")
        if kind not in ("own", "pins", "told", "refused", "library", "none"):
            wrong.append(f"{name}: there is no kind {kind}")
    print("\n".join(dict.fromkeys(wrong)))
    return 1 if wrong else 0


sys.exit(main())
