// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/check/type_code.hpp"

#include <algorithm>

#include "runtime/vmpi/datatype/typemap.hpp"

namespace skein::vmpi {
namespace {

constexpr TypeCode kHashed = 0x8000;

/// The signature of the first bytes of many instances of a type.
struct CodePrefix {
  std::int64_t left;
  Signature taken{};

  /// Takes as many of `count` instances as there are bytes left for, the last one in part. Returns true if
  /// these are all.
  bool along(const Datatype& type, std::int64_t count) {
    const std::int64_t each = type.size();
    if (each == 0) return true;
    const std::int64_t whole = std::min(count, left / each);
    taken = concatenate(taken, repeat(type.signature(), whole));
    left -= whole * each;
    if (whole == count) return true;
    if (!type.scalar())
      for_each_run(type, [&](const BlockRun& run) { return along(*run.inner, run.count * run.blocklength); });
    return false;
  }
};

const BasicType* first_element(const Datatype& type) {
  if (type.scalar()) return type.basic();
  const BasicType* found = nullptr;
  for_each_run(type, [&](const BlockRun& run) {
    if (run.inner->size() > 0) found = first_element(*run.inner);
    return found == nullptr;
  });
  return found;
}

TypeCode code_of(const Signature& whole, const BasicType& first) {
  const Signature alike = repeat(signature_of(first), whole.elements);
  if (alike.hash == whole.hash && alike.bytes == whole.bytes)
    return static_cast<TypeCode>(1 + (&first - basic_types().data()));
  return static_cast<TypeCode>(kHashed | (whole.hash ^ whole.hash >> 30) % kHashed);
}

}  // namespace

TypeCode code_of(const Data& data) {
  if (!data.type || data.bytes == 0 || data.type->signature().untyped) return kUntyped;
  return code_of(repeat(data.type->signature(), data.count), *first_element(*data.type));
}

bool fits(TypeCode sent, std::size_t bytes, const Data& data) {
  if (sent == kAnyType || sent == kUntyped || bytes == 0 || !data.type || data.type->signature().untyped)
    return true;
  CodePrefix prefix{static_cast<std::int64_t>(bytes)};
  (void)prefix.along(*data.type, data.count);
  if (prefix.left != 0) return false;  // it ends inside an element
  if (sent >= kHashed) return code_of(prefix.taken, *first_element(*data.type)) == sent;
  const Signature one = signature_of(basic_types()[sent - 1u]);
  const std::int64_t elements = static_cast<std::int64_t>(bytes) / one.bytes;
  return elements == prefix.taken.elements && repeat(one, elements).hash == prefix.taken.hash;
}

std::string describe(TypeCode code) {
  if (code == kAnyType || code == kUntyped) return "bytes";
  return code < kHashed ? basic_types()[code - 1u].name : "elements of several types";
}

}  // namespace skein::vmpi
