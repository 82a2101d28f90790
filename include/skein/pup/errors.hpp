// SPDX-License-Identifier: Apache-2.0
// What packing and unpacking throw. Compiled once, in runtime/pup/, so that programs need not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <typeinfo>

namespace skein {

/// Thrown by unpacking: the bytes end too early, or say what no packing of such an object says. The object
/// that was being unpacked holds some valid value.
struct CorruptBuffer : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace skein

namespace skein::pup {

// ---- CorruptBuffer
[[noreturn]] void fail_too_short(std::size_t wanted, std::size_t left);
[[noreturn]] void fail_too_long(std::size_t left);
[[noreturn]] void fail_truth_value();
[[noreturn]] void fail_count(std::uint64_t elements, std::size_t left);
/// The next block is not one of so many values.
[[noreturn]] void fail_block(std::uint64_t values);
[[noreturn]] void fail_version(unsigned packed, const std::type_info& type, unsigned known);

// ---- std::length_error
/// There is less room than Sizer found.
[[noreturn]] void fail_no_room();

/// Either, the latter when packing.
[[noreturn]] void fail_nesting(bool packing);

}  // namespace skein::pup
