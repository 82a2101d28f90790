// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/library_files.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <vector>

#include "runtime/base/check.hpp"

namespace skein::image {
namespace {

constexpr std::size_t kUnusedKept =
    32;  // a rank that returns, or repeatedly opens and closes, finds its file again

struct Entry {
  std::shared_ptr<ElfFile> file;
  int users = 0;
};
std::vector<Entry> files_read;

bool is_same(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size &&
         a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

Entry* find(std::string_view path, std::uint64_t digest) {
  for (Entry& entry : files_read)
    if (entry.file->digest() == digest && entry.file->path == path) return &entry;
  return nullptr;
}

void forget_unused() {
  if (files_read.size() > kUnusedKept) std::erase_if(files_read, [](const Entry& e) { return e.users == 0; });
}

}  // namespace

std::shared_ptr<ElfFile> read_library_file(const std::string& path) {
  struct stat now;
  if (stat(path.c_str(), &now) == 0)
    for (const Entry& entry : files_read)
      if (is_same(entry.file->status(), now)) return entry.file;
  auto file = std::make_shared<ElfFile>(path, FileRole::library);
  if (const Entry* same = find(file->path, file->digest())) return same->file;
  forget_unused();
  return files_read.emplace_back(Entry{std::move(file), 0}).file;
}

ElfFile* find_library_file(std::string_view path, std::uint64_t digest) {
  const Entry* entry = find(path, digest);
  return entry ? entry->file.get() : nullptr;
}

void use_library_file(const std::shared_ptr<ElfFile>& file) {
  Entry* entry = find(file->path, file->digest());
  if (!entry) entry = &files_read.emplace_back(Entry{file, 0});
  ++entry->users;
}

void release_library_file(std::string_view path, std::uint64_t digest) {
  Entry* const entry = find(path, digest);
  SKEIN_CHECK(entry && entry->users > 0, "a rank gives up a library that this PE has not");
  --entry->users;
}

}  // namespace skein::image
