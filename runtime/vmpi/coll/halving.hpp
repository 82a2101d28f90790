// SPDX-License-Identifier: Apache-2.0
// The steps of reductions that follow the pattern of lb/collectives/halving.hpp.
#pragma once

#include <cstdint>

#include "lb/collectives/halving.hpp"
#include "lb/collectives/thresholds.hpp"
#include "runtime/vmpi/coll/reduction.hpp"

namespace skein::vmpi {

using collectives::Halving;
using collectives::Span;

/// Step one: ranks that are no members give their part to their lower neighbours.
void fold(Channel& channel, const Halving& pattern, const Reduction& reduction, Partial& partial,
          std::int64_t count);
/// Last step: they get the result in return.
void unfold(Channel& channel, const Halving& pattern, const Data& result);
/// Members only: each ends with the result in its own span, left_with(member, power, count).
void reduce_scatter_spans(Channel& channel, const Halving& pattern, const Reduction& reduction,
                          Partial& partial, std::int64_t count);

}  // namespace skein::vmpi
