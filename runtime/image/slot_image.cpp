// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/slot_image.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/arena/arena.hpp"
#include "runtime/base/error.hpp"

namespace skein::image {

void check_unchanged(ElfFile& file) {
  if (!file.unchanged())
    throw Error(file.path +
                " was overwritten while the job runs: replace a program by removing the old file, as linkers "
                "and install do");
}

void map_text(const ElfFile& file, std::byte* bias, const std::string& whom) {
  for (const TextRun& run : file.text)
    if (mmap(bias + run.address, run.bytes, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, file.descriptor(),
             static_cast<off_t>(run.file_offset)) == MAP_FAILED)
      throw Error(
          format("cannot map the code of %s for %s: %s%s", file.path.c_str(), whom.c_str(), strerror(errno),
                 errno == ENOMEM ? "; so many ranks in one process need a higher vm.max_map_count" : ""));
}

std::vector<std::byte> read_text(const ElfFile& file, const TextRun& run) {
  std::vector<std::byte> code(run.bytes);
  for (std::size_t done = 0; done < code.size();) {
    const ssize_t got = pread(file.descriptor(), code.data() + done, code.size() - done,
                              static_cast<off_t>(run.file_offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Error(format("cannot read the code of %s: %s", file.path.c_str(), strerror(errno)));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return code;
}

void seal(const ElfFile& file, std::byte* bias) {
  if (file.sealed_bytes) (void)mprotect(bias + file.sealed, file.sealed_bytes, PROT_READ);
}

void unseal(const ElfFile& file, std::byte* bias) {
  if (file.sealed_bytes && mprotect(bias + file.sealed, file.sealed_bytes, arena::usual_protection()) != 0)
    throw Error(format("cannot make data of %s writable again: %s", file.path.c_str(), strerror(errno)));
}

void fill(const SlotTemplate& slot_template, std::byte* base) {
  for (const Bytes& run : slot_template.data)
    if (!run.contents.empty()) memcpy(base + run.offset, run.contents.data(), run.contents.size());
  const auto base_address = reinterpret_cast<std::uint64_t>(base);
  for (const SlotWord& word : slot_template.words) {
    const std::uint64_t value = base_address + word.value;
    memcpy(base + word.offset, &value, sizeof value);
  }
}

void resolve_ifuncs(const SlotTemplate& slot_template, std::byte* base) {
  for (const SlotWord& ifunc : slot_template.ifuncs) {
    const auto choose = reinterpret_cast<std::uint64_t (*)()>(base + ifunc.value);
    const std::uint64_t chosen = choose();
    memcpy(base + ifunc.offset, &chosen, sizeof chosen);
  }
}

void bind_by_processor(const SlotTemplate& slot_template, std::byte* base) {
  for (const FixedWord& word : slot_template.library_words)
    memcpy(base + word.offset, &word.value, sizeof word.value);
  resolve_ifuncs(slot_template, base);
}

}  // namespace skein::image
