// SPDX-License-Identifier: Apache-2.0
#include "skein/pup/errors.hpp"

#include <string>

namespace skein::pup {

void fail_too_short(std::size_t wanted, std::size_t left) {
  throw CorruptBuffer("packed data ends too early: " + std::to_string(wanted) + " bytes are wanted, " +
                      std::to_string(left) + " are left");
}

void fail_too_long(std::size_t left) {
  throw CorruptBuffer("packed data goes on for " + std::to_string(left) + " bytes after its end");
}

void fail_truth_value() { throw CorruptBuffer("packed data has a truth value that is neither 0 nor 1"); }

void fail_count(std::uint64_t elements, std::size_t left) {
  throw CorruptBuffer("packed data has " + std::to_string(elements) + " elements in the " +
                      std::to_string(left) + " bytes that are left");
}

void fail_block(std::uint64_t values) {
  throw CorruptBuffer("packed data says " + std::to_string(values) +
                      " elements of a vector that came with others, or not at all");
}

void fail_version(unsigned packed, const std::type_info& type, unsigned known) {
  throw CorruptBuffer("packed data has version " + std::to_string(packed) + " of class " + type.name() +
                      ", the program knows versions up to " + std::to_string(known));
}

void fail_no_room() {
  throw std::length_error(
      "an object packs to more bytes than when it was sized: does its serialize() write the same every "
      "time?");
}

void fail_nesting(bool packing) {
  constexpr auto what = "containers or pointers are nested more than 4000 deep";
  if (packing) throw std::length_error(what);
  throw CorruptBuffer(what);
}

}  // namespace skein::pup
