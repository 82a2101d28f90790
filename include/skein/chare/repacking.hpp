// SPDX-License-Identifier: Apache-2.0
// Elements that move to where they are (--check=pup): packed, destroyed, and unpacked into the same memory.
// The program goes on with the new object, so on one PE it does as it would after a move; and what is not
// again as it was is told.
#pragma once

#include <new>
#include <utility>
#include <vector>

#include "skein/chare/array_base.hpp"
#include "skein/chare/element_memory.hpp"
#include "skein/chare/packing_mistakes.hpp"

namespace skein::chare {

/// What a class packs, and of which values it consists.
struct PackedObject {
  std::vector<std::byte> bytes;
  pup::FieldLog fields;
};

template <class T>
PackedObject pack_logged(T& object) {
  PackedObject packed;
  pup::Sizer sizer;
  pup::process(sizer, object);
  packed.bytes.resize(sizer.offset());
  pup::Packer packer(packed.bytes);
  packer.log_fields(packed.fields);
  pup::process(packer, object);
  return packed;
}

/// Throws where the second is not the first, up to the order of what has none.
void compare_packed(const std::type_info& type, const PackedObject& before, const PackedObject& after);

/// The bytes of an object before and after; those in `runtime` are not of its members.
struct Bytewise {
  const Element& element;
  const std::type_info& type;
  std::span<const std::byte> before, after, runtime;
};
/// Warns, once for each gap between those that are, of bytes that differ and are of no value that serialize()
/// was given.
void warn_of_forgotten(const Bytewise& object, const pup::FieldLog& fields);

/// Precondition: `birth` is that of the element.
template <class T>
void repack_in_place(Element& element, T& object) {
  const bool watched = is_watched(&object);
  const PackedObject before = pack_logged(object);
  const auto* const bytes = reinterpret_cast<const std::byte*>(&object);
  const std::vector<std::byte> copy(bytes, bytes + sizeof(T));
  Element kept(std::move(element));
  object.~T();
  set_unused(&object, sizeof(T));
  T& anew = *::new (static_cast<void*>(&object)) T;
  // What the constructor says of itself was known.
  if (element.unfinished) --kept.array->unfinished;
  element = std::move(kept);
  try {
    pup::Unpacker ar(before.bytes);
    pup::process(ar, anew);
    ar.expect_end();
  } catch (const CorruptBuffer& error) {
    throw CorruptBuffer(error.what() + packing_mistake(anew, before.bytes));
  }
  const PackedObject after = pack_logged(anew);
  compare_packed(typeid(T), before, after);
  // The index is the last member of Chare: in what is left of its size there may be one of T.
  const auto* const runtime = reinterpret_cast<const std::byte*>(&element);
  const auto* const end = reinterpret_cast<const std::byte*>(&anew.index() + 1);
  if (watched)
    warn_of_forgotten({element, typeid(T), copy, {bytes, sizeof(T)}, {runtime, end}}, after.fields);
}

}  // namespace skein::chare
