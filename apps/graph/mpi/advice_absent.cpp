// SPDX-License-Identifier: Apache-2.0
// Replaces advice.cpp where there is no advisor: for virtual ranks, which Skein moves itself.
#include <stdexcept>

#include "advice.hpp"

namespace graph {

struct Adviser::State {};

Adviser::Adviser(MPI_Comm, const std::string&, double, bool) {
  throw std::runtime_error(
      "this program was built without Skein's advisor, so there is no --advise: as virtual ranks take "
      "--migrate, or link mpi/advice.cpp and Skein::advisor in place of mpi/advice_absent.cpp");
}
Adviser::~Adviser() = default;
void Adviser::add_work(double) {}
void Adviser::moved(double) {}
std::vector<int> Adviser::advise(const Elements&, int, std::string&) { return {}; }

}  // namespace graph
