// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/shared_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <span>

#include "runtime/base/log.hpp"
#include "runtime/net/descriptor_channel.hpp"
#include "runtime/net/nodes.hpp"
#include "runtime/net/pe_collectives.hpp"

namespace skein::net {
namespace {

constexpr int kMemoryKey = -2;  // the descriptor channel's key; no rank has it

/// Makes a file of `bytes` zero bytes. Returns its descriptor, or -1 with errno.
int make_memory_file(std::size_t bytes) {
  const int file = memfd_create("skein-node", MFD_CLOEXEC);
  if (file >= 0 && ftruncate(file, static_cast<off_t>(bytes)) != 0) {
    const int why = errno;
    close(file);
    errno = why;
    return -1;
  }
  return file;
}

}  // namespace

bool can_share_memory() { return world.pes > 1 && can_pass_descriptors(); }

std::byte* share_memory(std::size_t bytes, const char* consequence, int* file_of_memory) {
  if (!can_share_memory()) return nullptr;
  int file = -1;
  if (world.node_pe == 0) file = make_memory_file(bytes);
  std::uint64_t failed[] = {world.node_pe == 0 && file < 0};
  sum_polling(failed);
  void* got = MAP_FAILED;
  if (failed[0] == 0) {
    if (world.node_pe == 0)
      for (const int pe : world.node_pes)
        if (pe != world.pe) pass_descriptors(pe, kMemoryKey, std::span(&file, 1));
    arrive_descriptors();
    if (world.node_pe != 0) file = take_descriptors(kMemoryKey, 1).front();
    got = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    failed[0] = got == MAP_FAILED;
    sum_polling(failed);
  }
  const bool shared = failed[0] == 0;
  if (shared && file_of_memory)
    *file_of_memory = file;
  else if (file >= 0)
    ::close(file);
  if (shared) return static_cast<std::byte*>(got);
  if (world.pe == 0)
    SKEIN_WARN("%s, since memory cannot be shared on %llu PEs: %s", consequence,
               static_cast<unsigned long long>(failed[0]), strerror(errno));
  if (got != MAP_FAILED) munmap(got, bytes);
  return nullptr;
}

}  // namespace skein::net
