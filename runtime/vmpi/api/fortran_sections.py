# SPDX-License-Identifier: Apache-2.0
"""Writes the procedures of module mpi_f08 that have choice buffers: they get descriptors (runtime/vmpi/fortran/descriptor.hpp).

A buffer in one piece goes to the procedure of mpif.h by its address. How an array section with gaps is passed depends on
the function's use of the buffer: see runtime/vmpi/fortran/sections.hpp.
"""

import re

from c_sources import BANNER
from fortran_bindings import Binding
from fortran_model import f08_functions, f08_name, fortran_name, has_choice
from fronts import owner

HEAD = """#include "runtime/vmpi/fortran/convert.hpp"
#include "runtime/vmpi/fortran/sections.hpp"
#include "runtime/vmpi/front.hpp"

using namespace skein::vmpi::fortran;
using skein::vmpi::refuse;

extern "C" {

"""

COLLECTIVE = re.compile(
    r"MPI_(I?(bcast|gatherv?|scatterv?|allgatherv?|alltoall[vw]?|reduce|allreduce|reduce_scatter(_block)?|scan|exscan"
    r"|neighbor_allgatherv?|neighbor_alltoall[vw]?)(_init)?|Reduce_local)(_c)?", re.IGNORECASE
)  # fmt: skip
# Functions that take memory as such, with its length in bytes.
REGIONS = {
    "MPI_Buffer_attach", "MPI_Comm_attach_buffer", "MPI_Session_attach_buffer", "MPI_Win_create", "MPI_Win_attach",
}  # fmt: skip


def use(function):
    """Returns how long a function uses its buffers: see Use in sections.hpp."""
    name = function.name.removesuffix("_c")
    if name.endswith("_init"):
        return "persistent"
    if any(p.base == "MPI_Request" for p in function.parameters):
        return "request"
    # One-sided: the buffer is in use until a synchronisation of the window.
    is_one_sided = any(p.name == "target_rank" for p in function.parameters)
    return "beyond" if is_one_sided or name in REGIONS or name.endswith("_begin") else "call"


def is_asynchronous(function):
    """Returns true if annex A.4 gives choice buffers the attribute ASYNCHRONOUS."""
    name = function.name.removesuffix("_c")
    others = {"MPI_Free_mem", "MPI_Get_address", "MPI_Win_detach"}
    return use(function) != "call" or name in others or (name.startswith("MPI_File_") and name.endswith("_end"))


def way(function, p):
    """Returns how the elements of a buffer with gaps are passed.

    typed: by a datatype made for it, if a count and a datatype follow | element: only the first one is used |
    partitioned | copied | region: not at all | address: only the address counts
    """
    name = function.name.removesuffix("_c")
    at = function.parameters.index(p)
    after = function.parameters[at + 1 : at + 3]
    if COLLECTIVE.fullmatch(function.name):
        return "copied"
    if len(after) == 2 and after[0].name.endswith("count") and after[1].base == "MPI_Datatype":
        return "typed"
    if name in ("MPI_Psend_init", "MPI_Precv_init"):
        return "partitioned"
    if next((q.base for q in function.parameters[at + 1 :] if q.base != "void"), None) == "MPI_Datatype":
        return "element"
    if name.startswith(("MPI_Pack", "MPI_Unpack")):  # the packed side
        return "copied"
    return "region" if name in REGIONS else "address"


class SectionBinding(Binding):
    """Collects the text of one procedure."""

    def __init__(self, function):
        self.ways, self.forwarded, self.counts, self.types = {}, [], {}, {}
        parameters = function.parameters
        for at, p in enumerate(parameters):
            if p.base == "void" and p.stars == 1:
                self.ways[p.name] = way(function, p)
                if self.ways[p.name] == "typed":
                    self.counts[parameters[at + 1].name] = self.types[parameters[at + 2].name] = p.name
        super().__init__(function)

    def take(self, kind, p):
        super().take(kind, p)
        self.forwarded.append(p.name)

    def choice(self, p, _):
        self.parameters.append(f"const Descriptor* {p.name}")
        self.forwarded.append(f"{p.name}->base")
        how = self.ways[p.name]
        at = self.function.parameters.index(p)
        side = "Side::in" if p.const else "Side::out"
        if how == "address":
            self.passed.append(f"buffer_of({p.name}->base)")
            return
        if how == "typed":
            count, datatype = (each.name for each in self.function.parameters[at + 1 : at + 3])
            self.before.append(f"const TypedBuffer c_{p.name} = sections.typed(*{p.name}, {side}, *{count}, *{datatype});")
            self.passed.append(f"c_{p.name}.buffer")
            return
        if how == "partitioned":
            self.side = side
            self.before.append(
                f"const TypedBuffer c_buf = sections.partitioned(*buf, {side}, *partitions, *count, *datatype);")
        elif how == "element":
            self.before.append(f"void* const c_{p.name} = sections.element(*{p.name}, *datatype);")
        else:
            made = "copied" if how == "copied" else "in_one_piece"
            self.before.append(f"void* const c_{p.name} = sections.{made}(*{p.name}, {side});")
        self.passed.append(f"c_{p.name}")

    def value(self, p, argument):
        super().value(p, argument)
        if p.name in self.counts:
            self.passed[-1] = f"static_cast<{p.base}>(c_{self.counts[p.name]}.count)"

    def handle(self, p, argument):
        super().handle(p, argument)
        if p.name in self.types:
            self.passed[-1] = f"c_{self.types[p.name]}.type"

    def plain(self, p, argument):
        super().plain(p, argument)
        if p.suffix == "[][3]":
            self.forwarded.append(p.name)

    def handles(self, p, argument):
        super().handles(p, argument)
        # The buffer is behind a descriptor.
        self.before[-1] = self.before[-1].replace("is_in_place(sendbuf)", "is_in_place(sendbuf->base)")

    def refusal(self):
        """Returns the error for a buffer that cannot be used."""
        handle = owner(self.function)
        if not handle.startswith("MPI_"):
            base = next(p.base for p in self.function.parameters if p.name == handle)
            handle = f"handle_of<{base}>(*{handle})"
        return f'refuse("{self.function.name}", {handle}, MPI_ERR_BUFFER, sections.why_not())'

    def text(self):
        f = self.function
        forward = ", ".join([*self.forwarded, "ierror", *(each.split()[-1] for each in self.lengths)])
        forward = f"skein_{fortran_name(f)}({forward});"
        parameters = ", ".join(self.parameters + ["ErrorOut ierror"] + self.lengths)
        head = f"void skein_{f08_name(f)}_({parameters}) {{\n"
        looked_at = [name for name, how in self.ways.items() if how != "address"]
        if not looked_at:
            return f"{head}  {forward}\n}}\n"
        test = "in_one_piece" if use(f) == "call" else "stays_in_one_piece"
        # Buffers that are not is_plain() have a function of their own, so that the common one needs no frame.
        other = f"other_{f08_name(f)}"
        is_plain, test = (" && ".join(f"{each}(*{name})" for name in looked_at) for each in ("is_plain", test))
        given = ", ".join([*(each.split()[-1].partition("[")[0] for each in self.parameters), "ierror",
                           *(each.split()[-1] for each in self.lengths)])  # fmt: skip
        plain = f"{head}  if ({is_plain}) [[likely]] return {forward}\n  {other}({given});\n}}\n"
        # The two functions with partitions ignore their info if there are gaps.
        head = f"[[gnu::noinline]] static void {other}({parameters}) {{\n  if ({test}) return {forward}\n"
        lines = [f"Sections sections(Use::{use(f)});", *self.before]
        lines.append(f"if (sections.why_not()) {{ ierror = {self.refusal()}; return; }}")
        request = next((p.name for p in f.parameters if p.base == "MPI_Request"), None)
        finish = f"sections.finish({f'&c_{request}' if request else ''});"
        if "partitioned" in self.ways.values():
            peer, tag, comm, request = self.passed[4], self.passed[5], self.passed[6], self.passed[8]
            call = f'init_partitioned("{f.name}", {self.side}, *partitions, c_buf, {peer}, {tag}, {comm}, {request})'
        else:
            call = f"{f.name}({', '.join(self.passed)})"
        lines += [f"const int error = {call};", f"if (error == MPI_SUCCESS) {finish}"]
        lines += [*self.after, "ierror = error;"]
        return head + "".join(f"  {line}\n" for line in lines) + "}\n" + plain


def section_bindings(api):
    """Returns the bindings as a file of its own, in which passing addresses on is a jump."""
    functions = [f for f in f08_functions(api) if has_choice(f)]
    return BANNER + HEAD + "".join(map(declaration, functions)) + "\n" + "\n".join(map(definition, functions)) + "}\n"


def declaration(function):
    """Returns the declaration of the procedure of mpif.h."""
    binding = Binding(function)
    parameters = ", ".join(binding.parameters + ["ErrorOut ierror"] + binding.lengths)
    return f"void skein_{fortran_name(function)}({parameters});\n"


def definition(function):
    return SectionBinding(function).text()
