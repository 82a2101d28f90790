// SPDX-License-Identifier: Apache-2.0
// What is said where serialize() does not unpack what it has packed.
#pragma once

#include <span>
#include <string>
#include <tuple>
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

/// Of a value that has been unpacked from `bytes` alone, in which that has failed: it is done once more.
template <class V>
[[gnu::cold, gnu::noinline]] std::string packing_mistake(V& value, std::span<const std::byte> bytes) {
  pup::FieldLog packed, unpacked;
  try {
    pup::Unpacker unpacker(bytes);
    unpacker.log_fields(unpacked);
    pup::process(unpacker, value);
  } catch (const std::exception&) {
    // Known: it has said so before. The log has the values up to there.
  }
  try {
    pup::Sizer sizer;
    sizer.log_fields(packed);
    pup::process(sizer, value);
  } catch (const std::exception&) {
    // Half unpacked, it may be more than can be packed.
  }
  return first_difference(class_name(typeid(V)), packed, unpacked);
}

/// Ends the job.
[[noreturn]] void fail_to_unpack(const EntryInfo& entry, const CorruptBuffer& error,
                                 const std::string& mistake);

}  // namespace skein::chare
