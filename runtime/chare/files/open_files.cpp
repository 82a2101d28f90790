// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/files/open_files.hpp"

#include <cstdio>

#include "skein/ordered_output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>

namespace skein::chare {
namespace {

std::map<std::string, int> descriptors;  // by path

std::string error_of(const std::string& path, const char* what) {
  return "'" + path + "' cannot be " + what + ": " + strerror(errno) + " (errno " + std::to_string(errno) +
         ")";
}

int open_to_write(const std::string& path) {
  int descriptor;
  do {
    descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

}  // namespace

std::string write_at(const std::string& path, std::int64_t offset, std::span<const std::byte> bytes) {
  auto found = descriptors.find(path);
  if (found == descriptors.end()) {
    const int descriptor = open_to_write(path);
    if (descriptor < 0) return error_of(path, "opened");
    found = descriptors.emplace(path, descriptor).first;
  }
  while (!bytes.empty()) {
    const ssize_t written = pwrite(found->second, bytes.data(), bytes.size(), offset);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return error_of(path, "written");
    offset += written;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return "";
}

std::string close_file(const std::string& path) {
  const auto found = descriptors.find(path);
  if (found == descriptors.end()) return "";
  const int descriptor = found->second;
  descriptors.erase(found);
  return close(descriptor) == 0 || errno == EINTR ? "" : error_of(path, "written");
}

std::string set_length(const std::string& path, std::int64_t bytes) {
  const int descriptor = open_to_write(path);
  if (descriptor < 0) return error_of(path, "opened");
  struct stat its;
  std::string error;
  if (fstat(descriptor, &its) == 0 && S_ISREG(its.st_mode) && ftruncate(descriptor, bytes) != 0)
    error = error_of(path, "given its length");
  close(descriptor);
  return error;
}

void write_block(const std::string& text) {
  fwrite(text.data(), 1, text.size(), stdout);
  fflush(stdout);  // failed writes are reported at the end: finish_standard_output()
}

}  // namespace skein::chare
