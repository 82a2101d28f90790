// SPDX-License-Identifier: Apache-2.0
// Sizes as options take them and messages say them.
#pragma once

#include <cstddef>
#include <string>

namespace skein {

/// "64K", "16M", "3G": the shortest exact form, in powers of 1024.
std::string size_text(std::size_t bytes);

}  // namespace skein
