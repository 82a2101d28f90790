// SPDX-License-Identifier: Apache-2.0
// How a process estimates its load: ddcMD's three abstractions (O. Pearce, T. Gamblin, B. R. de Supinski, M.
// Schulz, N. M. Amato, ICS 2012, section 6.2). The load itself is Spent::work.
#pragma once

#include <array>

#include "clock.hpp"

namespace moldyn {

enum class Abstraction : int {
  molecules,  ///< number of atoms
  barriers,   ///< time outside of barriers
  forces      ///< time for interactions
};
inline constexpr std::array abstractions{Abstraction::molecules, Abstraction::barriers, Abstraction::forces};
inline constexpr std::array<const char*, 3> abstraction_names{"molecules", "barriers", "forces"};

inline double load_by(Abstraction abstraction, const Spent& spent, std::size_t atoms) {
  switch (abstraction) {
    case Abstraction::molecules:
      return static_cast<double>(atoms);
    case Abstraction::barriers:
      return spent.outside_barriers;
    case Abstraction::forces:
      break;
  }
  return spent.forces;
}

}  // namespace moldyn
