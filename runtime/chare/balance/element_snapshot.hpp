// SPDX-License-Identifier: Apache-2.0
// The snapshot of all elements of a native program for an LB step: each PE measures its own, and all exchange
// the results.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/balance/interval_sum.hpp"
#include "runtime/chare/balance/measured_elements.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "skein/chare/array_base.hpp"
#include "skein/lb/parallel.hpp"
#include "skein/lb/snapshot.hpp"

namespace skein::chare {

/// An object of LB steps: an element without bound ones, or a family, named by its leader.
struct Object {
  std::uint32_t array;
  std::vector<std::byte> index;
  std::uint32_t moves;
  Element* element;  ///< null: not here
};

struct ElementSnapshot {
  lb::Snapshot snapshot;
  std::vector<Object> objects;  ///< by their numbers in the snapshot
  std::vector<int> pinned;      ///< ascending
};

/// Packs the elements here that end_interval() has measured. Takes the edges of the interval away.
std::vector<std::byte> share_of_elements();
/// Packs one element that is asked in a lazy job into the share of its PE.
void append_to_share(const MeasuredElement& measured, std::vector<std::byte>& share);
/// Packs all elements when a late decision is applied, without edges: these belong to the interval under way.
std::vector<std::byte> share_of_stopped_elements();
/// Returns the times of the elements in the interval of these shares.
balance::IntervalShare interval_of_elements(const net::PeBlocks& shares);
/// Unpacks the shares of all PEs. Every PE gets an equal snapshot except for Object::element.
ElementSnapshot snapshot_of_elements(const net::PeBlocks& shares);

/// The elements of some PEs, from their shares.
struct PartOfElements {
  lb::MeasuredPart measured;
  std::vector<int> pinned;  ///< places in `measured`, ascending
};
PartOfElements part_of_elements(const net::PeBlocks& shares);

}  // namespace skein::chare
