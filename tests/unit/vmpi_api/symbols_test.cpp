// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/api/symbols.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "tests/unit/vmpi_api/calls.hpp"

namespace {

std::map<std::string, void*> table() {
  std::map<std::string, void*> symbols;
  for (const skein::vmpi::ApiSymbol& symbol : skein::vmpi::api_symbols) symbols[symbol.name] = symbol.address;
  return symbols;
}

}  // namespace

TEST_CASE("symbols: each name stands once, with an address") {
  const auto symbols = table();
  CHECK(symbols.size() == skein::vmpi::api_symbols.size());
  for (const auto& entry : symbols) {  // no structured binding: CAPTURE's lambda cannot take one in Clang 14
    CAPTURE(entry.first);
    CHECK(entry.second != nullptr);
  }
}

TEST_CASE("symbols: profiling names are the same functions") {
  const auto symbols = table();
  CHECK(symbols.at("MPI_Send") == skein::libc::address_of(MPI_Send));
  CHECK(symbols.at("PMPI_Send") == symbols.at("MPI_Send"));
  CHECK(symbols.at("pmpi_send_") == symbols.at("mpi_send_"));
  CHECK(symbols.at("mpi_send_") != symbols.at("MPI_Send"));
}

extern "C" int skein_front_MPI_Comm_size(MPI_Comm comm, int* size);
extern "C" int skein_front_MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses);

TEST_CASE("fronts: what follows from the table is checked before the function is called") {
  const auto symbols = table();
  CHECK(symbols.at("MPI_Comm_size") == skein::libc::address_of(skein_front_MPI_Comm_size));
  CHECK(symbols.at("PMPI_Comm_size") == symbols.at("MPI_Comm_size"));
  CHECK(skein_front_MPI_Comm_size(MPI_COMM_SELF, nullptr) == MPI_ERR_ARG);
  CHECK(calls::refused == "MPI_Comm_size: size is a null pointer");
  calls::refused.clear();
  int size = 0;
  (void)skein_front_MPI_Comm_size(MPI_COMM_SELF, &size);
  (void)skein_front_MPI_Waitall(0, nullptr, MPI_STATUSES_IGNORE);  // there are no requests
  CHECK(calls::refused.empty());
  CHECK(skein_front_MPI_Waitall(1, nullptr, MPI_STATUSES_IGNORE) == MPI_ERR_ARG);
  (void)calls::take();  // drops the calls behind the fronts
}

TEST_CASE("unsupported: a function nobody wrote names itself and its communicator") {
  CHECK(MPI_Bcast(nullptr, 0, MPI_INT, 0, MPI_COMM_SELF) == MPI_ERR_UNSUPPORTED_OPERATION);
  CHECK(calls::unsupported_function == "MPI_Bcast");
  CHECK(calls::unsupported_comm == MPI_COMM_SELF);
  CHECK(MPI_Type_commit(nullptr) == MPI_ERR_UNSUPPORTED_OPERATION);
  CHECK(calls::unsupported_function == "MPI_Type_commit");
  CHECK(calls::unsupported_comm == MPI_COMM_NULL);
  CHECK(MPI_Wtick() == 0.0);
  CHECK(calls::unsupported_function == "MPI_Wtick");
}

TEST_CASE("unsupported: a function's own definition wins") {
  calls::unsupported_function.clear();
  CHECK(MPI_Send(nullptr, 0, MPI_INT, 0, 0, MPI_COMM_SELF) == MPI_SUCCESS);
  CHECK(calls::unsupported_function.empty());
  CHECK(calls::take().size() == 1);
}

TEST_CASE("conversions: handles are the same numbers in C and Fortran") {
  CHECK(MPI_Comm_c2f(MPI_COMM_WORLD) == 0x101);
  CHECK(MPI_Comm_f2c(0x101) == MPI_COMM_WORLD);
  CHECK(MPI_Type_toint(MPI_DOUBLE) == 0x214);
  CHECK(MPI_Type_fromint(0x214) == MPI_DOUBLE);
  const int largest = 0x7fffffff;
  CHECK(MPI_Request_toint(MPI_Request_f2c(largest)) == largest);
}
