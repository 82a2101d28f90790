// SPDX-License-Identifier: Apache-2.0
#include "runtime/base/descriptor_passing.hpp"

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

using namespace skein;

namespace {

struct Sockets {
  Sockets() { REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0); }
  ~Sockets() { close_descriptors(ends); }
  int ends[2];
};

}  // namespace

// The kernel takes at most 253 descriptors in one message.
TEST_CASE("descriptor passing: three hundred go in several messages") {
  Sockets sockets;
  int pipe_ends[2];
  REQUIRE(pipe(pipe_ends) == 0);
  std::vector<int> sent(300, pipe_ends[1]), received(300, -1);
  sent[299] = pipe_ends[0];
  CHECK(send_descriptors(sockets.ends[0], sent));
  CHECK(receive_descriptors(sockets.ends[1], received));
  CHECK(write(received[0], "x", 1) == 1);
  char byte = 0;
  CHECK(read(received[299], &byte, 1) == 1);
  CHECK(byte == 'x');
  close_descriptors(received);
  close_descriptors(pipe_ends);
}

TEST_CASE("descriptor passing: a closed socket and a message without descriptors are told apart") {
  std::vector<int> received(2, -1);
  {
    Sockets sockets;
    REQUIRE(send(sockets.ends[0], "x", 1, 0) == 1);
    CHECK_FALSE(receive_descriptors(sockets.ends[1], received));
    CHECK(errno == EBADMSG);
  }
  Sockets sockets;
  shutdown(sockets.ends[0], SHUT_RDWR);
  CHECK_FALSE(receive_descriptors(sockets.ends[1], received));
  CHECK(errno == ECONNRESET);
}
