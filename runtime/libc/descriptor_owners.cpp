// SPDX-License-Identifier: Apache-2.0
#include "runtime/libc/descriptor_owners.hpp"

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <string>

#include "runtime/libc/caller.hpp"
#include "runtime/libc/file_table.hpp"
#include "runtime/libc/standard_input.hpp"

namespace skein::libc {

constinit DescriptorNumbers descriptor_numbers;

namespace {

constexpr int kNobody = 0, kProcess = -1;  // others: 1 + the rank

void note(int number, int owner) {
  if (number < 0 || static_cast<std::size_t>(number) >= descriptor_numbers.owners.size()) return;
  descriptor_numbers.owners[static_cast<std::size_t>(number)].store(owner, std::memory_order_relaxed);
}

}  // namespace

void note_open_descriptors() {
  fiber::RuntimeScope runtime;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    const std::string name = entry.path().filename();
    int number = -1;
    std::from_chars(name.data(), name.data() + name.size(), number);
    note_descriptor_of_process(number);
  }
}

void note_descriptor_of_process(int number) {
  if (!program_rank()) note(number, kProcess);
}
void note_descriptor_of(const Rank& rank, int number) { note(number, 1 + rank.id); }
void note_closed_descriptor(int number) { note(number, kNobody); }

bool is_standard_number(const Rank& rank, int number) {
  return (number >= STDIN_FILENO && number <= STDERR_FILENO) || number == input_number(rank);
}

bool is_foreign(const Rank& rank, int number) {
  if (number < 0 || is_standard_number(rank, number)) return false;
  if (const OpenDescriptor* known = find_descriptor(rank, number)) return known->hidden;
  if (const int owner = window_of(number); owner >= 0) return owner != rank.id;
  if (static_cast<std::size_t>(number) >= descriptor_numbers.owners.size()) return false;
  const int owner =
      descriptor_numbers.owners[static_cast<std::size_t>(number)].load(std::memory_order_relaxed);
  return owner != kNobody && owner != 1 + rank.id;
}

bool refuse_foreign(const Rank& rank, int number) {
  if (!is_foreign(rank, number)) return false;
  errno = EBADF;
  return true;
}

}  // namespace skein::libc
