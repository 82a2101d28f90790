// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/native_program.hpp"

#include <elf.h>

#include <cstring>
#include <fstream>
#include <string_view>

#include "runtime/base/error.hpp"
#include "runtime/chare/native_note.hpp"

namespace skein::launch {
namespace {

constexpr std::string_view kPrefix = "--skein.";

template <class T>
bool read_at(std::ifstream& file, std::uint64_t offset, T& value) {
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  return static_cast<bool>(file.read(reinterpret_cast<char*>(&value), sizeof value));
}

/// Returns true if one of the notes from `at` to `end` is Skein's.
bool has_note(std::ifstream& file, std::uint64_t at, std::uint64_t end) {
  const auto padded = [](std::uint64_t bytes) { return (bytes + 3) / 4 * 4; };
  while (at < end && end - at >= sizeof(Elf64_Nhdr)) {
    chare::NativeNote note{};
    Elf64_Nhdr header;
    if (!read_at(file, at, header)) return false;
    if (header.n_namesz == sizeof note.owner && header.n_type == chare::kNativeNoteType &&
        read_at(file, at, note) && memcmp(note.owner, chare::kNativeNoteOwner, sizeof note.owner) == 0)
      return true;
    at += sizeof header + padded(header.n_namesz) + padded(header.n_descsz);
  }
  return false;
}

}  // namespace

bool is_native_program(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header;
  if (!read_at(file, 0, header) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64)
    return false;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!read_at(file, header.e_phoff + i * sizeof segment, segment)) return false;
    if (segment.p_type == PT_NOTE && has_note(file, segment.p_offset, segment.p_offset + segment.p_filesz))
      return true;
  }
  return false;
}

void refuse_ranks(const RunOptions& run) {
  for (const std::string& option : run.given)
    if (option.starts_with("--ranks="))
      throw Error(format(
          "-n %s: %s is a native program, linked with Skein's library: it has elements and no virtual MPI "
          "ranks; leave out -n, and set the number of its processes by -p",
          option.substr(option.find('=') + 1).c_str(), run.program.c_str()));
}

std::vector<std::string> native_command(const RunOptions& run) {
  std::vector<std::string> command{run.program};
  command.insert(command.end(), run.args.begin(), run.args.end());
  for (const std::string& option : run.given) command.push_back(std::string(kPrefix) + option.substr(2));
  return command;
}

std::vector<std::string> native_option_words(std::span<char* const> argv) {
  std::vector<std::string> words, rest;
  for (const char* word : argv.subspan(1)) {
    if (std::string_view(word).starts_with(kPrefix))
      words.push_back("--" + std::string(word + kPrefix.size()));
    else
      rest.emplace_back(word);
  }
  words.emplace_back(argv[0]);
  words.insert(words.end(), rest.begin(), rest.end());
  return words;
}

}  // namespace skein::launch
