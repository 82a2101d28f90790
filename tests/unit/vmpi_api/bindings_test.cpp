// SPDX-License-Identifier: Apache-2.0
// The Fortran bindings, called by the code that gfortran makes of program.f90 and program77.f.
#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "runtime/vmpi/api/symbols.hpp"
#include "runtime/vmpi/fortran/sentinels.hpp"
#include "tests/unit/vmpi_api/calls.hpp"

using Lines = std::vector<std::string>;

extern "C" {
void run_point_to_point_(MPI_Fint* error);
void run_requests_(MPI_Fint* requests, MPI_Fint* index, MPI_Fint* some, MPI_Fint* indices);
void run_collectives_();
void run_strings_(char* name, MPI_Fint* length, MPI_Fint* flag, std::size_t name_length);
void run_datatypes_(MPI_Fint* newtype);
void run_callbacks_(MPI_Fint* op, MPI_Fint* handler);
void run_attributes_(MPI_Aint* values);
void run_inquiry_(double* time, MPI_Fint* sizes);
void run_included_(double* time);
void run_alltoallw_();
void run_mpi1_(MPI_Fint* extent, MPI_Fint* newtype);
void run_information_(char* values, MPI_Fint* lengths, MPI_Fint* flags, std::size_t value_length);
void run_requests_of_its_own_(MPI_Fint* size);
void run_spawn_();
}

TEST_CASE("fortran: buffers, handles and statuses of point-to-point calls arrive") {
  MPI_Fint error = -1;
  run_point_to_point_(&error);
  CHECK(error == MPI_SUCCESS);
  // 0x21a is the ABI's MPI_REAL, 0x21c its MPI_DOUBLE_PRECISION, 0x101 and 0x102 are world and self.
  CHECK(calls::take() == Lines{"MPI_Init(1, 1)", "MPI_Send(buffer, 4, 0x21a, 1, 7, 0x101)",
                               "MPI_Send(buffer, 1, 0x21c, -3, 8, 0x102)",
                               "MPI_Recv(buffer, 3, 0x21a, 2, -2, 0x101, status)",
                               "MPI_Recv(buffer, 3, 0x21a, 2, 3, 0x101, IGNORE)"});
}

TEST_CASE("fortran: an error code comes back") {
  calls::next_error = MPI_ERR_RANK;
  MPI_Fint count = 0;
  MPI_Fint error = 0;
  skein::vmpi::ApiSymbol send{};
  for (const skein::vmpi::ApiSymbol& symbol : skein::vmpi::api_symbols)
    if (strcmp(symbol.name, "pmpi_send_") == 0) send = symbol;
  REQUIRE(send.address);
  using Send = void(void*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*);
  reinterpret_cast<Send*>(send.address)(&count, &count, &count, &count, &count, &count, &error);
  CHECK(error == MPI_ERR_RANK);
  calls::take();
}

TEST_CASE("fortran: arrays of requests are widened and written back, indices count from one") {
  MPI_Fint requests[40];
  MPI_Fint index[2];
  MPI_Fint indices[40];
  MPI_Fint some = 0;
  run_requests_(requests, index, &some, indices);
  CHECK(index[0] == 2);
  CHECK(index[1] == MPI_UNDEFINED);
  CHECK(some == 2);
  CHECK(indices[0] == 1);
  CHECK(indices[1] == 5);
  for (const MPI_Fint request : requests) CHECK(request == 0x180);  // MPI_REQUEST_NULL
  const Lines lines = calls::take();
  REQUIRE(lines.size() == 40 + 3 + 40 + 1);
  CHECK(lines[40] == "MPI_Waitany(3, IGNORE)");
  CHECK(lines[41] == "MPI_Waitany(1, status)");
  CHECK(lines[42] == "MPI_Waitsome(5, status)");
  CHECK(lines[43] == "request(0xc000001)");
  CHECK(lines[44] == "request(0x180)");  // the request that Waitany completed
  CHECK(lines[82] == "request(0xc000028)");
  CHECK(lines[83] == "MPI_Waitall(40, IGNORE)");
}

TEST_CASE("fortran: special buffers and logicals of collective calls arrive") {
  run_collectives_();
  CHECK(calls::take() == Lines{"MPI_Allreduce(IN_PLACE, buffer, 2, 0x219, 0x21, 0x101)",
                               "MPI_Allreduce(buffer, buffer, 2, 0x230, 0x39, 0x101)",
                               "MPI_Cart_create(2, 3, 2, 1, 0, 1)",
                               "MPI_Send(buffer, 1, 0x219, 0, 0, 0x102)"});
}

TEST_CASE("fortran: strings lose and get blanks") {
  char name[8];
  MPI_Fint length = 0;
  MPI_Fint flag = 0;
  run_strings_(name, &length, &flag, sizeof name);
  CHECK(std::string(name, sizeof name) == "node7   ");
  CHECK(length == 5);
  CHECK(flag == 1);
  CHECK(calls::take() == Lines{"MPI_Comm_set_name(0x101, \"  two words\")",
                               "MPI_Info_set(0x131, \"key\", \"a value\")", "MPI_Get_processor_name()",
                               "MPI_Initialized()"});
}

TEST_CASE("fortran: address-sized displacements and arrays of datatypes arrive") {
  MPI_Fint made = 0;
  run_datatypes_(&made);
  CHECK(made == 0x10000002);
  CHECK(calls::take() == Lines{"MPI_Type_create_struct(2, 5, 123456789012, 0x219, 0x2da)"});
}

TEST_CASE("fortran: C calls reduction functions and error handlers of Fortran directly") {
  MPI_Fint op = 0;
  MPI_Fint handler = 0;
  run_callbacks_(&op, &handler);
  CHECK(op == 0x14000001);
  CHECK(handler == 0x18000001);
  // 10 + 2 * 1, 20 + 2 * 2, 30 + 2 * 3; the handler sends its code, MPI_ERR_TAG, as the count.
  CHECK(calls::take() == Lines{"MPI_Op_create(1, 12, 24, 36)", "MPI_Send(BOTTOM, 4, 0x219, 0, 0, 0x102)",
                               "MPI_Comm_create_errhandler()"});
}

TEST_CASE("fortran: attributes are integers of address size, and said to be") {
  MPI_Aint values[2] = {0, 0};
  run_attributes_(values);
  CHECK(values[0] == -77);
  CHECK(values[1] == 12345);
  // The copy function adds its extra state.
  CHECK(calls::take() == Lines{"MPI_Comm_create_keyval()", "MPI_Comm_set_attr(65536, -77)",
                               "MPI_Comm_get_attr(65536)", "MPI_Comm_get_attr(501)",
                               "MPI_Comm_dup(0, 1, 923)"});
}

TEST_CASE("fortran: functions and MPI_Sizeof") {
  double time = 0;
  MPI_Fint sizes[5];
  run_inquiry_(&time, sizes);
  CHECK(time == 42.5);
  CHECK(sizes[0] == 16);
  CHECK(sizes[1] == 4);
  CHECK(sizes[2] == 1);
  CHECK(sizes[3] == 4);
  CHECK(sizes[4] == 8);
}

TEST_CASE("fortran: mpif.h in fixed form means the same") {
  double time = 0;
  run_included_(&time);
  CHECK(time == 42.5);
  CHECK(calls::take() == Lines{"MPI_Recv(buffer, 2, 0x219, -1, 3, 0x101, IGNORE)",
                               "MPI_Recv(buffer, 2, 0x219, 4, 3, 0x101, status)",
                               "MPI_Allreduce(IN_PLACE, buffer, 2, 0x219, 0x22, 0x101)",
                               "MPI_Send(BOTTOM, 1, 0x219, 0, 0, 0x102)"});
}

TEST_CASE("fortran: as many datatypes are read as the communicator has peers") {
  run_alltoallw_();
  CHECK(calls::take() == Lines{"MPI_Alltoallw(buffer, 0x21b, 0x2d1)", "MPI_Alltoallw(buffer, 0x21a, 0x2da)",
                               "MPI_Alltoallw(IN_PLACE, 0x200, 0x2d1)",
                               "MPI_Neighbor_alltoallw(0x21b, 0x2d2, 9876543210)",
                               "MPI_Neighbor_alltoallw(0x218, 0x2d9, 9876543210)"});
}

TEST_CASE("fortran: the datatype calls of MPI-1 take default INTEGERs") {
  MPI_Fint extent = 0;
  MPI_Fint made = 0;
  run_mpi1_(&extent, &made);
  CHECK(extent == 24);
  CHECK(made == 0x247);
  CHECK(calls::take() == Lines{"MPI_Type_struct(2, 4, -8, 0xe05)", "MPI_Type_extent(0x219)"});
}

TEST_CASE("fortran: lengths of strings exclude the terminator, both ways") {
  char values[3][8];
  MPI_Fint lengths[3];
  MPI_Fint flags[3];
  run_information_(values[0], lengths, flags, 8);
  CHECK(std::string(values[0], 8) == "value   ");
  CHECK(std::string(values[1], 8) == "val     ");
  CHECK(std::string(values[2], 8) == "untouch.");
  CHECK(lengths[0] == 5);
  CHECK(lengths[1] == 5);
  CHECK(flags[0] == 1);
  CHECK(flags[2] == 0);
  CHECK(calls::take() == Lines{"MPI_Info_get_string(\"key\", 9)", "MPI_Info_get_string(\"key\", 4)",
                               "MPI_Info_get_string(\"none\", 9)"});
}

TEST_CASE("fortran: generalized requests call Fortran's three functions") {
  MPI_Fint size = 0;
  run_requests_of_its_own_(&size);
  CHECK(size == 99);
  // cancel adds 5 to the extra state 30, which the program sees; query puts the sum into the tag; release
  // returns the sum plus 1.
  CHECK(calls::take() == Lines{"MPI_Grequest_start(22, 21, 35, 36)", "MPI_Buffer_detach()"});
}

TEST_CASE("fortran: spawned programs get their arguments, on the root only") {
  run_spawn_();
  CHECK(calls::take() ==
        Lines{"MPI_Comm_spawn(\"worker\", \"-v;a b;\", 4, 1, 1)", "MPI_Comm_spawn(\"worker\", \"\", 4, 1, 1)",
              "MPI_Comm_spawn(\"\", \"\", 0, 0, 1)", "command(\"left\", \"one;two;\", 5, 0x130)",
              "command(\"right\", \"last;\", 6, 0x131)", "MPI_Comm_spawn_multiple(2)"});
}

TEST_CASE("fortran: each rank's special arguments are recognised in its own slot only") {
  using namespace skein;
  arena::reserved.slot_shift = 24;
  const std::size_t offset = 0x5040;
  vmpi::fortran::place_sentinels(offset);
  alignas(Rank) static std::byte memory[sizeof(Rank)];
  Rank& rank = *reinterpret_cast<Rank*>(memory);  // only its number is read
  fiber::thread_block.rank = &rank;
  for (const int id : {0, 3}) {
    rank.id = id;
    const auto block = [&](int slot) {
      return reinterpret_cast<MPI_Fint*>(arena::contents_address(static_cast<std::size_t>(slot)) + offset);
    };
    CHECK(vmpi::fortran::buffer_of(block(id) + SKEIN_MPI_F_IN_PLACE) == MPI_IN_PLACE);
    CHECK(vmpi::fortran::status_of(block(id) + SKEIN_MPI_F_STATUSES_IGNORE) == MPI_STATUSES_IGNORE);
    CHECK(vmpi::fortran::weights_of(block(id) + SKEIN_MPI_F_UNWEIGHTED) == MPI_UNWEIGHTED);
    CHECK(vmpi::fortran::weights_of(block(id) + SKEIN_MPI_F_WEIGHTS_EMPTY) == MPI_WEIGHTS_EMPTY);
    MPI_Fint* const other = block(id + 1) + SKEIN_MPI_F_IN_PLACE;
    CHECK(vmpi::fortran::buffer_of(other) == other);
    MPI_Fint* const behind = block(id) + 32;
    CHECK(vmpi::fortran::buffer_of(behind) == behind);
  }
  fiber::thread_block.rank = nullptr;
  vmpi::fortran::place_sentinels(std::nullopt);
}
