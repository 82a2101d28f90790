// SPDX-License-Identifier: Apache-2.0
// Packing objects into bytes and back. Types need the functions that Boost.Serialization asks for
// (pup/archive.hpp); the standard library, plain structs and matrices need nothing.
//
// All functions may be called anywhere, from any thread; they share nothing.
#pragma once

#include <concepts>
#include <span>
#include <vector>

#include "skein/pup/boost_wrappers.hpp"
#include "skein/pup/containers.hpp"
#include "skein/pup/matrices.hpp"
#include "skein/pup/pointers.hpp"
#include "skein/pup/standard.hpp"

namespace skein {

using pup::Form;

/// Returns the number of bytes that pack() writes.
template <class T>
std::size_t packed_size(const T& value, Form form = Form::message) {
  pup::Sizer sizer(form);
  sizer& value;
  return sizer.offset();
}

/// Packs into `room`, which has packed_size(value) bytes. Throws std::length_error when `room` is too small.
template <class T>
void pack_into(std::span<std::byte> room, const T& value, Form form = Form::message) {
  pup::Packer packer(room, form);
  packer& value;
}

template <class T>
std::vector<std::byte> pack(const T& value, Form form = Form::message) {
  std::vector<std::byte> bytes(packed_size(value, form));
  pack_into(bytes, value, form);
  return bytes;
}

/// Loads `value` from all of `bytes`; reuses memory that it holds already where possible. Throws
/// CorruptBuffer.
template <class T>
void unpack(std::span<const std::byte> bytes, T& value, Form form = Form::message) {
  pup::Unpacker unpacker(bytes, form);
  unpacker& value;
  unpacker.expect_end();
}

template <std::default_initializable T>
T unpack(std::span<const std::byte> bytes, Form form = Form::message) {
  T value{};
  unpack(bytes, value, form);
  return value;
}

}  // namespace skein
