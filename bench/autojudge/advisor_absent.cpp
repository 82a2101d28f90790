// SPDX-License-Identifier: Apache-2.0
// In place of Skein's advisor for programs that are recorded as virtual ranks, which Skein moves itself: they
// may say what work they did, and not ask.
#include <stdexcept>

#include "skein/advisor.hpp"

namespace skein {

struct Advisor::State {};

Advisor::Advisor(MPI_Comm, const AdvisorOptions&) {}
Advisor::~Advisor() = default;
void Advisor::add_work(double) {}
void Advisor::moved(double) {}
Advice Advisor::advise(std::span<const AdvisorElement>, std::span<const AdvisorEdge>,
                       std::span<const std::array<float, 3>>, std::uint64_t) {
  throw std::logic_error("this program was built without Skein's advisor: run it without --advise");
}

}  // namespace skein
