// SPDX-License-Identifier: Apache-2.0
// Passes values of a type through archives, for code that does not know the type: the program compiles three
// small functions for each type, and the library has the rest, compiled once.
#pragma once

#include <span>
#include <string>
#include <typeinfo>
#include <vector>

#include "skein/pup.hpp"

namespace skein::chare {

struct Passage {
  const std::type_info& type;
  void (*measure)(pup::Sizer& ar, void* value);
  void (*pack)(pup::Packer& ar, void* value);
  void (*unpack)(pup::Unpacker& ar, void* value);
};
template <class V>
inline constexpr Passage passage{
    typeid(V), [](pup::Sizer& ar, void* value) { pup::process(ar, *static_cast<V*>(value)); },
    [](pup::Packer& ar, void* value) { pup::process(ar, *static_cast<V*>(value)); },
    [](pup::Unpacker& ar, void* value) { pup::process(ar, *static_cast<V*>(value)); }};

/// A value, and the functions that pass it.
struct Passing {
  const Passage& how;
  void* value;

  template <class V>
  static Passing of(V& value) {
    return {passage<V>, &value};
  }

  void measure(pup::Sizer& ar) const { how.measure(ar, value); }
  void pack(pup::Packer& ar) const { how.pack(ar, value); }
  void unpack(pup::Unpacker& ar) const { how.unpack(ar, value); }

  /// Packs into `room`; large vectors become blocks.
  void pack_into(pup::Room& room, pup::Blocks& blocks) const;
  /// Appends the packed value to `out`.
  void append_to(std::vector<std::byte>& out, pup::Blocks& blocks) const;
  /// Loads from all of `bytes`. Throws CorruptBuffer, which tells where packing and unpacking differ, if they
  /// do.
  void unpack_all(std::span<const std::byte> bytes, pup::Blocks& blocks) const;
};

/// Returns the name of a class as programs write it.
std::string class_name(const std::type_info& type);

}  // namespace skein::chare
