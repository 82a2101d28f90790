// SPDX-License-Identifier: Apache-2.0
// What patches send each other.
#pragma once

#include <span>
#include <tuple>

#include "exchange.hpp"
#include "flux_plane.hpp"
#include "particles.hpp"

namespace samr {

/// Cells for a patch, from one of its level or of the level below.
template <class T>
struct PiecesOf {
  Box patch;  ///< that they are for
  bool coarse = false;
  std::vector<FieldOf<T>> cells;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& patch& coarse& cells;
  }
};
using Pieces = PiecesOf<State>;

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

/// What particles of a patch weigh in cells of another.
struct Clouds {
  Box patch;  ///< that it is for
  Masses masses;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& patch& masses;
  }
};

struct Arrivals {
  Box patch;  ///< that it is for
  Particles particles;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& patch& particles;
  }
};

/// Puts what came for a patch in its place, in any order. Precondition: it is all.
void put(std::span<const std::tuple<int, Pieces>> given, const Exchange& exchange, const Placed& patch,
         const Box& coarse_domain, double heat_ratio, Field& into);

}  // namespace samr
