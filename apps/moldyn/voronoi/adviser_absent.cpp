// SPDX-License-Identifier: Apache-2.0
// Replaces adviser.cpp where there is no advisor: for virtual ranks.
#include <stdexcept>

#include "adviser.hpp"

namespace moldyn {

struct Adviser::State {};

Adviser::Adviser(MPI_Comm) {
  throw std::runtime_error(
      "this program was built without Skein's advisor, so there is no --judge and no --balance model: leave "
      "them out, or link voronoi/adviser.cpp and Skein::advisor in place of voronoi/adviser_absent.cpp");
}
Adviser::~Adviser() = default;
std::string Adviser::judged(const Domain&, const Spent&, std::span<const SampledAtom>, int) { return {}; }
Balance Adviser::chosen(const VoronoiCommandLine&, const Domain&, const Spent&, int, std::string&) {
  return Balance::none;
}

}  // namespace moldyn
