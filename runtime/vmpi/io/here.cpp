// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/io/here.hpp"

#include <sys/stat.h>

#include <iterator>
#include <map>
#include <string>
#include <unordered_map>

#include "runtime/base/pe_runtime.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/rank/process_guard.hpp"
#include "runtime/vmpi/comm/info.hpp"

namespace skein::vmpi {
namespace {

struct Shared {
  net::PeFile* file = nullptr;
  std::size_t users = 0;
};
using Open = std::map<std::string, Shared>;  ///< by key_of()

struct User {
  int rank;
  Open::iterator uses;
};
/// The users of open files, by the address of a rank's file, which is unique as long as the file is open.
using Users = std::unordered_map<const File*, User>;

struct OpenFiles {
  Open open;
  Users users;
  std::uint64_t generation = 1;  ///< of the placement, for these users
};
PerRuntime<OpenFiles> here;

net::FileAccess access_of(const File& file) {
  if (!file.writable()) return net::FileAccess::read;
  return file.readable() ? net::FileAccess::read_write : net::FileAccess::write;
}

net::Hints hints_of(const File& file) {
  net::Hints hints;
  for (int i = 0; file.info && i < file.info->size(); ++i) {
    const std::string key(file.info->key(i));
    hints.emplace_back(key, std::string(*file.info->find(key)));
  }
  return hints;
}

std::uint64_t inode_of(const char* path) {
  struct stat its;
  return stat(path, &its) == 0 ? its.st_ino : 0;
}

std::string key_of(const File& file, const net::Hints& hints) {
  std::string key(file.path);
  const auto add = [&](std::string_view part) { key.append(1, '\0').append(part); };
  add(std::to_string(file.inode));
  add(std::to_string(static_cast<int>(access_of(file))));
  for (const auto& [name, value] : hints) {
    add(name);
    add(value);
  }
  return key;
}

/// Removes a user, and closes the file if it was the last. Returns the next user.
Users::iterator drop_user(Users::iterator user, net::FileFault& fault) {
  const Open::iterator open = user->second.uses;
  if (--open->second.users == 0) {
    fault = net::close_file(open->second.file);
    here->open.erase(open);
  }
  return here->users.erase(user);
}

void add_user(File& file, Open::iterator open) {
  net::FileFault fault = net::FileFault::none;
  // A file whose hints have changed uses another open file from here on.
  if (const auto user = here->users.find(&file); user != here->users.end() && user->second.uses != open)
    drop_user(user, fault);
  if (here->users.try_emplace(&file, file.state.rank.id, open).second) ++open->second.users;
  file.here = {pe::location->placement_generation, open->second.file};
}

}  // namespace

void forget_departed_files() {
  const std::uint64_t now = pe::location->placement_generation;
  if (here->generation == now) [[likely]]
    return;
  // If a generation was missed, ranks may have left and come back: so all users are dropped, and come again.
  const bool all = now > here->generation + 1;
  here->generation = now;
  net::FileFault fault = net::FileFault::none;
  for (auto user = here->users.begin(); user != here->users.end();)
    user = all || !pe::is_here(user->second.rank) ? drop_user(user, fault) : std::next(user);
}

net::FileFault open_here(File& file, net::OpenOptions how) {
  forget_departed_files();
  const char* const path = file.path.c_str();
  const std::uint64_t inode = inode_of(path);
  if (file.inode != 0 && inode != file.inode) return net::FileFault::no_such_file;
  file.inode = inode;
  const net::Hints hints = hints_of(file);
  if (inode != 0 && !how.exclusive) {
    const auto known = here->open.find(key_of(file, hints));
    if (known != here->open.end()) {
      add_user(file, known);
      return net::FileFault::none;
    }
  }
  how.access = access_of(file);
  net::PeFile* opened = nullptr;
  {
    // The MPI underneath may load libraries for files.
    const ProcessGuardScope guard;
    const net::FileFault fault = net::open_file(path, how, hints, opened);
    if (fault != net::FileFault::none) return fault;
  }
  file.inode = inode_of(path);
  const auto open = here->open.try_emplace(key_of(file, hints)).first;
  if (Shared& shared = open->second; shared.file)
    (void)net::close_file(opened);  // the system gives no inode for it: it is open under this name already
  else
    shared.file = opened;
  add_user(file, open);
  return net::FileFault::none;
}

net::FileFault file_here(File& file, net::PeFile*& out) {
  if (file.here.generation != pe::location->placement_generation) [[unlikely]]
    if (const net::FileFault fault = open_here(file); fault != net::FileFault::none) return fault;
  out = file.here.file;
  return net::FileFault::none;
}

net::FileFault close_here(File& file) {
  forget_departed_files();
  net::FileFault fault = net::FileFault::none;
  if (const auto user = here->users.find(&file); user != here->users.end()) drop_user(user, fault);
  file.here = {};
  return fault;
}

void close_all_here() {
  for (const auto& [key, shared] : here->open) (void)net::close_file(shared.file);
  *here = {};
}

}  // namespace skein::vmpi
