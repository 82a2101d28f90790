// SPDX-License-Identifier: Apache-2.0
#include "runtime/pe/standard_streams.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "runtime/base/check.hpp"
#include "runtime/net/descriptor_channel.hpp"
#include "runtime/net/transport.hpp"

namespace skein::pe {
namespace {

constexpr int no_rank = -1;  // whose descriptors these are, for the channel
constexpr std::array streams = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};

}  // namespace

void share_standard_streams() {
  fflush(stdout);
  if (net::world.node_pe == 0) {
    for (std::size_t i = 1; i < net::world.node_pes.size(); ++i)
      net::pass_descriptors(net::world.node_pes[i], no_rank, streams);
    return;
  }
  const std::vector<int> given = net::take_descriptors(no_rank, streams.size());
  for (std::size_t i = 0; i < streams.size(); ++i) {
    SKEIN_CHECK(dup2(given[i], streams[i]) == streams[i], "dup2: %s", strerror(errno));
    close(given[i]);
  }
}

}  // namespace skein::pe
