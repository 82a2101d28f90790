// SPDX-License-Identifier: Apache-2.0
// The types that most programs pack: compiled once, in runtime/pup/archive.cpp, so that programs need not.
#pragma once

#include <string>
#include <vector>

#include "skein/pup/sequence.hpp"

#define SKEIN_PUP_VECTOR_OF(KEYWORD, T)                          \
  KEYWORD template void pup_vector(Sizer& ar, std::vector<T>&);  \
  KEYWORD template void pup_vector(Packer& ar, std::vector<T>&); \
  KEYWORD template void pup_vector(Unpacker& ar, std::vector<T>&);
/// Instantiates the types. KEYWORD is extern, or empty where they are compiled.
#define SKEIN_PUP_COMMON_TYPES(KEYWORD)                           \
  SKEIN_PUP_VECTOR_OF(KEYWORD, double)                            \
  SKEIN_PUP_VECTOR_OF(KEYWORD, float)                             \
  SKEIN_PUP_VECTOR_OF(KEYWORD, int)                               \
  SKEIN_PUP_VECTOR_OF(KEYWORD, long)                              \
  SKEIN_PUP_VECTOR_OF(KEYWORD, char)                              \
  SKEIN_PUP_VECTOR_OF(KEYWORD, std::byte)                         \
  KEYWORD template void pup_contiguous(Sizer& ar, std::string&);  \
  KEYWORD template void pup_contiguous(Packer& ar, std::string&); \
  KEYWORD template void pup_contiguous(Unpacker& ar, std::string&);

namespace skein::pup {
SKEIN_PUP_COMMON_TYPES(extern)
}  // namespace skein::pup
