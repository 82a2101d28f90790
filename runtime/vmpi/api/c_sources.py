# SPDX-License-Identifier: Apache-2.0
"""Writes the sources of the C interface for the launcher and the stub library."""

from parse import HANDLE_KINDS

BANNER = "// SPDX-License-Identifier: Apache-2.0\n// Written by runtime/vmpi/api/generate.py from mpi.h.\n"


def rename_header(api):
    """Renames the MPI that ranks see, by the prefix skein_: the launcher holds two. PMPI_Send is the same as MPI_Send."""
    lines = [BANNER + "#pragma once\n"]
    for function in api.functions:
        lines.append(f"#define {function.name} skein_{function.name}")
        lines.append(f"#define P{function.name} skein_{function.name}")
    return "\n".join(lines) + "\n"


def is_conversion(function):
    """Returns true for conversions between C handles and numbers, which are generated, as they are casts."""
    kind, _, direction = function.name.removeprefix("MPI_").rpartition("_")
    return kind in HANDLE_KINDS and direction in ("c2f", "f2c", "toint", "fromint")


def conversions(api):
    lines = [BANNER + '#include "runtime/vmpi/fortran/convert.hpp"\n', 'extern "C" {']
    for function in filter(is_conversion, api.functions):
        argument = function.parameters[0]
        if argument.base in ("int", "MPI_Fint"):
            body = f"skein::vmpi::fortran::handle_of<{function.result}>({argument.name})"
        else:
            body = f"skein::vmpi::fortran::number_of({argument.name})"
        lines.append(f"{function.result} {function.name}({function.signature}) {{ return {body}; }}")
    lines.append("}")
    return "\n".join(lines) + "\n"


def unsupported(api):
    """Returns weak definitions, which definitions elsewhere in the runtime replace."""
    lines = [BANNER + '#include "runtime/vmpi/errors.hpp"\n', "using namespace skein::vmpi;\n"]
    lines.append("#pragma GCC diagnostic ignored \"-Wunused-parameter\"")
    lines.append('extern "C" {')
    for function in api.functions:
        if is_conversion(function):
            continue
        comm = function.parameter(base="MPI_Comm")
        call = f'raise_unsupported("{function.name}", {comm.name if comm else "MPI_COMM_NULL"})'
        body = f"return {call};" if function.result == "int" else f"{call}; return {{}};"
        lines.append(f"[[gnu::weak]] {function.result} {function.name}({function.signature}) {{ {body} }}")
    lines.append("}")
    return "\n".join(lines) + "\n"


def symbol_table(api, fortran_symbols, has_front):
    """Returns the table of names in programs, with the launcher's functions or their fronts."""
    lines = [BANNER + '#include "runtime/vmpi/api/symbols.hpp"\n', '#include "runtime/vmpi/api.hpp"\n', 'extern "C" {']
    lines += [f"void skein_{name}();" for name in dict.fromkeys(fortran_symbols.values())]
    lines += [f"void skein_front_{function.name}();" for function in api.functions if has_front(function)]
    lines += ["}\n", "namespace skein::vmpi {\nnamespace {\n"]
    # Visible casts make the table constant data: with address_of(), code would fill it, which takes seconds to compile.
    lines.append("const ApiSymbol symbols[] = {")
    for function in api.functions:
        front = "front_" if has_front(function) else ""
        for name in (function.name, "P" + function.name):
            lines.append(f'    {{"{name}", reinterpret_cast<void*>(skein_{front}{function.name})}},')
    for symbol, function in fortran_symbols.items():
        for alias in (symbol, "p" + symbol):
            lines.append(f'    {{"{alias}", reinterpret_cast<void*>(skein_{function})}},')
    lines.append('    {"skein_mpi_sentinels_", skein_mpi_sentinels_},')
    lines += ["};\n", "}  // namespace\n"]
    lines += ["const std::span<const ApiSymbol> api_symbols = symbols;\n", "}  // namespace skein::vmpi"]
    return "\n".join(lines) + "\n"


STUB_HEAD = """
/* What programs are linked against. Under `skein run` the loader binds these names to the launcher's functions and
 * never loads this library; it speaks up when such a program is started by itself. Types do not matter here. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

int skein_mpi_sentinels_[32] __attribute__((aligned(64), visibility("default")));

__attribute__((noreturn, cold)) static void stop(const char* function) {
  fflush(NULL);
  fprintf(stderr,
          "%s: %s: this program was built for Skein, which runs its MPI ranks; start it as\\n"
          "  skein run -p P -n N %s ...\\n"
          "with P processes and N ranks\\n",
          program_invocation_short_name, function, program_invocation_name);
  _exit(1);
}

#define STOPS(name, profiling_name, label)                      \\
  void name(void) __attribute__((visibility("default")));       \\
  void name(void) { stop(label); }                              \\
  extern void profiling_name(void) __attribute__((alias(#name), visibility("default")));

"""


def stub_library(api, fortran_symbols):
    banner = "".join(f"/* {line[3:]} */\n" for line in BANNER.splitlines())
    lines = [banner + STUB_HEAD]
    for function in api.functions:
        lines.append(f'STOPS({function.name}, P{function.name}, "{function.name}")')
    for name in fortran_symbols:
        called = name[:-1].removesuffix("_f08ts").removesuffix("_f08").upper()
        lines.append(f'STOPS({name}, p{name}, "{called}")')
    return "\n".join(lines) + "\n"
