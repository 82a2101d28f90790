// SPDX-License-Identifier: Apache-2.0
// What is open, and under which names it was published (MPI 4.1, 11.8, 11.9): kept by PE 0 for the job, and
// asked for by messages.
//
// A port is a context of the world's that no other messages have, and the rank that opened it. Its name says
// both.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace skein::vmpi {

struct RankState;

struct Port {
  int owner = -1;  ///< rank in the world
  std::int64_t context = 0;
};
std::string name_of(const Port& port);
/// False for what is no name of a port.
bool read_port(std::string_view name, Port& port);

enum class PortQuestion : std::int32_t { open, close, is_open, publish, unpublish, look_up };
/// Asks the register. Returns whether it could be done: `close` and `is_open` need an open port, `publish` a
/// name that is not published, the others one that is; `look_up` puts its port into `port`. From a rank's
/// main fiber. May switch, does not move.
bool ask_register(RankState& state, PortQuestion question, std::string_view service, std::string& port);

}  // namespace skein::vmpi
