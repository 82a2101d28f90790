// SPDX-License-Identifier: Apache-2.0
#include "runtime/image/library_path.hpp"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

namespace skein::image {
namespace {

constexpr const char* kDefaultDirectories[] = {
    "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/lib", "/usr/lib"};

/// The file as glibc's ldconfig writes it (sysdeps/generic/dl-cache.h describes it): header, entries,
/// strings.
constexpr std::string_view kCacheMagic = "glibc-ld.so.cache1.1";
struct CacheHeader {
  char magic[20];
  std::uint32_t entries;
  std::uint32_t string_bytes;
  std::uint32_t unused[5];
};
struct CacheEntry {
  std::int32_t flags;
  std::uint32_t name;  // offsets from the header
  std::uint32_t path;
  std::uint32_t os_version;
  std::uint64_t hardware;  // 0: all processors
};
constexpr std::int32_t kCacheX8664Libc6 = 0x0303;

std::string replace_all(std::string text, std::string_view token, const std::string& value) {
  for (std::size_t at = text.find(token); at != std::string::npos; at = text.find(token, at + value.size()))
    text.replace(at, token.size(), value);
  return text;
}

std::string expand(std::string directory, const ElfFile& owner) {
  const std::string origin = owner.path.substr(0, owner.path.rfind('/'));
  for (const char* token : {"${ORIGIN}", "$ORIGIN"}) directory = replace_all(directory, token, origin);
  for (const char* token : {"${LIB}", "$LIB"})
    directory = replace_all(directory, token, "lib/x86_64-linux-gnu");
  for (const char* token : {"${PLATFORM}", "$PLATFORM"}) directory = replace_all(directory, token, "x86_64");
  return directory;
}

std::vector<std::string> split(std::string_view list, std::string_view separators) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const std::size_t end = list.find_first_of(separators);
    const std::string_view part = list.substr(0, end);
    parts.emplace_back(part.empty() ? "." : part);  // an empty entry is the current directory
    if (end == std::string_view::npos) break;
    list.remove_prefix(end + 1);
  }
  return parts;
}

std::string find_in(const std::vector<std::string>& directories, const std::string& name) {
  for (const std::string& directory : directories) {
    std::string path = directory + "/" + name;
    if (access(path.c_str(), R_OK) == 0) return path;
  }
  return {};
}

std::string find_in_list(const std::string& list, const ElfFile& owner, const std::string& name) {
  std::vector<std::string> directories = split(list, ":");
  for (std::string& directory : directories) directory = expand(directory, owner);
  return find_in(directories, name);
}

}  // namespace

std::unordered_map<std::string, std::string> parse_library_cache(std::string_view bytes) {
  std::unordered_map<std::string, std::string> libraries;
  const std::size_t start = bytes.find(kCacheMagic);  // older systems put another table before it
  if (start == std::string_view::npos) return libraries;
  bytes.remove_prefix(start);
  CacheHeader header;
  if (bytes.size() < sizeof header) return libraries;
  memcpy(&header, bytes.data(), sizeof header);
  const auto string_at = [&](std::uint32_t offset) {
    if (offset >= bytes.size()) return std::string();
    const std::string_view rest = bytes.substr(offset);
    return std::string(rest.substr(0, rest.find('\0')));
  };
  for (std::size_t i = 0; i < header.entries; ++i) {
    const std::size_t at = sizeof header + i * sizeof(CacheEntry);
    if (at + sizeof(CacheEntry) > bytes.size()) break;
    CacheEntry entry;
    memcpy(&entry, bytes.data() + at, sizeof entry);
    if (entry.flags == kCacheX8664Libc6 && entry.hardware == 0)
      libraries.emplace(string_at(entry.name), string_at(entry.path));
  }
  return libraries;
}

LibraryPath::LibraryPath() {
  if (const char* list = getenv("LD_LIBRARY_PATH")) from_environment_ = split(list, ":;");
  std::ifstream file("/etc/ld.so.cache", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  cache_ = parse_library_cache(bytes);
}

std::string LibraryPath::find(const std::string& name, std::span<const ElfFile* const> chain) const {
  if (name.find('/') != std::string::npos) return access(name.c_str(), R_OK) == 0 ? name : std::string();
  const ElfFile& owner = *chain.back();
  std::string path;
  if (owner.runpath.empty())
    for (std::size_t i = chain.size(); path.empty() && i-- > 0;)
      if (!chain[i]->rpath.empty() && chain[i]->runpath.empty())
        path = find_in_list(chain[i]->rpath, *chain[i], name);
  if (path.empty()) path = find_in(from_environment_, name);
  if (path.empty() && !owner.runpath.empty()) path = find_in_list(owner.runpath, owner, name);
  if (path.empty()) {
    const auto cached = cache_.find(name);
    if (cached != cache_.end() && access(cached->second.c_str(), R_OK) == 0) path = cached->second;
  }
  if (path.empty()) path = find_in({std::begin(kDefaultDirectories), std::end(kDefaultDirectories)}, name);
  return path;
}

}  // namespace skein::image
