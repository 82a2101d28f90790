# SPDX-License-Identifier: Apache-2.0
"""Writes the Fortran procedures: C++ functions with gfortran's names that convert arguments and call C's."""

from c_sources import BANNER
from fortran_model import (
    COMPARISONS, HAND_WRITTEN, SIZEOF, STRING_ROOM, arguments, fortran_functions, fortran_name, large_functions,
)  # fmt: skip

HEAD = """#include "runtime/vmpi/fortran/convert.hpp"
#include "runtime/vmpi/fortran/sentinels.hpp"

using namespace skein::vmpi::fortran;

extern "C" {
"""


class Binding:
    """The text of one procedure, argument by argument."""

    def __init__(self, function):
        self.function = function
        self.parameters, self.lengths = [], []
        self.before, self.passed, self.after = [], [], []
        for argument in arguments(function):
            getattr(self, argument.kind)(argument.parameter, argument)

    def take(self, kind, p):
        self.parameters.append(f"{kind}* {p.name}")

    def value(self, p, _):
        self.take("const MPI_Fint" if p.base == "int" else f"const {p.base}", p)
        self.passed.append("*" + p.name)

    def handle(self, p, _):
        self.take("const MPI_Fint", p)
        self.passed.append(f"handle_of<{p.base}>(*{p.name})")

    def handle_reference(self, p, _):
        self.take("MPI_Fint", p)
        self.before.append(f"{p.base} c_{p.name} = handle_of<{p.base}>(*{p.name});")
        self.passed.append(f"&c_{p.name}")
        self.after.append(f"*{p.name} = number_of(c_{p.name});")

    def handles(self, p, argument):
        self.take("const MPI_Fint" if p.const else "MPI_Fint", p)
        self.before.append(f"Handles<{p.base}> c_{p.name}({p.name}, {argument.count});")
        self.passed.append(f"c_{p.name}.data()")
        if not p.const:
            self.after.append(f"c_{p.name}.write_back({p.name});")

    def choice(self, p, _):
        self.take("const void" if p.const else "void", p)
        self.passed.append(f"buffer_of({p.name})")

    def plain(self, p, _):
        if p.suffix == "[][3]":
            self.parameters.append(f"{p.base} {p.name}[][3]")
        else:
            self.take(("const " if p.const else "") + p.base, p)
        self.passed.append(p.name)

    def status(self, p, _):
        self.take("MPI_Fint", p)
        self.passed.append(f"status_of({p.name})")

    statuses = status

    def weights(self, p, _):
        self.take("MPI_Fint", p)
        self.passed.append(f"weights_of({p.name})")

    def callback(self, p, _):
        self.parameters.append(f"{p.base}{'*' * p.stars} {p.name}")
        self.passed.append(p.name)

    def string(self, p, _):
        self.take("const char", p)
        self.lengths.append(f"std::size_t {p.name}_length")
        trim = ", Trim::both" if self.function.name.startswith("MPI_Info_") else ""
        self.before.append(f"const auto c_{p.name} = in_string({p.name}, {p.name}_length{trim});")
        self.passed.append(f"c_{p.name}.c_str()")

    def string_out(self, p, _):
        self.take("char", p)
        self.lengths.append(f"std::size_t {p.name}_length")
        self.before.append(f"StringRoom c_{p.name}({STRING_ROOM[self.function.name]});")
        self.passed.append(f"c_{p.name}.data()")
        self.after.append(f"if (error == MPI_SUCCESS) c_{p.name}.write_back({p.name}, {p.name}_length);")

    def index(self, p, _):
        self.take("MPI_Fint", p)
        self.before.append(f"int c_{p.name} = MPI_UNDEFINED;")
        self.passed.append(f"&c_{p.name}")
        self.after.append(f"*{p.name} = from_one(c_{p.name});")

    def indices(self, p, _):
        self.take("MPI_Fint", p)
        self.before.append("*outcount = 0;")
        self.passed.append(p.name)
        self.after.append(f"for (int i = 0; i < *outcount; ++i) ++{p.name}[i];")

    def text(self):
        f = self.function
        call = f"{f.name}({', '.join(self.passed)})"
        if f.result != "int":
            return f"{f.result} skein_{fortran_name(f)}({', '.join(self.parameters)}) {{ return {call}; }}\n"
        parameters = ", ".join(self.parameters + ["ErrorOut ierror"] + self.lengths)
        if not self.after:
            body = self.before + [f"ierror = {call};"]
        else:
            body = self.before + [f"const int error = {call};"] + self.after + ["ierror = error;"]
        return f"void skein_{fortran_name(f)}({parameters}) {{\n" + "".join(f"  {line}\n" for line in body) + "}\n"


def sizeof_text():
    lines = []
    for name, (_, _, size) in SIZEOF.items():
        lengths = ", std::size_t" if "character" in name else ""
        lines.append(
            f"void skein_{name}(const void*, MPI_Fint* size, ErrorOut ierror{lengths}) {{\n"
            f"  *size = {size};\n  ierror = MPI_SUCCESS;\n}}\n"
        )
    return "\n".join(lines)


def comparison_text():
    return "\n".join(
        f"MPI_Fint skein_{name}(const MPI_Fint* a, const MPI_Fint* b) {{ return *a {'==' if '_eq_' in name else '!='} *b; }}"
        for name in COMPARISONS
    )


def bindings(api):
    written = [Binding(f).text() for f in fortran_functions(api) if f.name not in HAND_WRITTEN]
    written += [Binding(f).text() for f in large_functions(api)]
    return BANNER + HEAD + "\n" + "\n".join(written) + "\n" + sizeof_text() + "\n" + comparison_text() + "\n}\n"
