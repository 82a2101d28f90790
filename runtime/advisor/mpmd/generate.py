#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""generate.py <preprocessed mpi.h> <output>: writes, as C++, every function of this MPI that takes a communicator, under its MPI_
and its PMPI_ name. Each hands the call on to the next library that has the name, with the application's communicator in
place of MPI_COMM_WORLD.

The functions are those that mpi.h declares, so that none is forgotten, whatever MPI it is. What is to be done otherwise
stands in BY_HAND; a parameter of a kind that is not known here is an error.
"""

import re
import sys

# Written in runtime/advisor/mpmd/ by hand, or not to be changed.
BY_HAND = {
    "Abort",  # of the world ends the whole job, reserved processes included
    "Comm_c2f", "Comm_toint",  # MPI_COMM_WORLD keeps its value in Fortran
    "Comm_get_attr", "Attr_get",  # attributes.cpp
    "Comm_set_errhandler", "Errhandler_set",  # errors.cpp
}  # fmt: skip

NAME = re.compile(r"^(?P<result>[\w ]+?[ *]+)(?P<name>P?MPIX?_(?P<plain>\w+)) ?\((?P<parameters>.*)\)$")
PARAMETER = re.compile(r"^(?P<type>.*?[ *])(?P<name>\w+) ?(?P<suffix>(?:\[\d*\] ?)*)$")

HEAD = """// Generated from mpi.h by runtime/advisor/mpmd/generate.py.
#include <mpi.h>

#include "runtime/advisor/mpmd/next.hpp"
#include "runtime/advisor/mpmd/world.hpp"

using skein::mpmd::next_of;
using skein::mpmd::of_application;

#pragma GCC visibility push(default)
extern "C" {
"""


def without_attributes(text):
    """The text without __attribute__((...)), whose parentheses nest."""
    while (start := text.find("__attribute__")) >= 0:
        end, depth = text.index("(", start), 0
        while True:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
            if depth == 0:
                break
        text = text[:start] + text[end:]
    return text


def declarations(text):
    """Each function declared: (result, name, name without prefix, texts of the parameters)."""
    text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    for statement in without_attributes(text).split(";"):
        statement = re.sub(r"^extern ", "", " ".join(statement.split()))
        match = NAME.match(statement)
        if match:
            parameters = [p.strip() for p in match["parameters"].split(",")]
            yield match["result"].strip(), match["name"], match["plain"], parameters


def argument(text, function):
    """(how the parameter is handed on, whether it is a communicator)."""
    match = PARAMETER.match(text)
    if not match:
        raise ValueError(f"{function}: cannot read the parameter '{text}'")
    words = match["type"].replace("const ", "").strip()
    if words == "MPI_Comm" and not match["suffix"]:
        return f"of_application({match['name']})", True
    # A pointer to one is where a new communicator goes, or one that is freed, which the world cannot be.
    if "MPI_Comm" in words.split() and (match["suffix"] or words not in ("MPI_Comm *", "MPI_Comm*")):
        raise ValueError(f"{function}: communicators as '{text}' are not known here")
    return match["name"], False


def wrapper(result, name, parameters):
    """The definition; none if no communicator goes in."""
    arguments = [argument(p, name) for p in parameters] if parameters not in ([""], ["void"]) else []
    if not any(is_communicator for _, is_communicator in arguments):
        return None
    return (
        f"{result} {name}({', '.join(parameters)}) {{\n"
        f"  static const auto next = next_of<decltype(::{name})>(\"{name}\");\n"
        f"  return next({', '.join(text for text, _ in arguments)});\n}}"
    )  # fmt: skip


def main():
    with open(sys.argv[1], encoding="utf-8") as preprocessed:
        text = preprocessed.read()
    definitions = []
    for result, name, plain, parameters in declarations(text):
        if plain in BY_HAND or "..." in parameters or not any("MPI_Comm " in p for p in parameters):
            continue
        definitions.append(wrapper(result, name, parameters))
    definitions = [definition for definition in definitions if definition]
    if len(definitions) < 100:
        raise ValueError(f"only {len(definitions)} functions that take a communicator: is {sys.argv[1]} from mpi.h?")
    with open(sys.argv[2], "w", encoding="utf-8") as output:
        output.write(HEAD + "\n\n".join(definitions) + "\n}\n#pragma GCC visibility pop\n")


if __name__ == "__main__":
    main()
