// SPDX-License-Identifier: Apache-2.0
// Objects that a rank can hold and that exist only in its process: shared memory segments, open directories.
// These functions work unchanged, and pin the rank until it releases the object.
#include <dirent.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include "runtime/libc/caller.hpp"
#include "runtime/libc/descriptor_owners.hpp"
#include "runtime/libc/file_table.hpp"
#include "runtime/libc/overrides.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/libc/program_file.hpp"

namespace skein::libc {
namespace {

constexpr const char kHoldsDirectory[] = "it holds an open directory";
constexpr const char kHoldsSegment[] = "it has mapped memory outside its slot (shmat)";

void* rank_shmat(int segment, const void* address, int flags) {
  Rank& rank = calling_rank("shmat");
  void* memory = shmat(segment, address, flags);
  if (memory != MAP_FAILED) attach_handle(rank, memory, kHoldsSegment);
  return memory;
}
int rank_shmdt(const void* memory) {
  Rank& rank = calling_rank("shmdt");
  const int result = shmdt(memory);
  if (result == 0) detach_handle(rank, memory);
  return result;
}

}  // namespace
}  // namespace skein::libc

/// The shared C++ library reads directories for std::filesystem, on behalf of a rank.
extern "C" {

DIR* opendir(const char* path) {
  static const auto real = skein::libc::next_function<DIR*(const char*)>("opendir");
  DIR* directory = real(skein::libc::path_in_system(path));
  if (skein::Rank* rank = skein::libc::program_rank(); rank && directory)
    skein::libc::attach_handle(*rank, directory, skein::libc::kHoldsDirectory);
  return directory;
}
/// The directory stream owns the descriptor from here on.
DIR* fdopendir(int descriptor) {
  static const auto real = skein::libc::next_function<DIR*(int)>("fdopendir");
  if (skein::Rank* rank = skein::libc::rank_with_table();
      rank && skein::libc::refuse_foreign(*rank, descriptor))
    return nullptr;
  DIR* directory = real(descriptor);
  if (skein::Rank* rank = skein::libc::program_rank(); rank && directory) {
    skein::libc::forget_descriptor(*rank, descriptor);
    skein::libc::attach_handle(*rank, directory, skein::libc::kHoldsDirectory);
  }
  return directory;
}
int closedir(DIR* directory) {
  static const auto real = skein::libc::next_function<int(DIR*)>("closedir");
  if (skein::Rank* rank = skein::libc::program_rank()) skein::libc::detach_handle(*rank, directory);
  return real(directory);
}

}  // extern "C"

namespace skein::libc {

const Overrides pinning_overrides({
    {"shmat", address_of(rank_shmat)},
    {"shmdt", address_of(rank_shmdt)},
    {"opendir", address_of(opendir)},
    {"fdopendir", address_of(fdopendir)},
    {"closedir", address_of(closedir)},
});

}  // namespace skein::libc
