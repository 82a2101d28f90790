// SPDX-License-Identifier: Apache-2.0
// The portion of the movable load that each PE should get, and cutting ordered objects into such portions.
#pragma once
#include <span>
#include <vector>

#include "skein/lb/snapshot.hpp"

namespace skein::lb {

/// Returns by PE the load that brings it to the perfect finish time beside its background and pinned objects,
/// or 0 if these alone exceed it; scaled so that the portions add up to the movable load.
std::vector<double> movable_portions(const Snapshot& snapshot);
/// Computes the portions from sums over objects: `pinned` are the finish times with the background and pinned
/// objects alone, `movable` is the load of all others.
std::vector<double> movable_portions(const Pes& pes, double perfect, const std::vector<double>& pinned,
                                     double movable);

/// Gives objects, in the order given, to the PEs in the order of their numbers, each PE about its portion: an
/// object goes to the PE whose portion contains the middle of its load. Writes pe_of of these objects only.
void cut_into_portions(const Objects& objects, std::span<const ObjectIndex> order,
                       std::span<const double> portions, Assignment& pe_of);

/// Returns the migratable objects of positive load, in the order of the snapshot.
std::vector<ObjectIndex> movable_objects(const Objects& objects);

}  // namespace skein::lb
