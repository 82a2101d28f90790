// SPDX-License-Identifier: Apache-2.0
#include "skein/lb/gain.hpp"

#include <algorithm>

namespace skein::lb {

void Gain::add(std::span<const double> took_s, std::span<const double> unbalanced_s) {
  with_s_ += std::ranges::max(took_s);
  without_s_ += std::ranges::max(unbalanced_s);
}

}  // namespace skein::lb
