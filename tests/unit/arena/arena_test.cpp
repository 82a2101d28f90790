// SPDX-License-Identifier: Apache-2.0
#include "runtime/arena/arena.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <set>

#include "runtime/base/error.hpp"
#include "tests/unit/arena/child.hpp"

using namespace skein::arena;
using skein::test::ChildEnd;
using skein::test::run_in_child;

namespace {

constexpr std::size_t mib = std::size_t{1} << 20;
constexpr std::size_t gib = std::size_t{1} << 30;

std::string error_of(auto&& action) {
  try {
    action();
  } catch (const skein::Error& error) {
    return error.what();
  }
  return "";
}
bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

/// Makes this process's system call `number` fail with `error` when its argument `index` (from 0) is `value`.
void refuse_call(unsigned number, unsigned index, unsigned value, unsigned error) {
  sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offsetof(seccomp_data, args) + 8 * index)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog program{sizeof code / sizeof code[0], code};
  CHILD_CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
  CHILD_CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

/// Returns true if the kernel takes MADV_POPULATE_WRITE (23) through process_madvise(2), as it does since
/// Linux 6.13.
bool kernel_provides_pages(std::byte* page) {
  const auto self = static_cast<int>(syscall(SYS_pidfd_open, getpid(), 0));
  const iovec vector{page, kPageBytes};
  return syscall(SYS_process_madvise, self, &vector, 1, 23, 0) == static_cast<long>(kPageBytes);
}

SlotLayout small_layout() { return make_layout(16 * mib, 64 * 1024, 8192, 100'000); }

void reserve_private(std::size_t slots) { reserve(small_layout(), slots, Backing::private_pages, -1); }

}  // namespace

TEST_CASE("arena: the parts of a slot follow each other on page boundaries") {
  const SlotLayout made = make_layout(32 * mib, 100'000, 5000, 1);
  CHECK(made.slot_bytes == 32 * mib);
  CHECK(made.guard_bytes >= 4 * mib);    // an eighth of the slot
  CHECK(made.stack_bytes == 25 * 4096);  // 100,000 / 4096 = 24.4
  CHECK(made.guard_bytes + made.stack_bytes == made.control_offset);
  CHECK(made.image_offset == made.control_offset + 2 * 4096);
  CHECK(made.heap_offset == made.image_offset + 64);
}

TEST_CASE("arena: an image begins at a multiple of its alignment in every slot") {
  for (const std::size_t alignment :
       {std::size_t{4096}, std::size_t{8192}, std::size_t{65536}, 2 * mib, 4 * mib}) {
    CAPTURE(alignment);
    CHECK_CHILD_PASSED(run_in_child([&] {
      reserve(make_layout(16 * mib, 64 * 1024, 8192, 100'000, alignment), 70, Backing::private_pages, -1);
      for (std::size_t slot = 0; slot < 70; ++slot) {
        std::byte* const image = contents_address(slot) + reserved.layout.image_offset;
        CHILD_CHECK(reinterpret_cast<std::uintptr_t>(image) % alignment == 0);
        CHILD_CHECK(control_address(slot) < image && image < heap_address(slot));
        CHILD_CHECK(slot_address(slot + 1) - heap_address(slot) > static_cast<std::ptrdiff_t>(mib));
        CHILD_CHECK(stack_address(slot) > slot_address(slot));
      }
    }));
  }
  CHECK(contains(error_of([] { make_layout(16 * mib, 65536, 4096, 4096, 16 * mib); }), "--slot-size"));
}

TEST_CASE("arena: the upper stack, the control block and a small image share a page-table page") {
  for (const std::size_t stack :
       {std::size_t{16 * 1024}, std::size_t{100'000}, 2 * mib, 8 * mib, 8 * mib + 4096}) {
    CAPTURE(stack);
    const SlotLayout made = make_layout(32 * mib, stack, 5000, 1 * mib);
    const std::size_t upper_stack = std::min(made.stack_bytes, std::size_t{128 * 1024});
    // On x86-64 a page-table page holds 512 entries of 4 KiB.
    CHECK((made.control_offset - upper_stack) / (2 * mib) == made.heap_offset / (2 * mib));
  }
}

TEST_CASE("arena: a layout that does not fit names the options") {
  const std::string too_small = error_of([] { make_layout(8 * mib, 65536, 4096, 4096); });
  CHECK(contains(too_small, "--slot-size"));
  const std::string odd = error_of([] { make_layout(24 * mib, 65536, 4096, 4096); });
  CHECK(contains(odd, "--slot-size"));
  const std::string stack = error_of([] { make_layout(16 * mib, 16 * mib, 4096, 4096); });
  CHECK(contains(stack, "--slot-size"));
  CHECK(contains(stack, "--stack-size"));
  CHECK(contains(error_of([] { make_layout(16 * mib, SIZE_MAX, 4096, 4096); }), "--stack-size"));
  CHECK(contains(error_of([] { make_layout(16 * mib, 65536, 4096, SIZE_MAX - 4096); }), "--slot-size"));
  CHECK(contains(error_of([] { make_layout(128 * gib, 65536, 4096, 4096); }), "--slot-size"));
}

TEST_CASE("arena: the default slot is the largest with which all fit 64 TiB") {
  CHECK(default_slot_bytes(1) == 64 * gib);
  CHECK(default_slot_bytes(1024) == 64 * gib);
  CHECK(default_slot_bytes(1025) == 32 * gib);
  CHECK(default_slot_bytes(10'000) == 4 * gib);  // 65,536 GiB / 10,000 = 6.55 GiB
  CHECK(default_slot_bytes(4'194'304) == 16 * mib);
  CHECK(contains(error_of([] { (void)default_slot_bytes(4'194'305); }), "4194304"));
  CHECK(!error_of([] { (void)default_slot_bytes(0); }).empty());
}

TEST_CASE("arena: addresses and slot numbers are inverse to each other") {
  CHECK_FALSE(in_arena(reinterpret_cast<void*>(kArenaBase)));
  CHECK_CHILD_PASSED(run_in_child([] {
    reserve_private(5);
    CHILD_CHECK(reserved.slot_count == 5 && reserved.slot_shift == 24);
    CHILD_CHECK(slot_address(0) == reinterpret_cast<std::byte*>(0x1100'0000'0000));
    CHILD_CHECK(slot_address(3) == slot_address(0) + 48 * mib);
    for (std::size_t slot = 0; slot < 5; ++slot) {
      CHILD_CHECK(slot_of(slot_address(slot)) == slot);
      CHILD_CHECK(slot_of(slot_address(slot) + 16 * mib - 1) == slot);
      CHILD_CHECK(in_arena(slot_address(slot)));
    }
    CHILD_CHECK(!in_arena(slot_address(0) - 1));
    CHILD_CHECK(!in_arena(slot_address(5)));
    CHILD_CHECK(!in_arena(nullptr));
  }));
}

TEST_CASE("arena: control blocks of sixteen neighbours lie at different colours of 128 bytes") {
  std::set<std::size_t> colours;
  for (std::size_t slot = 0; slot < 16; ++slot) {
    CHECK(colour(slot) % 128 == 0);
    CHECK(colour(slot) < kColourRoom);
    colours.insert(colour(slot));
  }
  CHECK(colours.size() == 16);
}

TEST_CASE(
    "arena: the contents of sixty-four neighbours begin at different pages below the room for the shift") {
  std::set<std::size_t> shifts;
  for (std::size_t slot = 100; slot < 164; ++slot) {
    CHECK(page_shift(slot) % kPageBytes == 0);
    CHECK(page_shift(slot) < kPageShiftRoom);
    shifts.insert(page_shift(slot));
  }
  CHECK(shifts.size() == 64);
}

TEST_CASE("arena: the parts of every slot are in their order inside it, the stack's guard first") {
  CHECK_CHILD_PASSED(run_in_child([] {
    reserve_private(70);  // more than there are shifts
    for (std::size_t slot = 0; slot < 70; ++slot) {
      std::byte* const stack = stack_address(slot);
      CHILD_CHECK(stack - kPageBytes >= slot_address(slot));
      CHILD_CHECK(in_guard(stack - kPageBytes) && in_guard(stack - 1) && !in_guard(stack));
      CHILD_CHECK(control_address(slot) - stack >= static_cast<std::ptrdiff_t>(reserved.layout.stack_bytes));
      // The image, at its offset in the contents, lies between control block and heap.
      std::byte* const image = contents_address(slot) + reserved.layout.image_offset;
      CHILD_CHECK(control_address(slot) < image && image < heap_address(slot));
      CHILD_CHECK(slot_address(slot + 1) - heap_address(slot) > static_cast<std::ptrdiff_t>(mib));
    }
  }));
}

TEST_CASE("arena: a region that the system refuses is reported with the likely cause") {
  CHECK_CHILD_PASSED(run_in_child([] {
    void* other = mmap(reinterpret_cast<void*>(kArenaBase + 16 * mib), 4096, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    CHILD_CHECK(other != MAP_FAILED);
    CHILD_CHECK(contains(error_of([] { reserve_private(4); }), "something else is mapped"));
    CHILD_CHECK(!in_arena(reinterpret_cast<void*>(kArenaBase)));
  }));
  CHECK_CHILD_PASSED(run_in_child([] {
    refuse_call(SYS_mmap, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, ENOMEM);
    CHILD_CHECK(contains(error_of([] { reserve_private(4); }), "--slot-size"));
  }));
  CHECK(contains(error_of([] { reserve(small_layout(), 4'194'305, Backing::private_pages, -1); }),
                 "--slot-size"));
}

TEST_CASE("arena: exactly the pages that were written count as touched") {
  CHECK_CHILD_PASSED(run_in_child([] {
    reserve_private(2);
    std::byte* slot = stack_address(1);  // below it is the guard, which is never read
    for (std::size_t page : {1, 2, 3, 511, 512, 513, 1500, 3000}) slot[page * kPageBytes + 77] = std::byte{1};
    std::vector<Range> ranges{{nullptr, 1}};  // touched_ranges() appends and keeps this entry
    touched_ranges(slot, slot_address(2), ranges);
    CHILD_CHECK(ranges.size() == 5);
    CHILD_CHECK(ranges[1].begin == slot + kPageBytes && ranges[1].bytes == 3 * kPageBytes);
    CHILD_CHECK(ranges[2].begin == slot + 511 * kPageBytes && ranges[2].bytes == 3 * kPageBytes);
    CHILD_CHECK(ranges[3].begin == slot + 1500 * kPageBytes && ranges[3].bytes == kPageBytes);
    CHILD_CHECK(ranges[4].begin == slot + 3000 * kPageBytes && ranges[4].bytes == kPageBytes);

    discard({slot + 2 * kPageBytes, 600 * kPageBytes});
    ranges.clear();
    touched_ranges(slot, slot_address(2), ranges);
    CHILD_CHECK(ranges.size() == 3);
    CHILD_CHECK(ranges[0].begin == slot + kPageBytes && ranges[0].bytes == kPageBytes);
    CHILD_CHECK(slot[512 * kPageBytes + 77] == std::byte{0});
    CHILD_CHECK(slot[1500 * kPageBytes + 77] == std::byte{1});
  }));
}

TEST_CASE("arena: shared memory is one for all that map it, and so is discarding") {
  CHECK_CHILD_PASSED(run_in_child([] {
    const int file = create_memory_file(2 * 16 * mib);
    reserve(small_layout(), 2, Backing::node_shared, file);
    std::byte* data = slot_address(1) + reserved.layout.image_offset;
    data[0] = data[kPageBytes] = std::byte{1};
    const ChildEnd other = run_in_child([data] {
      CHILD_CHECK(data[0] == std::byte{1});
      data[0] = std::byte{2};
      discard({data + kPageBytes, kPageBytes});
    });
    CHILD_CHECK(other.exit_status == 0);
    CHILD_CHECK(data[0] == std::byte{2});
    CHILD_CHECK(data[kPageBytes] == std::byte{0});
  }));
}

TEST_CASE("arena: pages of shared memory count as touched whichever process wrote them") {
  CHECK_CHILD_PASSED(run_in_child([] {
    const int file = create_memory_file(3 * 16 * mib);
    reserve(small_layout(), 3, Backing::node_shared, file);
    std::byte* slot = stack_address(1);            // below it is the guard, which is never read
    slot[-1] = slot_address(2)[0] = std::byte{1};  // the pages of the neighbours do not belong to this slot
    slot[1 * kPageBytes] = std::byte{1};
    const ChildEnd other = run_in_child([slot] {
      for (std::size_t page : {2, 3, 700, 701, 3000}) slot[page * kPageBytes + 77] = std::byte{2};
    });
    CHILD_CHECK(other.exit_status == 0);
    std::vector<Range> ranges;
    touched_ranges(slot, slot_address(2), ranges);
    CHILD_CHECK(ranges.size() == 3);
    CHILD_CHECK(ranges[0].begin == slot + kPageBytes && ranges[0].bytes == 3 * kPageBytes);
    CHILD_CHECK(ranges[1].begin == slot + 700 * kPageBytes && ranges[1].bytes == 2 * kPageBytes);
    CHILD_CHECK(ranges[2].begin == slot + 3000 * kPageBytes && ranges[2].bytes == kPageBytes);

    ranges.clear();
    touched_ranges(slot + 2 * kPageBytes, slot + 701 * kPageBytes, ranges);
    CHILD_CHECK(ranges.size() == 2);
    CHILD_CHECK(ranges[0].begin == slot + 2 * kPageBytes && ranges[0].bytes == 2 * kPageBytes);
    CHILD_CHECK(ranges[1].begin == slot + 700 * kPageBytes && ranges[1].bytes == kPageBytes);

    discard({slot + 3 * kPageBytes, 698 * kPageBytes});
    ranges.clear();
    touched_ranges(slot, slot_address(2), ranges);
    CHILD_CHECK(ranges.size() == 3);
    CHILD_CHECK(ranges[0].begin == slot + kPageBytes && ranges[0].bytes == 2 * kPageBytes);
    CHILD_CHECK(ranges[1].begin == slot + 701 * kPageBytes && ranges[1].bytes == kPageBytes);
    CHILD_CHECK(ranges[2].begin == slot + 3000 * kPageBytes && ranges[2].bytes == kPageBytes);
  }));
}

TEST_CASE("arena: pages are provided before they are written, those asked for and no others") {
  for (const Backing kind : {Backing::private_pages, Backing::node_shared}) {
    CAPTURE(static_cast<int>(kind));
    CHECK_CHILD_PASSED(run_in_child([kind] {
      const int file = kind == Backing::node_shared ? create_memory_file(3 * 16 * mib) : -1;
      reserve(small_layout(), 3, kind, file);
      if (!kernel_provides_pages(slot_address(0))) return;
      std::byte* const begin = slot_address(1) + 4 * mib;  // in the heap
      std::vector<Range> asked;
      for (std::size_t i = 0; i < 600; ++i) asked.push_back({begin + 3 * i * kPageBytes, 2 * kPageBytes});
      provide_pages(asked);
      std::vector<Range> touched;
      touched_ranges(slot_address(1), slot_address(2), touched);
      CHILD_CHECK(touched.size() == asked.size());
      for (std::size_t i = 0; i < asked.size(); ++i) {
        CHILD_CHECK(touched[i].begin == asked[i].begin && touched[i].bytes == asked[i].bytes);
        CHILD_CHECK(*touched[i].begin == std::byte{0});
      }
    }));
  }
}

TEST_CASE("arena: a kernel that provides no pages leaves them to faults") {
  CHECK_CHILD_PASSED(run_in_child([] {
    refuse_call(SYS_process_madvise, 3, 23, EINVAL);
    reserve_private(1);
    const Range asked[] = {{slot_address(0), kPageBytes}};
    provide_pages(asked);
    std::vector<Range> touched;
    touched_ranges(slot_address(0), slot_address(1), touched);
    CHILD_CHECK(touched.empty());
    *slot_address(0) = std::byte{1};
  }));
}

namespace {

/// Returns true if writing one byte at `at` faults; a child process tries.
bool faults(std::byte* at) {
  const ChildEnd end = run_in_child([at] { *const_cast<volatile std::byte*>(at) = std::byte{1}; });
  return end.signal == SIGSEGV;
}

std::byte* end_of(Range range) { return range.begin + range.bytes; }

std::size_t mapping_limit() {
  std::size_t limit = 0;
  std::FILE* file = std::fopen("/proc/sys/vm/max_map_count", "r");
  CHILD_CHECK(file != nullptr && std::fscanf(file, "%zu", &limit) == 1);
  std::fclose(file);
  return limit;
}

}  // namespace

TEST_CASE("arena: all between a stack and the previous slot's heap is a guard, and nothing else") {
  for (const Backing kind : {Backing::private_pages, Backing::node_shared}) {
    CAPTURE(static_cast<int>(kind));
    CHECK_CHILD_PASSED(run_in_child([kind] {
      const int file = kind == Backing::node_shared ? create_memory_file(3 * 16 * mib) : -1;
      reserve(small_layout(), 3, kind, file);
      constexpr std::size_t slots[] = {0, 1, 2};
      install_guards(slots);
      install_guards({slots + 1, 1});
      for (const std::size_t slot : slots) {
        const Range guard = guard_of(slot);
        CHILD_CHECK(guard.begin == slot_address(slot) && end_of(guard) == stack_address(slot));
        CHILD_CHECK(guard.bytes >= 2 * mib);
        for (const std::size_t at : {std::size_t{0}, mib, guard.bytes - 1}) {
          CHILD_CHECK(in_guard(guard.begin + at));
          CHILD_CHECK(faults(guard.begin + at));
        }
        CHILD_CHECK(!in_guard(guard.begin - 1) && !in_guard(end_of(guard)));
        *end_of(guard) = slot_address(slot + 1)[-1] = std::byte{1};
      }
      std::vector<Range> ranges;
      touched_ranges(guard_of(1).begin, slot_address(2), ranges);  // must not report unreadable guards
      CHILD_CHECK(ranges.size() == 2 && ranges[0].begin == stack_address(1));
    }));
  }
}

TEST_CASE("arena: a guard that was removed is ordinary memory, and can be installed again") {
  CHECK_CHILD_PASSED(run_in_child([] {
    reserve_private(2);
    const std::size_t slot = 1;
    for (int round = 0; round < 2; ++round) {
      install_guards({&slot, 1});
      CHILD_CHECK(faults(stack_address(1) - 1));
      remove_guard(slot);
      CHILD_CHECK(!faults(stack_address(1) - 1) && !faults(slot_address(1)));
    }
  }));
}

TEST_CASE("arena: a kernel without guard marks gets protected pages") {
  CHECK_CHILD_PASSED(run_in_child([] {
    refuse_call(SYS_madvise, 2, 102, EINVAL);
    const std::size_t slots = mapping_limit() / 16 + 1;  // too many for two mappings each
    reserve_private(slots);
    for (std::size_t slot = 0; slot < slots; ++slot) install_guards({&slot, 1});
    for (const std::size_t slot : {std::size_t{0}, slots - 1}) {
      CHILD_CHECK(faults(slot_address(slot)) && faults(stack_address(slot) - 1));
      *stack_address(slot) = std::byte{1};
    }
  }));
}

TEST_CASE("arena: guards leave seven eighths of the mappings to others, and guard 128 KiB all the same") {
  CHECK_CHILD_PASSED(run_in_child([] {
    const std::size_t slots = mapping_limit() / 2 + 1;  // too many for two mappings each
    reserve_private(slots);
    std::vector<std::size_t> all(slots);
    std::iota(all.begin(), all.end(), std::size_t{0});
    if (madvise(stack_address(0) - kPageBytes, kPageBytes, 102) != 0) return;  // before Linux 6.13
    install_guards(all);
    std::size_t mappings = 0;
    std::FILE* file = std::fopen("/proc/self/maps", "r");
    for (int c; (c = std::fgetc(file)) != EOF;) mappings += c == '\n';
    CHILD_CHECK(mappings <= mapping_limit() / 8 + 100);
    for (const std::size_t slot : {std::size_t{0}, std::size_t{1}, slots - 1})
      CHILD_CHECK(faults(stack_address(slot) - 1) && faults(stack_address(slot) - 128 * 1024));
  }));
}

TEST_CASE("arena: more guards than the system allows mappings are reported with the limit's name") {
  CHECK_CHILD_PASSED(run_in_child([] {
    const std::size_t slots = mapping_limit() / 2 + 1;       // a guard and the rest: two mappings a slot
    if (slots > kArenaLimitBytes / kLeastSlotBytes) return;  // such a system has no such limit
    refuse_call(SYS_madvise, 2, 102, EINVAL);
    reserve_private(slots);
    const std::string error = error_of([slots] {
      for (std::size_t slot = 0; slot < slots; ++slot) install_guards({&slot, 1});
    });
    CHILD_CHECK(contains(error, "vm.max_map_count"));
  }));
}

TEST_CASE("arena: pages in a slot can be protected and given back, on kernels with and without marks") {
  for (const bool marks : {true, false}) {
    CAPTURE(marks);
    CHECK_CHILD_PASSED(run_in_child([marks] {
      if (!marks) refuse_call(SYS_madvise, 2, 102, EINVAL);
      reserve_private(1);
      std::byte* const begin = heap_address(0) + 4 * mib;
      const Range pages{begin - reinterpret_cast<std::uintptr_t>(begin) % kPageBytes, 3 * kPageBytes};
      *pages.begin = std::byte{7};
      CHILD_CHECK(protect(pages));
      CHILD_CHECK(faults(pages.begin) && faults(end_of(pages) - 1));
      CHILD_CHECK(!faults(pages.begin - 1) && !faults(end_of(pages)));
      unprotect(pages);
      CHILD_CHECK(*pages.begin == std::byte{0});
      *pages.begin = std::byte{1};
    }));
  }
}

TEST_CASE("arena: where the system does not tell, every page but the guard counts as touched") {
  CHECK_CHILD_PASSED(run_in_child([] {
    reserve_private(1);
    refuse_call(SYS_openat, 2, O_RDONLY | O_CLOEXEC, EACCES);
    std::vector<Range> ranges;
    touched_ranges(stack_address(0) - kPageBytes, slot_address(1), ranges);
    CHILD_CHECK(ranges.size() == 1);
    CHILD_CHECK(ranges[0].begin == stack_address(0) && ranges[0].begin + ranges[0].bytes == slot_address(1));
  }));
}
