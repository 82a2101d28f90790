// SPDX-License-Identifier: Apache-2.0
#include "skein/ordered_output.hpp"

#include <cstdio>

namespace skein::chare {

void write_block(const std::string& text) {
  fwrite(text.data(), 1, text.size(), stdout);
  fflush(stdout);  // what could not be written is told at the end: finish_standard_output()
}

}  // namespace skein::chare
