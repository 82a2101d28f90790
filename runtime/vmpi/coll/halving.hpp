// SPDX-License-Identifier: Apache-2.0
// The steps of reductions that follow the pattern of skein/lb/halving.hpp.
#pragma once

#include <cstdint>

#include "runtime/vmpi/coll/reduction.hpp"
#include "skein/lb/halving.hpp"

namespace skein::vmpi {

using lb::Halving;
using lb::Span;

/// Step one: ranks that are no members give their part to their lower neighbours.
void fold(Channel& channel, const Halving& pattern, const Reduction& reduction, Partial& partial,
          std::int64_t count);
/// Last step: they get the result in return.
void unfold(Channel& channel, const Halving& pattern, const Data& result);
/// Members only: each ends with the result in its own span, left_with(member, power, count).
void reduce_scatter_spans(Channel& channel, const Halving& pattern, const Reduction& reduction,
                          Partial& partial, std::int64_t count);

}  // namespace skein::vmpi
