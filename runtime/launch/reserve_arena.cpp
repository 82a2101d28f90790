// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/reserve_arena.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "runtime/arena/arena.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/rank/rank.hpp"

namespace skein::launch {
namespace {

constexpr std::size_t default_stack_bytes = std::size_t{8} << 20;

/// The memory file of this node, made by its first PE. -1 if it cannot be shared.
int node_memory_file(std::size_t bytes) {
  struct Place {
    int process, descriptor;
  };
  Place mine{getpid(), -1};
  if (net::world.node_pe == 0) {
    try {
      mine.descriptor = arena::create_memory_file(bytes);
    } catch (const Error& error) {
      SKEIN_WARN("%s", error.what());  // the PEs still have to agree that there is none
    }
  }
  std::vector<Place> all(static_cast<std::size_t>(net::world.pes));
  net::all_gather(&mine, sizeof mine, all.data());
  int descriptor = mine.descriptor;
  if (net::world.node_pe != 0) {
    const Place& leader = all[static_cast<std::size_t>(net::world.node_pes[0])];
    descriptor =
        open(format("/proc/%d/fd/%d", leader.process, leader.descriptor).c_str(), O_RDWR | O_CLOEXEC);
  }
  // The file stays open with its maker until everybody has it.
  std::uint64_t missing[] = {descriptor < 0};
  net::sum_polling(missing);
  return missing[0] == 0 ? descriptor : -1;
}

}  // namespace

void reserve_arena(const RunOptions& run, const image::Program& program) {
  const auto ranks = static_cast<std::size_t>(run.ranks);
  const std::size_t slot_bytes = run.slot_bytes ? run.slot_bytes : arena::default_slot_bytes(ranks);
  const std::size_t stack_bytes = run.stack_bytes ? run.stack_bytes : default_stack_bytes;
  const arena::SlotLayout layout =
      arena::make_layout(slot_bytes, stack_bytes, sizeof(Rank) + arena::colour_room, program.image_bytes(),
                         program.image_alignment());
  int file = -1;
  // One PE alone on its node has nobody to hand slots to.
  const bool useful = net::world.pes > net::world.nodes;
  if (run.arena == ArenaChoice::shared || (run.arena == ArenaChoice::automatic && useful))
    file = node_memory_file(layout.slot_bytes * ranks);
  if (file < 0 && run.arena == ArenaChoice::shared)
    throw Error(
        "--arena shared: the node's memory file cannot be opened through /proc by all PEs; use --arena "
        "private");
  arena::reserve(layout, ranks, file >= 0 ? arena::Backing::node_shared : arena::Backing::private_pages,
                 file);
}

}  // namespace skein::launch
