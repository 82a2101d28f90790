// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/data.hpp"

#include <cstring>

#include "runtime/base/check.hpp"
#include "runtime/vmpi/datatype/packer.hpp"

namespace skein::vmpi {
namespace {

std::int64_t offset64(std::size_t n) { return static_cast<std::int64_t>(n); }

}  // namespace

Data byte_data(void* buffer, std::size_t bytes) {
  return {buffer, static_cast<MPI_Count>(bytes), nullptr, bytes};
}

Data make_data(const void* buffer, MPI_Count count, const Datatype& type) {
  return {const_cast<void*>(buffer), count, &type, static_cast<std::size_t>(count * type.size())};
}

std::byte* Data::contiguous() const {
  if (!type) return static_cast<std::byte*>(buffer);
  return contiguous_data(buffer, count, *type);
}

void Data::pack(std::size_t offset, std::byte* to, std::size_t size) const {
  if (size == 0) return;
  if (const std::byte* from = contiguous())
    memcpy(to, from + offset, size);
  else
    pack_range(buffer, count, *type, offset64(offset), offset64(offset + size), to);
}

void Data::unpack(std::size_t offset, const std::byte* from, std::size_t size) const {
  if (size == 0) return;
  if (std::byte* to = contiguous())
    memcpy(to + offset, from, size);
  else
    unpack_range(buffer, count, *type, offset64(offset), offset64(offset + size), from);
}

void copy(const Data& from, const Data& to, std::size_t bytes) {
  if (bytes == 0) return;
  if (const std::byte* source = from.contiguous()) {
    to.unpack(0, source, bytes);
  } else if (std::byte* target = to.contiguous()) {
    from.pack(0, target, bytes);
  } else {
    const std::int64_t copied =
        copy_typed(from.buffer, from.count, *from.type, to.buffer, to.count, *to.type);
    SKEIN_DCHECK(copied >= offset64(bytes), "%lld of %zu bytes", static_cast<long long>(copied), bytes);
    (void)copied;
  }
}

}  // namespace skein::vmpi
