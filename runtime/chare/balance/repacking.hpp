// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// --check=pup: elements are made anew at their sync points.
extern bool repacking;
/// Before anything else of the element that is not queued yet, with those that move along. What cannot move,
/// or is pinned, stays as it is.
void repack_after_method(Element& element);

}  // namespace skein::chare
