// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/tls.hpp"

#include "runtime/base/error.hpp"
#include "runtime/fiber/thread_block.hpp"

namespace skein::image {
namespace {

/// The argument of __tls_get_addr: a module and an offset. The loader puts the address of the variables'
/// block where the dynamic linker would put the number of a module.
struct TlsIndex {
  std::uint64_t block;
  std::uint64_t offset;
};

void* tls_address(const TlsIndex* index) { return reinterpret_cast<void*>(index->block + index->offset); }

}  // namespace

std::span<const libc::Override> tls_overrides() {
  static const libc::Override overrides[] = {{"__tls_get_addr", libc::address_of(tls_address)}};
  return overrides;
}

/// Written by hand because the caller keeps values in every register but rax.
asm(R"(
.text
.globl skein_tls_descriptor
.type skein_tls_descriptor, @function
skein_tls_descriptor:
  .cfi_startproc
  movq 8(%rax), %rax
  subq %fs:0, %rax
  ret
  .cfi_endproc
.size skein_tls_descriptor, . - skein_tls_descriptor
)");

std::uint64_t next_tls_distance(const TlsSegment& tls, std::uint64_t taken) {
  const std::uint64_t least = taken + tls.bytes;
  return least + ((-tls.address - least) & (tls.alignment - 1));
}

TlsAreas place_tls(const std::vector<std::unique_ptr<Image>>& images,
                   const std::vector<bool>& at_fixed_distance, std::uint64_t slot_offset) {
  const auto pointer = reinterpret_cast<std::uint64_t>(fiber::thread_pointer());
  TlsAreas areas;
  areas.slot_end = slot_offset;
  for (std::size_t i = 0; i < images.size(); ++i) {
    Image& image = *images[i];
    const TlsSegment& tls = image.file.tls;
    if (tls.bytes == 0) continue;
    const std::uint64_t mask = tls.alignment - 1;
    if (!at_fixed_distance[i]) {
      const std::uint64_t offset = areas.slot_end + ((tls.address - areas.slot_end) & mask);
      image.tls = {TlsPlace::in_slot, offset, 0};
      areas.slot_end = offset + tls.bytes;
      continue;
    }
    if (pointer & mask)
      throw Error(
          format("%s aligns thread-local data to %llu bytes, which Skein cannot for data at fixed "
                 "distances from the thread pointer: align it to at most %zu",
                 image.file.path.c_str(), static_cast<unsigned long long>(tls.alignment),
                 fiber::kThreadPointerAlignment));
    const std::uint64_t distance = next_tls_distance(tls, areas.swapped_bytes);
    image.tls = {TlsPlace::below_thread_pointer, 0, distance};
    areas.swapped_bytes = distance;
    if (distance > fiber::kProgramTlsRoom)
      throw Error(
          format("%s and its private libraries have more than %zu KiB of thread-local data in the "
                 "initial-exec or local-exec model: build with -fPIC -shared, or make some of it heap memory",
                 images[0]->file.path.c_str(), fiber::kProgramTlsRoom / 1024));
  }
  areas.swapped_bytes = (areas.swapped_bytes + 15) & ~std::uint64_t{15};
  return areas;
}

}  // namespace skein::image
