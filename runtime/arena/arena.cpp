// SPDX-License-Identifier: Apache-2.0
// Layout of the slots, and the reservation of their region.
#include "runtime/arena/arena.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>

#include "runtime/base/check.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/texts.hpp"

namespace skein::arena {

ReservedArena reserved;
// The offsets at which runtime/image/gdb.py reads.
static_assert(offsetof(ReservedArena, slot_shift) == 56 && offsetof(ReservedArena, page_shift_mask) == 72 &&
              offsetof(ReservedArena, end) == 96);

namespace {

constexpr std::size_t kLeastHeapBytes = std::size_t{1} << 20;
constexpr std::size_t kGuardShare = 8;  // the guard is 1/8 of a slot

constexpr std::size_t kHeapAlignment = 64;
constexpr std::size_t kStackInReach = 128 * 1024;  // of stack in the control block's page-table page

constexpr std::size_t round_up(std::size_t bytes, std::size_t alignment) {
  return (bytes + alignment - 1) & ~(alignment - 1);
}
constexpr std::size_t whole_pages(std::size_t bytes) { return round_up(bytes, kPageBytes); }

int overcommit_mode() {
  int mode = 0;
  std::ifstream("/proc/sys/vm/overcommit_memory") >> mode;
  return mode;
}

std::string why_refused(int error) {
  if (error == EEXIST)
    return "something else is mapped there; if it is a tool's shadow memory, run without the tool";
  if (error == EACCES || error == EPERM)
    return reserved.executable
               ? "so many ranks in a process keep their code in memory that can be written, which a security "
                 "policy refuses here: use more PEs, or raise vm.max_map_count"
               : "a security policy refuses it";
  if (error == ENOMEM && overcommit_mode() == 2)
    return "vm.overcommit_memory is 2, with which the system counts reserved addresses as used memory: set "
           "it to 0 or 1, or lower --slot-size or the number of ranks";
  if (error == ENOMEM)
    return "likely a limit on address space (ulimit -v): lift it, or lower --slot-size or the number of "
           "ranks";
  return "no cause is known";
}

/// Gives advice for all of the arena at once: differing mappings would not join.
void advise_as_whole(void* begin, std::size_t bytes) {
  // If the system gives huge pages unasked, an idle rank would take 2 MiB instead of a few pages. A kernel
  // without them refuses the call, which does no harm.
  (void)madvise(begin, bytes, MADV_NOHUGEPAGE);
  // A core dump would read, and so create, every page of it.
  (void)madvise(begin, bytes, MADV_DONTDUMP);
}

}  // namespace

SlotLayout make_layout(std::size_t slot_bytes, std::size_t stack_bytes, std::size_t control_bytes,
                       std::size_t image_bytes, std::size_t image_alignment) {
  SKEIN_CHECK(std::has_single_bit(image_alignment) && image_alignment >= kPageBytes, "image aligned to %zu",
              image_alignment);
  if (!std::has_single_bit(slot_bytes) || slot_bytes < kLeastSlotBytes || slot_bytes > kMostSlotBytes)
    throw Error(format("slots of %s are not possible: --slot-size takes a power of two from %s to %s",
                       size_text(slot_bytes).c_str(), size_text(kLeastSlotBytes).c_str(),
                       size_text(kMostSlotBytes).c_str()));
  // One subtraction after the other, so that absurd sizes cannot overflow a sum.
  std::size_t left =
      slot_bytes - slot_bytes / kGuardShare - kPageTableReach - kPageShiftRoom - kLeastHeapBytes;
  const std::size_t alignment_gap = image_alignment - kPageBytes;
  for (std::size_t part : {stack_bytes, control_bytes, image_bytes, alignment_gap}) {
    if (part > left || whole_pages(part) > left)
      throw Error(format(
          "a slot of %s has no room for a stack of %s with its guard, a program of %s whose data is aligned "
          "to %s, and a heap of at least %s: raise --slot-size or lower --stack-size",
          size_text(slot_bytes).c_str(), size_text(stack_bytes).c_str(), size_text(image_bytes).c_str(),
          size_text(image_alignment).c_str(), size_text(kLeastHeapBytes).c_str()));
    left -= whole_pages(part);
  }
  SlotLayout made;
  made.slot_bytes = slot_bytes;
  made.stack_bytes = whole_pages(stack_bytes);
  const std::size_t below_reach =
      slot_bytes / kGuardShare + std::max(made.stack_bytes, kStackInReach) - kStackInReach;
  made.control_offset =
      (below_reach + kPageTableReach - 1) / kPageTableReach * kPageTableReach + kStackInReach;
  made.guard_bytes = made.control_offset - made.stack_bytes;
  made.image_alignment = image_alignment;
  made.image_offset = round_up(made.control_offset + whole_pages(control_bytes), image_alignment);
  made.heap_offset = made.image_offset + round_up(image_bytes, kHeapAlignment);
  return made;
}

std::size_t default_slot_bytes(std::size_t slots) {
  if (slots == 0 || slots > kArenaLimitBytes / kLeastSlotBytes)
    throw Error(
        format("%zu ranks are not possible: their memory would be less than the least slot of %zu MiB "
               "each; the most is %zu ranks",
               slots, kLeastSlotBytes >> 20, kArenaLimitBytes / kLeastSlotBytes));
  return std::min(kMostSlotBytes, std::bit_floor(kArenaLimitBytes / slots));
}

namespace {

/// Allows files of that size in its scope, as far as the system permits: the kernel ends a process that
/// exceeds its limit, which is meant for files on disks, but counts for those in memory as well.
class FileSizeScope {
 public:
  explicit FileSizeScope(std::size_t bytes) {
    SKEIN_CHECK(getrlimit(RLIMIT_FSIZE, &before_) == 0, "getrlimit: %s", std::strerror(errno));
    if (before_.rlim_max < bytes)
      throw Error(format(
          "the limit of file sizes, %s (ulimit -f), is below the %s of the node's memory file: raise it, or "
          "every move copies, as with --arena private",
          size_text(before_.rlim_max).c_str(), size_text(bytes).c_str()));
    rlimit raised = before_;
    raised.rlim_cur = std::max<rlim_t>(before_.rlim_cur, bytes);
    SKEIN_CHECK(setrlimit(RLIMIT_FSIZE, &raised) == 0, "setrlimit: %s", std::strerror(errno));
  }
  FileSizeScope(const FileSizeScope&) = delete;
  FileSizeScope& operator=(const FileSizeScope&) = delete;
  ~FileSizeScope() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_;
};

}  // namespace

int create_memory_file(std::size_t bytes) {
  const FileSizeScope allowed(bytes);
  const int fd = memfd_create("skein-arena", MFD_CLOEXEC);
  if (fd < 0)
    throw Error(format("cannot create the memory file of the node: %s (--arena private needs none)",
                       std::strerror(errno)));
  if (ftruncate(fd, static_cast<off_t>(bytes)) != 0) {
    const int error = errno;
    close(fd);
    throw Error(format("cannot give the node's memory file %s: %s (--arena private needs none)",
                       size_text(bytes).c_str(), std::strerror(error)));
  }
  return fd;
}

int usual_protection() { return PROT_READ | PROT_WRITE | (reserved.executable ? PROT_EXEC : 0); }

void map_again(Range range) {
  const bool shared = reserved.backing == Backing::node_shared;
  const int flags = MAP_FIXED | MAP_NORESERVE | (shared ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS);
  const off_t offset = shared ? range.begin - slot_address(0) : 0;
  const void* const got =
      mmap(range.begin, range.bytes, usual_protection(), flags, shared ? reserved.memory_file : -1, offset);
  SKEIN_CHECK(got == range.begin, "mmap(%p, %zu): %s", static_cast<void*>(range.begin), range.bytes,
              std::strerror(errno));
  advise_as_whole(range.begin, range.bytes);
}

void reserve(const SlotLayout& new_layout, std::size_t slots, Backing new_backing, int memfd) {
  SKEIN_CHECK(reserved.slot_count == 0, "the arena is reserved already, for %zu slots", reserved.slot_count);
  if (slots == 0 || slots > kArenaLimitBytes / new_layout.slot_bytes)
    throw Error(
        format("%zu slots of %s do not fit the %s of the arena: lower --slot-size or the number of ranks",
               slots, size_text(new_layout.slot_bytes).c_str(), size_text(kArenaLimitBytes).c_str()));
  const std::size_t bytes = slots * new_layout.slot_bytes;
  const bool shared = new_backing == Backing::node_shared;
  int flags = MAP_FIXED_NOREPLACE | MAP_NORESERVE | (shared ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS);
  auto* wanted = reinterpret_cast<void*>(kArenaBase);
  void* got = mmap(wanted, bytes, usual_protection(), flags, shared ? memfd : -1, 0);
  int error = got == MAP_FAILED ? errno : 0;
  if (error == 0 && got != wanted) {  // kernels before 4.17 ignore the flag
    munmap(got, bytes);
    error = EEXIST;
  }
  if (error != 0)
    throw Error(format("cannot reserve %zu slots of %s at %p: %s (%s)", slots,
                       size_text(new_layout.slot_bytes).c_str(), wanted, std::strerror(error),
                       why_refused(error).c_str()));
  advise_as_whole(got, bytes);
  reserved.layout = new_layout;
  reserved.slot_shift = static_cast<unsigned>(std::countr_zero(new_layout.slot_bytes));
  reserved.slot_count = slots;
  reserved.page_shift_mask = ~(new_layout.image_alignment - 1);
  reserved.backing = new_backing;
  reserved.memory_file = shared ? memfd : -1;
  reserved.end = kArenaBase + bytes;
}

void release() {
  SKEIN_CHECK(reserved.slot_count > 0, "the arena is not reserved");
  munmap(reinterpret_cast<void*>(kArenaBase), reserved.slot_count * reserved.layout.slot_bytes);
  if (reserved.memory_file >= 0) close(reserved.memory_file);
  reserved.memory_file = -1;
  reserved.slot_count = 0;
  reserved.end = kArenaBase;
}

void unmap_file(Range range) {
  const bool shared = reserved.backing == Backing::node_shared;
  const int flags = MAP_FIXED | MAP_NORESERVE | (shared ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS);
  const off_t offset = shared ? range.begin - slot_address(0) : 0;
  if (mmap(range.begin, range.bytes, usual_protection(), flags, shared ? reserved.memory_file : -1, offset) ==
      MAP_FAILED)
    throw Error(format("cannot take a file out of the arena at %p: %s", static_cast<void*>(range.begin),
                       std::strerror(errno)));
  (void)madvise(range.begin, range.bytes, MADV_NOHUGEPAGE);  // see reserve()
}

}  // namespace skein::arena
