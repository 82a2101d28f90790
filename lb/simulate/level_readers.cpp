// SPDX-License-Identifier: Apache-2.0
// The table of which parts of Skein read which numbers of a level.
#include <algorithm>
#include <string_view>

#include "lb/simulate/platform_members.hpp"
#include "skein/lb/simulate.hpp"

namespace skein::simulate {
namespace {

/// f, s: the fast engine and the one by SimGrid; x: SimGrid's XML (to_simgrid_xml()); l: costs of LB steps.
/// Messages inside a PE use no network; a fetch between nodes is a message. With SimGrid a gap is converted
/// to the bytes that take as long, so there is none if bytes take no time.
struct Readers {
  std::string_view member, pe, node, network;
};
constexpr Readers kTable[] = {
    {"latency_ns", "", "fsxl", "fsxl"},
    {"send_ns", "fs", "fsl", "fsl"},
    {"send_byte_ns", "fs", "fsl", "fsl"},
    {"receive_ns", "fs", "fsl", "fsl"},
    {"receive_byte_ns", "fs", "fsl", "fsl"},
    {"fetch_byte_ns", "", "fs", ""},
    {"gap_ns", "", "fsl", "fsl"},
    {"byte_ns", "", "fsxl", "fsxl"},
    {"eager_bytes", "fs", "fs", "fs"},
};

}  // namespace

std::string unread_members(const Platform& platform, NetworkEngine engine) {
  std::string unread;
  const char letter = name_of(engine)[0];
  const auto look_at = [&](const char* name, const Level& level, std::string_view Readers::*of) {
    const auto visit = [&](std::string_view member, auto value, const AllowedRange&, const char*) {
      const Readers& readers = *std::ranges::find(kTable, member, &Readers::member);
      const bool is_lost_gap =
          letter == 's' && of == &Readers::network && member == "gap_ns" && level.byte_ns == 0;
      if (value != 0 && (is_lost_gap || (readers.*of).find(letter) == std::string_view::npos))
        unread.append(unread.empty() ? "" : ", ").append(name).append(".").append(member);
    };
    each_member_of_level(visit, level);
  };
  look_at("pe", platform.pe, &Readers::pe);
  look_at("node", platform.node, &Readers::node);
  look_at("network", platform.network, &Readers::network);
  return unread;
}

}  // namespace skein::simulate
