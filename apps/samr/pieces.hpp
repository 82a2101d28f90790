// SPDX-License-Identifier: Apache-2.0
// The messages between patches.
#pragma once

#include <span>
#include <tuple>

#include "exchange.hpp"
#include "flux_plane.hpp"
#include "particles.hpp"

namespace samr {

/// Cells for a patch, from a patch of its level or of the level below.
template <class T>
struct PiecesOf {
  Box patch;  ///< the receiver
  bool coarse = false;
  std::vector<FieldOf<T>> cells;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& patch& coarse& cells;
  }
};
using Pieces = PiecesOf<State>;

/// Cells and fluxes for a patch from one of the next finer level.
struct Finer {
  Box patch;  ///< the receiver
  Field cells;
  FluxPlanes fluxes;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& patch& cells& fluxes;
  }
};

/// The masses of a patch's particles in the cells of another patch.
struct Clouds {
  Box patch;  ///< the receiver
  Masses masses;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& patch& masses;
  }
};

struct Arrivals {
  Box patch;  ///< the receiver
  Particles particles;

  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& patch& particles;
  }
};

/// Puts all cells that came for a patch in place, in any order. Precondition: none is missing.
void put(std::span<const std::tuple<int, Pieces>> given, const Exchange& exchange, const Placed& patch,
         const Box& coarse_domain, double heat_ratio, Field& into);

}  // namespace samr
