// SPDX-License-Identifier: Apache-2.0
// Replaces advisor.cpp where there is no advisor: for virtual ranks, which Skein moves itself.
#include <stdexcept>

#include "balance.hpp"

namespace dislocations {

struct Adviser::State {};

Adviser::Adviser(MPI_Comm, const Box&, int) {
  throw std::runtime_error(
      "this program was built without Skein's advisor, so there is no --partition advisor: use another, or "
      "link mpi/advisor.cpp and Skein::advisor in place of mpi/advisor_absent.cpp");
}
Adviser::~Adviser() = default;
void Adviser::add_work(double) {}
std::vector<std::int32_t> Adviser::advise(const std::vector<CellWork>&, int, std::string&) { return {}; }

}  // namespace dislocations
