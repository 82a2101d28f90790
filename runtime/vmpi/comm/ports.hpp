// SPDX-License-Identifier: Apache-2.0
// The register of open ports and of the names under which they were published (MPI 4.1, 11.8, 11.9): PE 0
// keeps it for the job, and ranks ask it by messages.
//
// A port is a context of the world that no other messages have, and the rank that opened it. Its name
// contains both.
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
/// Returns false if `name` is no name of a port.
bool read_port(std::string_view name, Port& port);

enum class PortQuestion : std::int32_t { open, close, is_open, publish, unpublish, look_up };
/// Asks the register. Returns true if it could do the request: `close` and `is_open` need an open port,
/// `publish` a name that is not published, the others a published name; `look_up` puts its port into `port`.
/// Called from a rank's main fiber. May switch, does not move.
bool ask_register(RankState& state, PortQuestion question, std::string_view service, std::string& port);

}  // namespace skein::vmpi
