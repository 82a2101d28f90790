// SPDX-License-Identifier: Apache-2.0
#include "skein/chare/packing_mistakes.hpp"

#include <algorithm>

#include "skein/chare/array_base.hpp"

namespace skein::chare {
namespace {

using pup::Field;
using Fields = std::span<const Field>;

bool same_value(const Field& a, const Field& b) { return *a.type == *b.type && a.depth == b.depth; }

/// The type that has a value at this depth, behind the fields `before`, and the number of the value in it.
struct Owner {
  std::string type;
  std::size_t number = 1;
};
Owner owner_at(Fields before, int depth, const std::string& whole) {
  Owner owner{whole, 1};
  for (auto field = before.rbegin(); field != before.rend(); ++field) {
    if (field->depth == depth) ++owner.number;
    if (field->depth < depth) {
      owner.type = class_name(*field->type);
      break;
    }
  }
  return owner;
}

std::string otherwise(const Owner& owner, const std::string& packs, const std::string& unpacks) {
  return ": " + owner.type + " packs " + packs + " as its value " + std::to_string(owner.number) +
         " and unpacks " + unpacks + " there";
}

}  // namespace

std::string first_difference(const std::string& whole, const pup::FieldLog& packed_log,
                             const pup::FieldLog& unpacked_log) {
  const Fields packed = packed_log.fields(), unpacked = unpacked_log.fields();
  const auto [p, u] = std::ranges::mismatch(packed, unpacked, same_value);
  const bool more_packed = p != packed.end(), more_unpacked = u != unpacked.end();
  const Fields before = packed.first(static_cast<std::size_t>(p - packed.begin()));
  if (more_packed || more_unpacked) {
    const int packed_at = more_packed ? p->depth : -1, unpacked_at = more_unpacked ? u->depth : -1;
    const int depth = std::max(packed_at, unpacked_at);
    return otherwise(owner_at(before, depth, whole), packed_at == depth ? class_name(*p->type) : "nothing",
                     unpacked_at == depth ? class_name(*u->type) : "nothing");
  }
  // The innermost field whose sizes differ: the last of a chain in which each contains the next.
  const Field* inner = nullptr;
  std::size_t unpacked_bytes = 0, place = 0;
  for (std::size_t i = 0; i < packed.size(); ++i) {
    if (packed[i].bytes == unpacked[i].bytes) continue;
    if (inner && packed[i].depth <= inner->depth) break;
    inner = &packed[i], unpacked_bytes = unpacked[i].bytes, place = i;
  }
  if (!inner) return "";
  const std::string type = class_name(*inner->type);
  return otherwise(owner_at(packed.first(place), inner->depth, whole),
                   std::to_string(inner->bytes) + " bytes of " + type,
                   std::to_string(unpacked_bytes) + " of them");
}

std::string packing_mistake(const Passing& value, std::span<const std::byte> bytes) {
  pup::FieldLog packed, unpacked;
  try {
    pup::Unpacker unpacker(bytes);
    unpacker.log_fields(unpacked);
    value.unpack(unpacker);
  } catch (const std::exception&) {
    // The error is known already. The log has the values up to it.
  }
  try {
    pup::Sizer sizer;
    sizer.log_fields(packed);
    value.measure(sizer);
  } catch (const std::exception&) {
    // A half unpacked value may be too large to pack.
  }
  return first_difference(class_name(value.how.type), packed, unpacked);
}

}  // namespace skein::chare
