// SPDX-License-Identifier: Apache-2.0
// unix(7) and cmsg(3) describe these calls.
#include "runtime/net/descriptor_socket.hpp"

#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "runtime/base/descriptor_passing.hpp"

namespace skein::net {
namespace {

struct Header {
  std::array<std::uint64_t, 2> token;  // of the receiver
  std::int32_t from;
  std::int32_t key;
  std::uint32_t count;
  std::uint32_t unused;
};

struct Name {
  explicit Name(const DescriptorAddress& to) {
    bytes.sun_family = AF_UNIX;
    // The leading zero makes the name abstract: it is no file, and is gone with the process.
    const int n =
        snprintf(bytes.sun_path + 1, sizeof bytes.sun_path - 1, "skein-%016llx%016llx",
                 static_cast<unsigned long long>(to.name[0]), static_cast<unsigned long long>(to.name[1]));
    length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + static_cast<std::size_t>(n));
  }
  sockaddr_un bytes{};
  socklen_t length;
};

/// Datagrams of strangers that receive() drops at most: a stranger who sends without a pause must not keep a
/// PE here. A message sent before a barrier is among the first after it: the kernel keeps fewer for one
/// socket (net.unix.max_dgram_qlen).
constexpr int kMostStrangers = 10'000;

constexpr std::size_t kRightsRoom = CMSG_SPACE(DescriptorSocket::most_at_once * sizeof(int));

bool draw(DescriptorAddress& address) {
  return getrandom(&address, sizeof address, 0) == static_cast<ssize_t>(sizeof address);
}

/// Compares users, not processes: those of other process namespaces have other numbers here, or none.
bool is_own_user(const ucred& sender) { return sender.uid == getuid(); }

}  // namespace

DescriptorSocket::DescriptorSocket() {
  if (!draw(address_)) return;
  const int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return;
  const Name name(address_);
  const int yes = 1;
  // From now on the kernel says with each message who sent it.
  if (setsockopt(fd, SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes) != 0 ||
      bind(fd, reinterpret_cast<const sockaddr*>(&name.bytes), name.length) != 0) {
    const int error = errno;
    close(fd);
    errno = error;
    return;
  }
  socket_ = fd;
}

DescriptorSocket::~DescriptorSocket() {
  if (socket_ >= 0) close(socket_);
}

DescriptorSocket::Sent DescriptorSocket::send(const DescriptorAddress& to, std::int32_t from,
                                              std::int32_t key, std::span<const int> descriptors) const {
  Name name(to);
  Header header{to.token, from, key, static_cast<std::uint32_t>(descriptors.size()), 0};
  iovec data{&header, sizeof header};
  alignas(cmsghdr) char control[kRightsRoom] = {};
  msghdr message{};
  message.msg_name = &name.bytes;
  message.msg_namelen = name.length;
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  if (!descriptors.empty()) {
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    cmsghdr* const rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    memcpy(CMSG_DATA(rights), descriptors.data(), descriptors.size_bytes());
  }
  ssize_t sent;
  do sent = sendmsg(socket_, &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  if (sent >= 0) return Sent::yes;
  return errno == EAGAIN || errno == ENOBUFS || errno == ETOOMANYREFS ? Sent::later : Sent::failed;
}

std::optional<DescriptorMessage> DescriptorSocket::receive() const {
  for (int strangers = 0; strangers < kMostStrangers; ++strangers) {
    Header header{};
    iovec data{&header, sizeof header};
    alignas(cmsghdr) char control[kRightsRoom + CMSG_SPACE(sizeof(ucred))];
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    ssize_t bytes;
    do bytes = recvmsg(socket_, &message, MSG_CMSG_CLOEXEC | MSG_TRUNC);
    while (bytes < 0 && errno == EINTR);
    if (bytes < 0) return std::nullopt;

    DescriptorMessage found;
    bool ours = bytes == static_cast<ssize_t>(sizeof header) && header.token == address_.token;
    bool known_sender = false;
    for (cmsghdr* part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part)) {
      if (part->cmsg_level != SOL_SOCKET) continue;
      if (part->cmsg_type == SCM_CREDENTIALS) {
        ucred sender;
        memcpy(&sender, CMSG_DATA(part), sizeof sender);
        known_sender = is_own_user(sender);
      } else if (part->cmsg_type == SCM_RIGHTS) {
        found.descriptors.resize((part->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        memcpy(found.descriptors.data(), CMSG_DATA(part), found.descriptors.size() * sizeof(int));
      }
    }
    ours = ours && known_sender;
    if (!ours) {
      close_descriptors(found.descriptors);
      continue;
    }
    found.from = header.from;
    found.key = header.key;
    found.complete = found.descriptors.size() == header.count;
    return found;
  }
  return std::nullopt;
}

}  // namespace skein::net
