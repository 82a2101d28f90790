# SPDX-License-Identifier: Apache-2.0
"""Tests what the generator reads from mpi.h, and what it makes of it."""

import os
import sys
import unittest
from pathlib import Path

SOURCE = Path(os.environ["SKEIN_SOURCE"])
HEADERS = SOURCE / "include/skein/mpi"
sys.path.insert(0, str(SOURCE / "runtime/vmpi/api"))

import c_sources  # noqa: E402
import forwards  # noqa: E402
import fortran_f08  # noqa: E402
import fortran_headers  # noqa: E402
import fortran_model  # noqa: E402
import fortran_sections  # noqa: E402
import parse  # noqa: E402

API = parse.read_api(HEADERS)
NAMES = {function.name for function in API.functions}


class Parser(unittest.TestCase):
    def test_every_line_of_the_list_is_a_function(self):
        text = (HEADERS / "skein_mpi_functions.h").read_text()
        lines = [line for line in text.splitlines() if line and not line.startswith(("/*", " *"))]
        self.assertEqual(len(API.functions), len(lines))

    def test_prototypes_come_back_as_they_stand(self):
        text = (HEADERS / "skein_mpi_functions.h").read_text()
        for function in API.functions:
            line = f"SKEIN_MPI_FUNCTION({function.result}, {function.name}, ({function.signature}))"
            self.assertIn(line + "\n", text)

    def test_a_parameter(self):
        (function,) = parse.parse_functions("SKEIN_MPI_FUNCTION(int, MPI_X, (const int dims[], MPI_Comm* made, ...))")
        dims, made = function.parameters
        self.assertEqual((dims.base, dims.const, dims.stars, dims.name, dims.suffix), ("int", True, 0, "dims", "[]"))
        self.assertEqual((made.base, made.const, made.stars, made.name, made.suffix), ("MPI_Comm", False, 1, "made", ""))
        self.assertTrue(function.variadic)
        self.assertIsNone(function.parameter(base="MPI_Comm"))

    def test_what_cannot_be_read_is_an_error(self):
        for line in (
            "SKEIN_MPI_FUNCTION(int, MPI_X, int a)",
            "SKEIN_MPI_FUNCTION(int, MPI_X, (int))",
            "SKEIN_MPI_FUNCTION(int, MPI_X, (int (*f)(void)))",
            "SKEIN_MPI_FUNCTION(int, MPI_X, (void))\nSKEIN_MPI_FUNCTION(int, MPI_X, (void))",
        ):
            with self.assertRaises(ValueError, msg=line):
                parse.parse_functions(line)

    def test_constants(self):
        constants = parse.parse_constants(
            "#define MPI_A 0xC\n#define MPI_B (-3) /* text */\n#define MPI_C ((MPI_Comm)0x101)\n#define MPI_D MPI_C\n"
            "#define MPI_E ((void*)1)\n"
        )
        self.assertEqual([parse.integer(constants, name) for name in constants], [12, -3, 257, 257, None])

    def test_every_constant_of_the_header_is_read(self):
        defined = [line.split()[1] for line in (HEADERS / "mpi.h").read_text().splitlines() if line.startswith("#define")]
        others = {"SKEIN_MPI_H", "SKEIN_MPI_FUNCTION(type,"}
        self.assertEqual([name for name in defined if name not in others], list(API.constants))


class Completeness(unittest.TestCase):
    """MPI's own regularities, as the list must show them."""

    def test_collectives_have_all_their_forms(self):
        plain = ["Allgather", "Allgatherv", "Allreduce", "Alltoall", "Alltoallv", "Alltoallw", "Bcast", "Exscan", "Gather",
                 "Gatherv", "Reduce", "Reduce_scatter", "Reduce_scatter_block", "Scan", "Scatter", "Scatterv",
                 "Neighbor_allgather", "Neighbor_allgatherv", "Neighbor_alltoall", "Neighbor_alltoallv",
                 "Neighbor_alltoallw"]  # fmt: skip
        for name in plain:
            nonblocking = "I" + name[0].lower() + name[1:]
            for form in (name, nonblocking, name + "_init"):
                self.assertLessEqual({f"MPI_{form}", f"MPI_{form}_c"}, NAMES)
        self.assertLessEqual({"MPI_Barrier", "MPI_Ibarrier", "MPI_Barrier_init"}, NAMES)

    def test_sends_have_all_their_modes(self):
        for mode in ("", "b", "r", "s"):
            blocking = f"MPI_{mode.upper()}{'S' if not mode else 's'}end"
            for name in (blocking, f"MPI_I{mode}send", f"{blocking}_init"):
                self.assertLessEqual({name, name + "_c"}, NAMES)

    def test_calls_with_a_count_have_a_large_form(self):
        # Functions with MPI_Datatype and int arguments that are older than MPI-4 and have no large form in
        # the standard.
        without = {"MPI_Type_create_f90_integer", "MPI_Status_set_elements_x", "MPI_Get_elements_x"}
        for function in API.functions:
            counts = [p for p in function.parameters if p.base == "int" and p.by_value and p.name.endswith("count")]
            types = [p for p in function.parameters if p.base == "MPI_Datatype" and p.by_value]
            if counts and types and function.name not in without | {"MPI_Type_hindexed", "MPI_Type_hvector"}:
                self.assertIn(function.name + "_c", NAMES)

    def test_every_kind_of_handle_converts(self):
        for kind in parse.HANDLE_KINDS:
            for direction in ("c2f", "f2c", "toint", "fromint"):
                self.assertIn(f"MPI_{kind}_{direction}", NAMES)

    def test_profiling_names_follow(self):
        renames = c_sources.rename_header(API)
        self.assertEqual(renames.count("#define "), 2 * len(NAMES))
        self.assertIn("#define PMPI_Send skein_MPI_Send\n", renames)


class Forwards(unittest.TestCase):
    """Functions that only forward their arguments."""

    def test_the_call_has_the_arguments_of_its_function(self):
        (function,) = parse.parse_functions("SKEIN_MPI_FUNCTION(int, MPI_X_c, (MPI_Count count, MPI_Info info, int flags[]))")
        call = forwards.body(function, "x($name, $large, $3, {$1, $offset}, $request)")
        self.assertEqual(call, 'x("MPI_X_c", true, flags, {count, 0}, nullptr)')
        self.assertEqual(forwards.signature(function, call), "MPI_Count count, MPI_Info, int flags[]")
        self.assertEqual(forwards.body(function, "x($all)"), "x(count, info, flags)")

    def test_each_function_is_forwarded_once(self):
        names = [name for calls in forwards.FORWARDS.values() for names in calls.values() for name in names.split()]
        self.assertEqual(len(names), len(set(names)))


class Fortran(unittest.TestCase):
    FUNCTIONS = fortran_model.fortran_functions(API)

    def test_functions_of_c_alone_are_left_out(self):
        left_out = NAMES - {function.name for function in self.FUNCTIONS}
        for name in left_out:
            self.assertRegex(name, r"_c$|^MPI_T_|^MPI_Abi_|_(c2f|f2c|toint|fromint|f082c|c2f08|f082f|f2f08)$")
        large = {name for name in NAMES if name.endswith("_c")}
        self.assertLessEqual(large, left_out)

    def test_every_function_has_a_binding_and_an_interface(self):
        module = fortran_headers.module(API).lower()
        for function in self.FUNCTIONS:
            for prefix in ("", "p"):
                self.assertRegex(module, rf"(subroutine|function) {prefix}{function.name.lower()}\(")

    def test_every_function_has_an_interface_in_mpi_f08(self):
        module = fortran_f08.module(API).lower()
        symbols = fortran_model.fortran_symbols(API)
        forms = list(fortran_model.f08_functions(API))
        self.assertGreater(len(forms), len(self.FUNCTIONS))
        for form in forms:
            name = fortran_model.f08_name(form)
            self.assertIn(name + "_", symbols)
            for prefix in ("", "p"):
                self.assertRegex(module, rf"(subroutine|function) {prefix}{name}\(")

    def test_specific_procedures_have_the_names_of_the_standard(self):
        # MPI 4.1, table 19.1: 1A without choice buffers, 1B with them.
        names = fortran_model.fortran_symbols(API)
        for name in ("send_f08ts", "isend_c_f08ts", "comm_rank_f08", "type_vector_c_f08", "f_sync_reg_f08ts", "wtime_f08",
                     "buffer_attach_f08ts", "buffer_detach_f08", "alloc_mem_f08", "free_mem_f08ts"):  # fmt: skip
            self.assertIn(f"mpi_{name}_", names)

    def test_buffers_are_reached_by_what_the_function_does(self):
        ways = {}
        for function in fortran_model.f08_functions(API):
            if fortran_model.has_choice(function):
                ways[function.name] = list(fortran_sections.SectionBinding(function).ways.values())
        self.assertEqual(ways["MPI_Isend"], ["typed"])
        self.assertEqual(ways["MPI_Sendrecv_c"], ["typed", "typed"])
        self.assertEqual(ways["MPI_Get_accumulate"], ["typed", "typed"])
        self.assertEqual(ways["MPI_Compare_and_swap"], ["element"] * 3)
        self.assertEqual(ways["MPI_Pack_external"], ["typed", "copied"])
        self.assertEqual(ways["MPI_Unpack"], ["copied", "typed"])
        self.assertEqual(ways["MPI_Psend_init"], ["partitioned"])
        self.assertEqual(ways["MPI_File_iwrite_at_all"], ["typed"])
        self.assertEqual(ways["MPI_File_read_all_end"], ["address"])
        self.assertEqual(ways["MPI_Win_create_c"], ["region"])
        self.assertEqual(ways["MPI_Get_address"], ["address"])
        collectives = [name for name, how in ways.items() if "copied" in how and "ack" not in name]
        # 21 with buffers, of three forms, each with a large one; MPI_Bcast is among them; and MPI_Reduce_local.
        self.assertEqual(len(collectives), 21 * 3 * 2 + 2)
        addresses = {name for name, how in ways.items() if "address" in how and not name.endswith("_end")}
        self.assertEqual(addresses, {"MPI_Get_address", "MPI_Free_mem", "MPI_Win_detach"})

    def test_forms_that_only_a_callback_tells_apart_have_names_of_their_own(self):
        # MPI 4.1, section 19.1.5: MPI_Op_create_c and MPI_Register_datarep_c are not overloaded.
        module = fortran_f08.module(API)
        for name in ("op_create", "register_datarep"):
            self.assertIn(f"interface mpi_{name}_c\n", module)
        self.assertNotIn("interface mpi_send_c\n", module)

    def test_names_are_distinct(self):
        m = fortran_model
        parts = [self.FUNCTIONS, m.FORTRAN_ONLY, m.COMPARISONS, list(m.SIZEOF), list(m.f08_functions(API))]
        self.assertEqual(len(m.fortran_symbols(API)), sum(map(len, parts)))

    def test_hand_written_bindings_exist(self):
        text = "".join(path.read_text() for path in (SOURCE / "runtime/vmpi/fortran").glob("*.cpp"))
        addresses = {f"{name.lower()}_f08" for name in fortran_model.HAND_OUT_ADDRESSES}
        for name in fortran_model.HAND_WRITTEN | addresses | {name[:-1] for name in fortran_model.FORTRAN_ONLY}:
            tail = name.lower().removeprefix("mpi_")
            owner, _, rest = tail.partition("_")
            found = f"skein_mpi_{tail}_(" in text or f"skein_mpi_##owner##_{rest}_(" in text
            self.assertTrue(found and owner, name)

    def test_lines_fit_both_forms(self):
        for line in fortran_headers.mpif(API).splitlines():
            self.assertLessEqual(len(line), 72)
            self.assertTrue(line.startswith(("!", "      ")), line)

    def test_string_lengths_are_one_less_than_in_c(self):
        constants = fortran_headers.constants(API)
        self.assertEqual(constants["MPI_MAX_PROCESSOR_NAME"], 255)
        self.assertEqual(constants["MPI_STATUS_SIZE"], 8)
        self.assertEqual(constants["MPI_COMM_WORLD"], 0x101)

    def test_a_block_that_disagrees_with_the_header_is_an_error(self):
        moved = dict(API.constants, SKEIN_MPI_F_STATUS_IGNORE="7")
        with self.assertRaises(ValueError):
            fortran_headers.check_block(parse.Api(API.functions, moved))


if __name__ == "__main__":
    unittest.main()
