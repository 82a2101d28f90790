// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/p2p/data.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "runtime/base/check.hpp"
#include "runtime/rank/scheduler.hpp"

namespace skein::vmpi {
namespace {

std::int64_t offset64(std::size_t n) { return static_cast<std::int64_t>(n); }

}  // namespace

std::byte* switched_out_place(const void* buffer) {
  const Rank* const rank = current_rank();
  if (!rank) return nullptr;
  return rank->tls_copy + program_tls_bytes() -
         (fiber::thread_pointer() - static_cast<const std::byte*>(buffer));
}

void* Data::place_of_thread_local() const {
  const Rank* const running = current_rank();
  const bool owner_runs = running && arena::slot_of(switched_out) == static_cast<std::size_t>(running->id);
  return owner_runs ? buffer : switched_out;
}

Data::Span Data::span() const {
  if (!type) return {static_cast<std::byte*>(place()), bytes};
  const std::int64_t last =
      (count - 1) * type->extent();  // where the last element is; extents may be negative
  // On integers because the buffer may be null (MPI_BOTTOM).
  const std::int64_t first =
      reinterpret_cast<std::intptr_t>(place()) + type->true_lb() + std::min<std::int64_t>(last, 0);
  return {reinterpret_cast<std::byte*>(first),
          static_cast<std::size_t>(std::abs(last) + type->true_extent())};
}

void Data::pack(std::size_t offset, std::byte* to, std::size_t size) const {
  if (size == 0) return;
  if (const std::byte* from = contiguous())
    memcpy(to, from + offset, size);
  else
    pack_range(place(), count, *type, offset64(offset), offset64(offset + size), to);
}

void Data::unpack(std::size_t offset, const std::byte* from, std::size_t size) const {
  if (size == 0) return;
  if (std::byte* to = contiguous())
    memcpy(to + offset, from, size);
  else
    unpack_range(place(), count, *type, offset64(offset), offset64(offset + size), from);
}

namespace {

/// Copies between data of which at least one is not contiguous.
void copy_scattered(const Data& from, const Data& to, std::size_t bytes) {
  if (const std::byte* source = from.contiguous()) {
    to.unpack(0, source, bytes);
  } else if (std::byte* target = to.contiguous()) {
    from.pack(0, target, bytes);
  } else {
    const std::int64_t copied =
        copy_typed(from.place(), from.count, *from.type, to.place(), to.count, *to.type);
    SKEIN_DCHECK(copied >= offset64(bytes), "%lld of %zu bytes", static_cast<long long>(copied), bytes);
    (void)copied;
  }
}

}  // namespace

void copy_other(const Data& from, const Data& to, std::size_t bytes) {
  if (bytes == 0) return;
  const std::byte* const source = from.contiguous();
  std::byte* const target = to.contiguous();
  if (source && target)
    memcpy(target, source, bytes);
  else
    copy_scattered(from, to, bytes);
}

}  // namespace skein::vmpi
