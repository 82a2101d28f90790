// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// "Cell::take of Cell{0}"
std::string target_of(const Destination& destination);

}  // namespace skein::chare
