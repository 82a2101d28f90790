// SPDX-License-Identifier: Apache-2.0
// All overrides of the C library; the file of each subject lists its own. The loader looks a program's
// undefined symbols up here before it asks the shared libraries.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "runtime/libc/override.hpp"

namespace skein::libc {

/// Those of one subject, at namespace scope: `const Overrides walk_overrides({{"nftw",
/// address_of(rank_nftw)}});`
class Overrides {
 public:
  Overrides(std::initializer_list<Override> of_subject);
};

/// recorded_files.cpp: read(), write(), fread() ... of a program that is recorded. In front of all others,
/// and none of override_tables().
std::span<const Override> recorded_file_overrides();

/// All, those of malloc.hpp included. No name occurs twice.
std::vector<std::span<const Override>> override_tables();

}  // namespace skein::libc
