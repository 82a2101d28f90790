// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/datatype/external32.hpp"

#include <algorithm>
#include <cstring>

#include "runtime/vmpi/datatype/typemap.hpp"

namespace skein::vmpi {
namespace {

/// The division of an element into numbers, and their sizes in both representations.
struct Form {
  int numbers = 1;
  int native_size = 0;    ///< bytes of a number in memory
  int external_size = 0;  ///< bytes in the file or message
  bool is_signed = false;
  bool x87 = false;  ///< 80-bit extended in memory, 128-bit IEEE outside
};

Form form_of(const BasicType& basic) {
  Form form;
  form.numbers = basic.type_class == TypeClass::complex ? 2 : 1;
  form.native_size = basic.size / form.numbers;
  form.external_size = basic.external32_size / form.numbers;
  form.is_signed = basic.rep == Rep::i64;
  form.x87 = basic.rep == Rep::f80 || basic.rep == Rep::c80;
  return form;
}

void copy_reversed(const std::byte* from, std::byte* to, int bytes) {
  std::reverse_copy(from, from + bytes, to);
}

/// Narrows a number. Native numbers are little-endian: the low-order bytes come first. Returns false if the
/// others do more than repeat the sign.
bool narrow(const std::byte* from, std::byte* to, const Form& form) {
  copy_reversed(from, to, form.external_size);
  const bool negative = form.is_signed && (to[0] & std::byte{0x80}) != std::byte{0};
  const std::byte filler = negative ? std::byte{0xff} : std::byte{0};
  return std::all_of(from + form.external_size, from + form.native_size,
                     [&](std::byte b) { return b == filler; });
}

void widen(const std::byte* from, std::byte* to, const Form& form) {
  copy_reversed(from, to, form.external_size);
  const bool negative = form.is_signed && (from[0] & std::byte{0x80}) != std::byte{0};
  std::memset(to + form.external_size, negative ? 0xff : 0,
              static_cast<std::size_t>(form.native_size - form.external_size));
}

bool encode(const std::byte* from, std::byte* to, const Form& form) {
  if (form.x87) {
    long double value;
    std::memcpy(&value, from, sizeof value);
    const __float128 wide = value;
    std::byte bytes[sizeof wide];
    std::memcpy(bytes, &wide, sizeof wide);
    copy_reversed(bytes, to, sizeof wide);
    return true;
  }
  if (form.external_size < form.native_size) return narrow(from, to, form);
  copy_reversed(from, to, form.external_size);
  return true;
}

void decode(const std::byte* from, std::byte* to, const Form& form) {
  if (form.x87) {
    __float128 wide;
    std::byte bytes[sizeof wide];
    copy_reversed(from, bytes, sizeof wide);
    std::memcpy(&wide, bytes, sizeof wide);
    const auto value = static_cast<long double>(wide);
    std::memcpy(to, &value, sizeof value);
  } else if (form.external_size < form.native_size) {
    widen(from, to, form);
  } else {
    copy_reversed(from, to, form.native_size);
  }
}

/// Returns an address. Computed on integers, as the user's buffer may be null with absolute displacements
/// (MPI_BOTTOM).
std::byte* at(const void* buffer, std::int64_t offset) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::intptr_t>(buffer) + offset);
}

}  // namespace

std::int64_t external32_size(const Datatype& type) {
  if (type.scalar()) return type.basic()->external32_size;
  std::int64_t bytes = 0;
  for_each_run(type, [&](const BlockRun& p) {
    bytes += p.count * p.blocklength * external32_size(*p.inner);
    return true;
  });
  return bytes;
}

int pack_external32(const void* buffer, std::int64_t count, const Datatype& type, std::byte* out) {
  bool fits = true;
  for_each_run(type, 0, count, type.extent(),
               [&](const BasicType& basic, std::int64_t offset, std::int64_t n) {
                 const Form form = form_of(basic);
                 const std::byte* from = at(buffer, offset);
                 for (std::int64_t i = 0; i < n * form.numbers; ++i) {
                   fits = encode(from, out, form) && fits;
                   from += form.native_size;
                   out += form.external_size;
                 }
               });
  return fits ? MPI_SUCCESS : MPI_ERR_CONVERSION;
}

void unpack_external32(void* buffer, std::int64_t count, const Datatype& type, const std::byte* in) {
  for_each_run(type, 0, count, type.extent(),
               [&](const BasicType& basic, std::int64_t offset, std::int64_t n) {
                 const Form form = form_of(basic);
                 std::byte* to = at(buffer, offset);
                 for (std::int64_t i = 0; i < n * form.numbers; ++i) {
                   decode(in, to, form);
                   to += form.native_size;
                   in += form.external_size;
                 }
               });
}

}  // namespace skein::vmpi
