// SPDX-License-Identifier: Apache-2.0
// The exceptions of packing and unpacking. Compiled once, in runtime/pup/, so that programs need not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <typeinfo>

namespace skein {

/// Thrown by unpacking: the bytes end too early, or no such object is packed to these bytes. The object that
/// was being unpacked holds some valid value.
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
/// Reports that the next block does not have `values` values.
[[noreturn]] void fail_block(std::uint64_t values);
[[noreturn]] void fail_version(unsigned packed, const std::type_info& type, unsigned known);

// ---- std::length_error
/// Reports that there is less room than Sizer found.
[[noreturn]] void fail_no_room();

/// Throws std::length_error when packing, else CorruptBuffer.
[[noreturn]] void fail_nesting(bool packing);

}  // namespace skein::pup
