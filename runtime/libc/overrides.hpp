// SPDX-License-Identifier: Apache-2.0
// All overrides of the C library; the file of each subject lists its own. The loader looks here for a
// program's undefined symbols before it asks the shared libraries.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "runtime/libc/override.hpp"

namespace skein::libc {

/// The overrides of one subject, at namespace scope: `const Overrides walk_overrides({{"nftw",
/// address_of(rank_nftw)}});`
class Overrides {
 public:
  Overrides(std::initializer_list<Override> of_subject);
};

/// Returns read(), write(), fread() ... of a program that is recorded (recorded_files.cpp). They precede all
/// others, and are not in override_tables().
std::span<const Override> recorded_file_overrides();

/// Returns all overrides, those of malloc.hpp included. No name occurs twice.
std::vector<std::span<const Override>> override_tables();

}  // namespace skein::libc
