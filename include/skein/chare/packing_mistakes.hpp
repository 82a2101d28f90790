// SPDX-License-Identifier: Apache-2.0
// What is said where serialize() does not unpack what it has packed.
#pragma once

#include <span>
#include <string>
#include <typeinfo>

#include "skein/pup.hpp"
#include "skein/pup/field_log.hpp"

namespace skein::chare {

class EntryInfo;

/// The first value that was packed otherwise than it was unpacked, as ": Particle packs double as its value 2
/// and unpacks int there"; empty if there is none. `whole` is what they are the values of.
std::string first_difference(const std::string& whole, const pup::FieldLog& packed,
                             const pup::FieldLog& unpacked);
std::string class_name(const std::type_info& type);

/// How values of a type go through archives.
struct Passage {
  const std::type_info& type;
  void (*unpack)(pup::Unpacker& ar, void* value);
  void (*measure)(pup::Sizer& ar, void* value);
};
template <class V>
inline const Passage passage{
    typeid(V), [](pup::Unpacker& ar, void* value) { pup::process(ar, *static_cast<V*>(value)); },
    [](pup::Sizer& ar, void* value) { pup::process(ar, *static_cast<V*>(value)); }};

/// Of a value that has been unpacked from `bytes` alone, in which that has failed: it is done once more. What
/// first_difference() says.
std::string packing_mistake(const Passage& passage, void* value, std::span<const std::byte> bytes);
template <class V>
std::string packing_mistake(V& value, std::span<const std::byte> bytes) {
  return packing_mistake(passage<V>, &value, bytes);
}

/// Ends the job.
[[noreturn]] void fail_to_unpack(const EntryInfo& entry, const CorruptBuffer& error,
                                 const std::string& mistake);

}  // namespace skein::chare
