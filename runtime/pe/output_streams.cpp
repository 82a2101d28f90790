// SPDX-License-Identifier: Apache-2.0
#include "runtime/pe/output.hpp"

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

constexpr int kStreamsKey = -1;  // the channel's key; no rank has it
constexpr std::array kStreams = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};

}  // namespace

void share_standard_streams() {
  if (!net::can_pass_descriptors()) return;
  fflush(stdout);
  if (net::world.node_pe == 0)
    for (const int pe : net::world.node_pes)
      if (pe != net::world.pe) net::pass_descriptors(pe, kStreamsKey, kStreams);
  net::arrive_descriptors();
  if (net::world.node_pe == 0) return;
  const std::vector<int> given = net::take_descriptors(kStreamsKey, kStreams.size());
  for (std::size_t i = 0; i < kStreams.size(); ++i) {
    SKEIN_CHECK(dup2(given[i], kStreams[i]) == kStreams[i], "dup2: %s", strerror(errno));
    close(given[i]);
  }
}

}  // namespace skein::pe
