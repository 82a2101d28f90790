// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/io/here.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "runtime/base/pe_runtime.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/rank/process_guard.hpp"
#include "runtime/vmpi/comm/info.hpp"

namespace skein::vmpi {
namespace {

/// Of a rank's file: its address, which no other file of any rank has as long as it is open.
struct User {
  const File* file;
  int rank;
};

struct Shared {
  net::PeFile* file = nullptr;
  std::vector<User> users;
};

struct Here {
  std::map<std::string, Shared> open;  ///< by key_of()
  std::uint64_t generation = 1;        ///< of the placement, that the users are of
};
PerRuntime<Here> here;

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

void add_user(File& file, Shared& shared) {
  const User user{&file, file.state.rank.id};
  if (std::ranges::find(shared.users, user.file, &User::file) == shared.users.end())
    shared.users.push_back(user);
  file.here = {pe::location->placement_generation, shared.file};
}

/// Closes what has no user any more.
template <class Gone>
net::FileFault drop_users(const Gone& gone) {
  net::FileFault fault = net::FileFault::none;
  for (auto entry = here->open.begin(); entry != here->open.end();) {
    std::erase_if(entry->second.users, gone);
    if (!entry->second.users.empty()) {
      ++entry;
      continue;
    }
    fault = net::close_file(entry->second.file);
    entry = here->open.erase(entry);
  }
  return fault;
}

}  // namespace

void forget_departed_files() {
  const std::uint64_t now = pe::location->placement_generation;
  if (here->generation == now) [[likely]]
    return;
  // Where a generation was missed nobody knows who went and came back: those come again.
  const bool all = now > here->generation + 1;
  here->generation = now;
  (void)drop_users([&](const User& user) { return all || !pe::is_here(user.rank); });
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
      add_user(file, known->second);
      return net::FileFault::none;
    }
  }
  how.access = access_of(file);
  net::PeFile* opened = nullptr;
  {
    // The MPI underneath may load what it needs for files.
    const ProcessGuardScope guard;
    const net::FileFault fault = net::open_file(path, how, hints, opened);
    if (fault != net::FileFault::none) return fault;
  }
  file.inode = inode_of(path);
  Shared& shared = here->open[key_of(file, hints)];
  if (shared.file)
    (void)net::close_file(opened);  // the system tells no inode of it: it is open under this name already
  else
    shared.file = opened;
  add_user(file, shared);
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
  const net::FileFault fault = drop_users([&](const User& user) { return user.file == &file; });
  file.here = {};
  return fault;
}

}  // namespace skein::vmpi
