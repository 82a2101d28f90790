# SPDX-License-Identifier: Apache-2.0
"""Reads Skein's mpi.h: its functions and its constants. The headers are the single source of both."""

import re
from dataclasses import dataclass
from pathlib import Path

# The kinds in MPI_<kind>_c2f. The C types are MPI_<kind>, except MPI_Datatype for Type.
HANDLE_KINDS = (
    "Comm", "Errhandler", "File", "Group", "Info", "Message", "Op", "Request", "Session", "Type", "Win"
)
HANDLE_TYPES = {"MPI_Datatype" if kind == "Type" else "MPI_" + kind for kind in HANDLE_KINDS}


@dataclass(frozen=True)
class Parameter:
    """One C parameter, for example `const int dims[]`: base "int", const, name "dims", suffix "[]"."""

    base: str
    const: bool
    stars: int
    name: str
    suffix: str  # "", "[]" or "[][3]"

    @property
    def by_value(self):
        return self.stars == 0 and not self.suffix

    @property
    def c(self):
        space = "*" * self.stars + " "
        return ("const " if self.const else "") + self.base + space + self.name + self.suffix


@dataclass(frozen=True)
class Function:
    result: str
    name: str
    parameters: tuple
    variadic: bool

    @property
    def signature(self):
        """Returns the parameter list as C text, without parentheses."""
        texts = [parameter.c for parameter in self.parameters] + (["..."] if self.variadic else [])
        return ", ".join(texts) or "void"

    def parameter(self, *, base):
        """Returns the first parameter passed by value with that type, or None."""
        return next((p for p in self.parameters if p.base == base and p.by_value), None)


FUNCTION = re.compile(r"^SKEIN_MPI_FUNCTION\((\w+), (\w+), \((.*)\)\)$")
PARAMETER = re.compile(r"^(const )?(\w+)(\**) (\w+)((?:\[\d*\])*)$")
CONSTANT = re.compile(r"^#define ((?:A?MPI|SKEIN)_\w+)\s+(\(.*\)|\S+)(?:\s+/\*.*\*/)?$")


def parse_parameter(text, function):
    match = PARAMETER.match(text)
    if not match:
        raise ValueError(f"{function}: cannot read the parameter '{text}'")
    const, base, stars, name, suffix = match.groups()
    return Parameter(base, bool(const), len(stars), name, suffix)


def parse_functions(text):
    """Returns the functions of skein_mpi_functions.h, in its order. A malformed declaration is an error."""
    functions = []
    for line in text.splitlines():
        if not line.startswith("SKEIN_MPI_FUNCTION"):
            continue
        match = FUNCTION.match(line)
        if not match:
            raise ValueError(f"cannot read the line '{line}'")
        result, name, parameters = match.groups()
        texts = [] if parameters == "void" else parameters.split(", ")
        variadic = bool(texts) and texts[-1] == "..."
        if variadic:
            texts.pop()
        parsed = tuple(parse_parameter(text, name) for text in texts)
        functions.append(Function(result, name, parsed, variadic))
    names = [function.name for function in functions]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{name} is declared twice")
    return functions


def parse_constants(text):
    """Returns the constants of mpi.h as {name: C expression}, in its order."""
    constants = {}
    for line in text.splitlines():
        match = CONSTANT.match(line)
        if match:
            constants[match.group(1)] = match.group(2)
    return constants


HANDLE = re.compile(r"^\(\((MPI_\w+)\)(0x[0-9a-f]+)\)$")
NUMBER = re.compile(r"^\(?(-?(?:0x[0-9a-fA-F]+|\d+))\)?$")


def integer(constants, name):
    """Returns the value of a constant that is a number or a handle, following aliases; None for other kinds."""
    expression = constants[name]
    if expression in constants:
        return integer(constants, expression)
    match = NUMBER.match(expression)
    if match:
        return int(match.group(1), 0)
    match = HANDLE.match(expression)
    return int(match.group(2), 16) if match else None


def handle_type(constants, name):
    """Returns the C type of a constant that is a handle, following aliases; None for other kinds."""
    expression = constants[name]
    if expression in constants:
        return handle_type(constants, expression)
    match = HANDLE.match(expression)
    return match.group(1) if match and match.group(1) in HANDLE_TYPES else None


@dataclass(frozen=True)
class Api:
    functions: list
    constants: dict


def read_api(directory):
    """Reads `directory`, which holds mpi.h and skein_mpi_functions.h."""
    directory = Path(directory)
    return Api(
        parse_functions((directory / "skein_mpi_functions.h").read_text()),
        parse_constants((directory / "mpi.h").read_text()),
    )
