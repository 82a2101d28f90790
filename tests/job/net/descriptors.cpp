// SPDX-License-Identifier: Apache-2.0
// Descriptors between the PEs of a node: more than a socket queues, more than one message holds, and while
// strangers do to the PEs' sockets what a process of this machine can do. Started by mpiexec on any number of
// PEs of one node.
#include "runtime/net/descriptor_channel.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "runtime/base/check.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

using namespace skein;

namespace {

int next_pe() { return (net::world.pe + 1) % net::world.pes; }
int previous_pe() { return (net::world.pe + net::world.pes - 1) % net::world.pes; }

ino_t file_of(int descriptor) {
  struct stat its {};
  SKEIN_CHECK(fstat(descriptor, &its) == 0, "descriptor %d is none", descriptor);
  return its.st_ino;
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& one : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

/// Two files of each PE, and their inode numbers on all PEs.
std::array<int, 2> own_files;
std::vector<std::array<ino_t, 2>> files_of_pe;

void make_files() {
  SKEIN_CHECK(pipe2(own_files.data(), O_CLOEXEC) == 0, "pipe2: %s", strerror(errno));
  own_files[1] = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  const std::array<ino_t, 2> mine = {file_of(own_files[0]), file_of(own_files[1])};
  files_of_pe.resize(static_cast<std::size_t>(net::world.pes));
  net::all_gather(&mine, sizeof mine, files_of_pe.data());
}

int which(int key, std::size_t i) { return (key + static_cast<int>(i)) % 3 == 0; }

/// Passes `each` descriptors by each of `keys` keys from every PE to the next, before any PE takes one.
void pass_around(int keys, std::size_t each) {
  for (int key = 0; key < keys; ++key) {
    std::vector<int> some;
    for (std::size_t i = 0; i < each; ++i) some.push_back(own_files[static_cast<std::size_t>(which(key, i))]);
    net::pass_descriptors(next_pe(), key, some);
  }
  net::arrive_descriptors();
  const auto& files = files_of_pe[static_cast<std::size_t>(previous_pe())];
  for (int key = 0; key < keys; ++key) {
    const std::vector<int> taken = net::take_descriptors(key, each);
    for (std::size_t i = 0; i < each; ++i) {
      SKEIN_CHECK(file_of(taken[i]) == files[static_cast<std::size_t>(which(key, i))], "key %d: another file",
                  key);
      SKEIN_CHECK(fcntl(taken[i], F_GETFD) == FD_CLOEXEC, "key %d: stays open in programs that are started",
                  key);
      close(taken[i]);
    }
  }
}

// ---- strangers

/// Returns the names of the abstract sockets of jobs, as everybody can read them.
std::vector<std::string> visible_names() {
  std::vector<std::string> names;
  std::ifstream table("/proc/net/unix");
  for (std::string line; std::getline(table, line);)
    if (const auto at = line.find("@skein-"); at != std::string::npos) names.push_back(line.substr(at + 1));
  return names;
}

/// Sends each of these sockets one message that makes no sense, with a descriptor, and connects to it as to a
/// stream.
void disturb(const std::vector<std::string>& names, int datagrams, unsigned round) {
  for (const std::string& name : names) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    memcpy(address.sun_path + 1, name.data(), name.size());
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    const auto* const to = reinterpret_cast<const sockaddr*>(&address);
    if (round == 0) {  // and says nothing
      const int stream = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
      (void)!connect(stream, to, length);
    }
    char text[200] = {};
    memset(text, static_cast<int>(round), sizeof text);
    iovec data{text, std::array{0U, 1U, 32U, 200U}[round % 4]};  // 32: a header's size
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr message{};
    message.msg_name = &address;
    message.msg_namelen = length;
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* const rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(rights), &own_files[0], sizeof(int));
    (void)!sendmsg(datagrams, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  }
}

/// Starts a process that disturbs until it is ended.
pid_t start_stranger() {
  const pid_t process = fork();
  if (process != 0) return process;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const std::vector<std::string> names = visible_names();
  const int datagrams = socket(AF_UNIX, SOCK_DGRAM, 0);
  for (unsigned round = 0;; ++round) disturb(names, datagrams, round);
}

/// Passes a descriptor on as a PE would, token and all, but as another user, if this process can become one.
void pass_as_another_user() {
  const pid_t process = fork();
  if (process == 0) {
    if (geteuid() == 0 && setuid(65534) == 0) net::pass_descriptors(next_pe(), 0, own_files);
    _exit(0);
  }
  waitpid(process, nullptr, 0);
}

void pass_among_strangers() {
  SKEIN_CHECK(!visible_names().empty(), "nobody sees the sockets, so this shows nothing");
  const std::size_t before = open_descriptors();
  net::barrier();
  pass_as_another_user();  // before sockets fill: while it waits, it would take in this PE's descriptors
  net::barrier();
  const pid_t stranger = start_stranger();
  for (int round = 0; round < 50; ++round) pass_around(10, 3);
  kill(stranger, SIGKILL);
  waitpid(stranger, nullptr, 0);
  net::arrive_descriptors();
  // Nothing from the strangers has stayed, or come by any key.
  SKEIN_CHECK(open_descriptors() == before, "%zu descriptors, not %zu as before", open_descriptors(), before);
}

void raise_limit() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

int main(int argc, char** argv) {
  raise_limit();
  net::start(&argc, &argv);
  net::open_descriptor_channel();
  SKEIN_CHECK(net::can_pass_descriptors(), "the PEs of this node do not reach each other");
  make_files();
  pass_around(6000, 1);  // SOMAXCONN is 4096
  pass_around(2, 600);   // SCM_MAX_FD is 253
  pass_among_strangers();
  net::finish();
  std::printf("PE %d: all as it should be\n", net::world.pe);
}
