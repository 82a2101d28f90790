// SPDX-License-Identifier: Apache-2.0
// What patches send each other.
#pragma once

#include <span>
#include <tuple>

#include "exchange.hpp"
#include "flux_plane.hpp"

namespace samr {

/// Cells for a patch, from one of its level or of the level below.
struct Pieces {
  Box patch;  ///< that they are for
  bool coarse = false;
  std::vector<Field> cells;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& patch& coarse& cells;
  }
};

/// What a patch knows better than one of the level below.
struct Finer {
  Box patch;  ///< that it is for
  Field cells;
  FluxPlanes fluxes;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& patch& cells& fluxes;
  }
};

/// Puts what came for a patch in its place, in any order. Precondition: it is all.
void put(std::span<const std::tuple<int, Pieces>> given, const Exchange& exchange, const Placed& patch,
         const Box& coarse_domain, double heat_ratio, Field& into);

}  // namespace samr
