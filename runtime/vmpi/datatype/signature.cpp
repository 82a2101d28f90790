// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/datatype/signature.hpp"

namespace skein::vmpi {
namespace {

constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t kBase = 0x0b7e151628aed2a6;  // any large residue; these are digits of e

std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  std::uint64_t r = static_cast<std::uint64_t>(product & kPrime) + static_cast<std::uint64_t>(product >> 61);
  return r >= kPrime ? r - kPrime : r;
}

std::uint64_t add(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t sum = a + b;
  return sum >= kPrime ? sum - kPrime : sum;
}

}  // namespace

Signature signature_of(const BasicType& element) {
  Signature s;
  // LOGICAL and INTEGER of one size share a representation but not a meaning.
  const auto logical = static_cast<std::uint64_t>(element.type_class == TypeClass::logical);
  s.hash = 1 + static_cast<std::uint64_t>(element.rep) * 2 + logical;
  s.power = kBase;
  s.elements = 1;
  s.bytes = element.size;
  s.element_size = element.size;
  s.untyped = element.type_class == TypeClass::byte || element.type_class == TypeClass::packed;
  return s;
}

Signature concatenate(const Signature& first, const Signature& second) {
  if (first.elements == 0) return second;
  if (second.elements == 0) return first;
  Signature s;
  s.hash = add(multiply(first.hash, second.power), second.hash);
  s.power = multiply(first.power, second.power);
  s.elements = first.elements + second.elements;
  s.bytes = first.bytes + second.bytes;
  s.element_size = first.element_size == second.element_size ? first.element_size : 0;
  s.untyped = first.untyped || second.untyped;
  return s;
}

Signature repeat(const Signature& one, std::int64_t times) {
  Signature result;
  Signature doubled = one;
  while (times > 0) {
    if (times & 1) result = concatenate(result, doubled);
    times >>= 1;
    if (times > 0) doubled = concatenate(doubled, doubled);
  }
  return result;
}

bool signatures_match(const Signature& a, std::int64_t na, const Signature& b, std::int64_t nb) {
  const Signature all_a = repeat(a, na);
  const Signature all_b = repeat(b, nb);
  if (all_a.bytes != all_b.bytes) return false;
  if (all_a.untyped || all_b.untyped) return true;
  return all_a.elements == all_b.elements && all_a.hash == all_b.hash;
}

}  // namespace skein::vmpi
