// SPDX-License-Identifier: Apache-2.0
// Uses SCM_RIGHTS messages: see unix(7) and cmsg(3).
#include "runtime/base/descriptor_passing.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace skein {
namespace {

constexpr std::size_t kMostAtOnce = 253;  // the kernel's SCM_MAX_FD

/// A message of one byte with room for descriptors.
struct Message {
  Message(std::size_t descriptors) {
    header.msg_iov = &text;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = CMSG_SPACE(descriptors * sizeof(int));
  }
  char byte = 0;
  iovec text{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(kMostAtOnce * sizeof(int))] = {};
  msghdr header = {};
};

template <class Call>
bool complete(Call call) {
  ssize_t result;
  do result = call();
  while (result < 0 && errno == EINTR);
  if (result == 0) errno = ECONNRESET;
  return result == 1;
}

}  // namespace

bool send_descriptors(int socket, std::span<const int> descriptors) {
  while (!descriptors.empty()) {
    const auto some = descriptors.first(std::min(descriptors.size(), kMostAtOnce));
    Message message(some.size());
    cmsghdr* rights = CMSG_FIRSTHDR(&message.header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(some.size_bytes());
    memcpy(CMSG_DATA(rights), some.data(), some.size_bytes());
    if (!complete([&] { return sendmsg(socket, &message.header, MSG_NOSIGNAL); })) return false;
    descriptors = descriptors.subspan(some.size());
  }
  return true;
}

bool receive_descriptors(int socket, std::span<int> descriptors) {
  while (!descriptors.empty()) {
    const auto some = descriptors.first(std::min(descriptors.size(), kMostAtOnce));
    Message message(some.size());
    if (!complete([&] { return recvmsg(socket, &message.header, MSG_CMSG_CLOEXEC); })) return false;
    const cmsghdr* rights = CMSG_FIRSTHDR(&message.header);
    if (!rights || rights->cmsg_type != SCM_RIGHTS || rights->cmsg_len != CMSG_LEN(some.size_bytes())) {
      errno = message.header.msg_flags & MSG_CTRUNC ? EMFILE : EBADMSG;
      return false;
    }
    memcpy(some.data(), CMSG_DATA(rights), some.size_bytes());
    descriptors = descriptors.subspan(some.size());
  }
  return true;
}

void close_descriptors(std::span<const int> descriptors) {
  for (const int descriptor : descriptors) close(descriptor);
}

}  // namespace skein
