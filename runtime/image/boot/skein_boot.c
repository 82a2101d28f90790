/* SPDX-License-Identifier: Apache-2.0
   skein-boot: starts the launcher as execve() would, but with all of its libraries at addresses that do not
   depend on the kernel's randomisation. For systems that forbid personality(ADDR_NO_RANDOMIZE).

   The kernel places a mapping without a wish at the highest free address. So all addresses above a window are
   blocked by inaccessible mappings; the launcher (linked to a fixed address) and the dynamic linker (at the
   window's start) are mapped, the auxiliary vector corrected, and control goes to the dynamic linker, whose
   mappings then all fall into the window, from its end downwards.

   Freestanding and linked statically to an address of its own (see CMakeLists.txt), so that nothing of it
   lies where the launcher does. */
#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "runtime/image/boot/protocol.h"

enum { page = 4096, greatest_segments = 32 };
enum { prot_none = 0, prot_read = 1, prot_write = 2, prot_exec = 4 };
enum {
  map_private = 0x02,
  map_fixed = 0x10,
  map_anonymous = 0x20,
  map_noreserve = 0x4000,
  map_fixed_noreplace = 0x100000
};

/* Above the end of the arena (runtime/arena/arena.hpp), below everything that the kernel itself places. */
static const uint64_t window_begin = 0x600000000000;
static const uint64_t window_end = 0x601000000000;
static const uint64_t address_end = 0x7ffffffff000;
static const uint64_t room_for_stack = 16 << 20;

static long system_call(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

static size_t length_of(const char* text) {
  size_t n = 0;
  while (text[n]) ++n;
  return n;
}

static _Noreturn void fail(const char* what) {
  static const char prefix[] = "skein-boot: ";
  system_call(SYS_write, 2, (long)prefix, sizeof prefix - 1, 0, 0, 0);
  system_call(SYS_write, 2, (long)what, (long)length_of(what), 0, 0, 0);
  system_call(SYS_write, 2, (long)"\n", 1, 0, 0, 0);
  for (;;) system_call(SYS_exit_group, 127, 0, 0, 0, 0, 0);
}

static uint64_t page_down(uint64_t x) { return x & ~(uint64_t)(page - 1); }
static uint64_t page_up(uint64_t x) { return page_down(x + page - 1); }

static void map(uint64_t address, uint64_t bytes, int protection, int flags, int file, uint64_t offset) {
  const long result =
      system_call(SYS_mmap, (long)address, (long)bytes, protection, flags, file, (long)offset);
  if ((uint64_t)result != address) fail("cannot map memory at its fixed address");
}

static void block(uint64_t begin, uint64_t end) {
  if (begin < end)
    map(begin, end - begin, prot_none, map_private | map_anonymous | map_noreserve | map_fixed_noreplace, -1,
        0);
}

static int open_file(const char* path) {
  const long file = system_call(SYS_open, (long)path, 0, 0, 0, 0, 0);
  if (file < 0) fail(path);
  return (int)file;
}

static void read_exactly(int file, void* to, uint64_t bytes, uint64_t offset) {
  if (system_call(SYS_pread64, file, (long)to, (long)bytes, (long)offset, 0, 0) != (long)bytes)
    fail("a file is shorter than its headers say");
}

struct loaded {
  uint64_t entry, headers, header_count;
};

static void load_segment(const Elf64_Phdr* s, uint64_t bias, int file) {
  const int protection = (s->p_flags & PF_R ? prot_read : 0) | (s->p_flags & PF_W ? prot_write : 0) |
                         (s->p_flags & PF_X ? prot_exec : 0);
  const uint64_t begin = page_down(s->p_vaddr + bias);
  const uint64_t file_end = s->p_vaddr + bias + s->p_filesz, memory_end = s->p_vaddr + bias + s->p_memsz;
  if (file_end > begin)
    map(begin, page_up(file_end) - begin, protection, map_private | map_fixed, file, page_down(s->p_offset));
  if (memory_end <= file_end) return;
  for (uint64_t p = file_end; p < page_up(file_end); ++p) *(volatile char*)p = 0;
  if (page_up(memory_end) > page_up(file_end))
    map(page_up(file_end), page_up(memory_end) - page_up(file_end), protection,
        map_private | map_fixed | map_anonymous, -1, 0);
}

/* Loads a file. `interpreter`, of 256 bytes, receives the path of the dynamic linker; null: not wanted. */
static struct loaded load(const char* path, uint64_t bias, char* interpreter) {
  Elf64_Phdr segments[greatest_segments];
  Elf64_Ehdr header;
  const int file = open_file(path);
  read_exactly(file, &header, sizeof header, 0);
  if (header.e_phnum > greatest_segments || header.e_phentsize != sizeof(Elf64_Phdr))
    fail("unexpected headers");
  read_exactly(file, segments, header.e_phnum * sizeof(Elf64_Phdr), header.e_phoff);
  struct loaded result = {header.e_entry + bias, 0, header.e_phnum};
  for (int i = 0; i < header.e_phnum; ++i) {
    const Elf64_Phdr* s = &segments[i];
    if (s->p_type == PT_INTERP && interpreter) {
      if (s->p_filesz > 256) fail("the dynamic linker's path is too long");
      read_exactly(file, interpreter, s->p_filesz, s->p_offset);
    }
    if (s->p_type != PT_LOAD) continue;
    load_segment(s, bias, file);
    if (s->p_offset <= header.e_phoff && header.e_phoff - s->p_offset < s->p_filesz)
      result.headers = bias + s->p_vaddr + header.e_phoff - s->p_offset;
  }
  system_call(SYS_close, file, 0, 0, 0, 0, 0);
  return result;
}

static uint64_t read_hex(const char** text) {
  uint64_t value = 0;
  for (;; ++*text) {
    const char c = **text;
    if (c >= '0' && c <= '9')
      value = value * 16 + (uint64_t)(c - '0');
    else if (c >= 'a' && c <= 'f')
      value = value * 16 + (uint64_t)(c - 'a' + 10);
    else
      return value;
  }
}

/* Blocks the gaps between the mappings that the kernel made above the window, but not where the stack grows.
 */
static void block_above_window(void) {
  char maps[16384];
  const int file = open_file("/proc/self/maps");
  size_t bytes = 0;
  for (;;) {
    const long n =
        system_call(SYS_read, file, (long)(maps + bytes), (long)(sizeof maps - 1 - bytes), 0, 0, 0);
    if (n <= 0) break;
    bytes += (size_t)n;
  }
  maps[bytes] = 0;
  system_call(SYS_close, file, 0, 0, 0, 0, 0);

  uint64_t free_from = window_end;
  for (const char* at = maps; *at;) {
    const uint64_t begin = read_hex(&at);
    ++at; /* the hyphen */
    const uint64_t end = read_hex(&at);
    int is_stack = 0;
    for (; *at && *at != '\n'; ++at)
      if (at[0] == '[' && at[1] == 's' && at[2] == 't') is_stack = 1;
    if (*at) ++at;
    if (begin >= address_end) break; /* vsyscall */
    block(free_from, is_stack ? begin - room_for_stack : begin);
    if (end > free_from) free_from = end;
  }
  block(free_from, address_end);
}

static const char* find_variable(char** environment, const char* name) {
  const size_t length = length_of(name);
  for (; *environment; ++environment) {
    size_t i = 0;
    while (i < length && (*environment)[i] == name[i]) ++i;
    if (i == length && (*environment)[i] == '=') return *environment + i + 1;
  }
  fail("not a program to start by hand: Skein's launcher uses it where the system forbids personality()");
}

/* `stack` is the kernel's: argc, argv, null, environment, null, auxiliary vector. Returns the address at
   which to go on. */
__attribute__((used)) uint64_t skein_boot_main(uint64_t* stack) {
  char** const environment = (char**)(stack + 1 + stack[0] + 1);
  char** end = environment;
  while (*end) ++end;
  Elf64_auxv_t* auxiliary = (Elf64_auxv_t*)(end + 1);
  const char* const target = find_variable(environment, SKEIN_BOOT_TARGET_VARIABLE);

  char interpreter[256];
  block_above_window();
  const struct loaded launcher = load(target, 0, interpreter);
  const struct loaded linker = load(interpreter, window_begin, NULL);
  for (; auxiliary->a_type != AT_NULL; ++auxiliary) switch (auxiliary->a_type) {
      case AT_PHDR:
        auxiliary->a_un.a_val = launcher.headers;
        break;
      case AT_PHNUM:
        auxiliary->a_un.a_val = launcher.header_count;
        break;
      case AT_ENTRY:
        auxiliary->a_un.a_val = launcher.entry;
        break;
      case AT_BASE:
        auxiliary->a_un.a_val = window_begin;
        break;
      case AT_EXECFN:
        auxiliary->a_un.a_val = (uint64_t)target;
        break;
      default:
        break;
    }
  return linker.entry;
}

__asm__(
    ".globl _start\n"
    "_start:\n"
    "  xorl %ebp, %ebp\n"
    "  movq %rsp, %rdi\n"
    "  movq %rsp, %rbx\n"
    "  andq $-16, %rsp\n"
    "  call skein_boot_main\n"
    "  movq %rbx, %rsp\n"
    "  xorl %edx, %edx\n"
    "  jmp *%rax\n");
