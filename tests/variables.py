#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reports how many variables that outlast all calls and are not constant each folder has, and fails where there are more of
them than there were; with -v, names them.

State of a module belongs in an object: a PerRuntime (runtime/base/pe_runtime.hpp) counts as one, whatever is in it. Static
data members count, and static and thread-local variables of functions; what macros define does not."""

import collections
import os
import re
import subprocess
import sys

# Which may only shrink; so many are wanted.
BOUND, WANTED = 120, 120

# The last declares functions.
NO_VARIABLE = re.compile(r"(using|typedef|static_assert|template|friend|namespace|operator|concept|asm|__asm__|requires|net::Handler)\b")
POINTER = re.compile(r"[^()]*\(\s*\*\s*(const\s+)?(\w+)[^()]*\)\s*\(")  # to functions
TYPE = re.compile(r"\b(?:enum\s+class|enum|class|struct|union)\b[^{}]*\{\}")


def code_of(text):
    """Without comments, directives, the insides of strings, and attributes."""
    text = re.sub(r"\\\n", " ", text)
    text = re.sub(r"^[ \t]*#.*$", "", text, flags=re.MULTILINE)
    text = re.sub(r'R"(\w*)\((?:.|\n)*?\)\1"', '""', text)
    pieces = r'//[^\n]*|/\*(?:.|\n)*?\*/|"(?:\\.|[^"\\\n])*"|' r"(?<!\w)'(?:\\.|[^'\\\n])+'"
    text = re.sub(pieces, lambda m: '""' if m.group(0)[0] == '"' else " ", text)
    text = re.sub(r"\[\[[^\]]*\]\]|\b(alignas|__attribute__|decltype)\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)", " ", text)
    return re.sub(r'\bextern\s*""\s*', "namespace ", text)


def statements_of(code):
    """Each with what it is in, a namespace, a type or a function, and with {} in place of what is in braces."""
    scopes = [["namespace", ""]]
    for piece in re.findall(r"[{};]|[^{};]+", code):
        scope, statement = scopes[-1]
        if piece == "{":
            head = without_templates(statement)
            kinds = {"namespace": r"\bnamespace\b[\w\s:]*$", "type": r"\b(enum|class|struct|union)\b[^{}();=]*$"}
            scopes.append([next((kind for kind, form in kinds.items() if re.search(form, head)), "function"), ""])
        elif piece == "}":
            scopes.pop()
            outer, statement = scopes[-1]
            scopes[-1][1] = "" if scope == "namespace" or ends_function(outer, statement + "{}") else statement + "{}"
        elif piece == ";":
            yield scope, statement.strip()
            scopes[-1][1] = ""
        else:
            scopes[-1][1] += piece


def ends_function(scope, statement):
    head = without_templates(statement).split("=")[0]
    in_arguments = statement.count("(") > statement.count(")")  # a lambda's
    return scope != "function" and ")" in head and not in_arguments and not TYPE.search(statement) and not POINTER.match(head)


def without_templates(text):
    before = None
    while before != text:
        before, text = text, re.sub(r"<[^<>;{}]*>", "", text)
    return text


def variables_in(statement):
    """The names of those that it defines."""
    if not statement or NO_VARIABLE.match(statement) or re.match(r"extern\b[^={]*$", statement):
        return []
    statement = without_templates(TYPE.sub("Type", statement))
    if re.match(r"(class|struct|union|enum)\b[^={]*$", statement) and len(statement.split()) < 3:
        return []
    if re.match(r"enum\b[\w\s]*:(?!:)[^={]*$", statement):  # that there is one
        return []
    declaration = re.sub(r"\[[^\]]*\]", "", re.split(r"[={]", statement)[0])
    pointer = POINTER.match(declaration)
    if pointer:
        return [] if pointer.group(1) or "constexpr" in declaration else [pointer.group(2)]
    if "(" in declaration or re.search(r"\b(constexpr|operator)\b", declaration):
        return []
    if re.search(r"&\s*\w+\s*$", declaration) or re.search(r"\bconst\b[^*]*$", declaration):
        return []
    if len(declaration.split()) < 2:
        return []
    names = re.findall(r"(?:^|,)[^,=({]*?([\w:]+)(?:\s*\[[^\]]*\])*\s*(?==|\{|,|$)", re.sub(r"\{\}|\([^()]*\)", "{}", statement))
    return names or [declaration.split()[-1]]


def lasting_variables_in(scope, statement):
    """The names of those that it defines and that outlast a call: static ones of types and functions, too."""
    if scope == "namespace":
        return variables_in(statement)
    # A member without inline is defined at namespace scope.
    form = r"\b(?:static\s+inline|inline\s+static|static\s+thread_local)\s[^()]*$" if scope == "type" else r"(?<!\w)(?:static|thread_local)\s.*$"
    found = re.search(form, re.sub(r"(\w)\s*\((?:[^()]|\([^()]*\))*\)\s*$", r"\1 {}", without_templates(statement)), re.DOTALL)
    return variables_in(found.group(0)) if found else []


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    listed = subprocess.run(["git", "ls-files", "runtime", "lb"], capture_output=True, text=True, check=True).stdout.split()
    folders = collections.defaultdict(dict)
    for path in listed:
        if not path.endswith((".hpp", ".cpp", ".h", ".c")):
            continue
        with open(path, encoding="utf-8") as file:
            code = code_of(file.read())
        names = [name for scope, statement in statements_of(code) for name in lasting_variables_in(scope, statement)]
        if names:
            folders["/".join(path.split("/")[:2])][path] = names
    total = 0
    for folder, files in sorted(folders.items()):
        count = sum(len(names) for names in files.values())
        total += count
        print(f"{folder}: {count} variables")
        if "-v" in sys.argv:
            for path, names in files.items():
                print(f"  {path}: {', '.join(names)}")
    print(f"{total} in all, {BOUND} before; wanted are {WANTED} at most")
    if total > BOUND:
        print("Put what a module keeps into one object: PerRuntime in runtime/base/pe_runtime.hpp. With -v they are named.")
    elif total < BOUND:
        print(f"They are fewer than before: write {total} for {BOUND} in tests/variables.py")
    return int(total != BOUND)


if __name__ == "__main__":
    sys.exit(main())
