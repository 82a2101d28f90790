// SPDX-License-Identifier: Apache-2.0
// Combines the contributions of a reduction, on the PE of the elements, on the way and at the root.
#pragma once

#include <string>
#include <vector>

#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// The header of a packed partial result.
struct PartialInfo {
  std::uint32_t number = 0, contributions = 0, reducer = 0;
  Contributor first;
  Destination destination;
};
PartialInfo info_of(const OpenReduction& reduction);

/// Returns the element and the running entry method.
Contributor contributor(const Element& element);
/// Returns "Cell{1, 2} in Cell::start".
std::string text_of(const Contributor& contributor, const ArrayBase& array);

/// Prepares `reduction`, which may be empty, for a contribution. A contribution of another kind, or with
/// another callback, ends the job.
void begin_or_check(OpenReduction& reduction, const ArrayBase& array, std::uint32_t number,
                    const ReducerInfo& reducer, const Contributor& by, const Destination& destination);
/// Merges a partial result of another PE.
void merge_partial(OpenReduction& reduction, const ArrayBase& array, const PartialInfo& info, Bytes packed);

/// Returns the packed value when all contributions are in.
std::vector<std::byte> result_of(const OpenReduction& reduction, const ArrayBase& array);

}  // namespace skein::chare
