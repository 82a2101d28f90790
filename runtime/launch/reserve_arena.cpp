// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/reserve_arena.hpp"

#include <sys/sysinfo.h>
#include <unistd.h>

#include <array>

#include "runtime/arena/arena.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/base/size_text.hpp"
#include "runtime/net/descriptor_channel.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/rank/rank.hpp"

namespace skein::launch {
namespace {

constexpr std::size_t default_stack_bytes = std::size_t{8} << 20;

constexpr int memory_file_key = -2;  // no rank's, for the descriptor channel

/// The memory file of this node, which its first PE makes and passes to the others. -1 if it cannot be
/// shared.
int node_memory_file(std::size_t bytes) {
  if (!net::can_pass_descriptors()) return -1;
  std::array descriptor = {-1};
  if (net::world.node_pe == 0) {
    try {
      descriptor[0] = arena::create_memory_file(bytes);
    } catch (const Error& error) {
      SKEIN_WARN("%s", error.what());  // the PEs still have to agree that there is none
    }
  }
  std::uint64_t missing[] = {net::world.node_pe == 0 && descriptor[0] < 0};
  net::sum_polling(missing);
  if (missing[0] > 0) {
    if (descriptor[0] >= 0) close(descriptor[0]);
    return -1;
  }
  if (net::world.node_pe == 0)
    for (const int pe : net::world.node_pes)
      if (pe != net::world.pe) net::pass_descriptors(pe, memory_file_key, descriptor);
  net::arrive_descriptors();
  return net::world.node_pe == 0 ? descriptor[0] : net::take_descriptors(memory_file_key, 1)[0];
}

/// Whether each PE can map the code of its share of the ranks. Collective.
bool all_can_map_code(const image::Program& program, std::size_t ranks) {
  const auto pes = static_cast<std::size_t>(net::world.pes);
  std::uint64_t unable[] = {!program.can_map_code((ranks + pes - 1) / pes)};
  net::sum_polling(unable);
  return unable[0] == 0;
}

/// What a rank has touched before its program's main runs: its image, a page each of its stack, control block
/// and heap, and the page table for them.
std::size_t least_memory(const image::Program& program) {
  std::size_t bytes = 4 * arena::page_bytes;
  for (const image::Program::Extent& extent : program.initial_pages()) bytes += extent.bytes;
  return bytes;
}

/// Else they would be made for minutes, until the system ends one process or another.
void require_memory(const image::Program& program, std::size_t ranks) {
  struct sysinfo machine {};
  if (sysinfo(&machine) != 0) return;
  const auto pes = static_cast<std::size_t>(net::world.pes);
  const std::size_t here = (ranks + pes - 1) / pes * net::world.node_pes.size();
  const std::size_t there_is = (machine.totalram + machine.totalswap) * machine.mem_unit;
  const std::size_t each = least_memory(program);
  if (here <= there_is / each) return;
  throw Error(
      format("%zu ranks are not possible: of the %s of memory of this node, each of its %zu would take %s "
             "before the "
             "program runs; use fewer ranks, or more nodes",
             ranks, size_text(there_is >> 30 << 30).c_str(), here, size_text(each).c_str()));
}

}  // namespace

void reserve_arena(const RunOptions& run, image::Program& program) {
  const auto ranks = static_cast<std::size_t>(run.ranks);
  arena::huge_pages_from = run.huge_pages_from;
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
        "--arena shared: the node's memory file cannot be made, or not be passed to all its PEs: see the "
        "line above; use "
        "--arena private");
  if (!all_can_map_code(program, ranks)) {
    if (net::world.pe == 0)
      SKEIN_LOG(verbose,
                "%zu ranks: mapped from its files, their code would take more mappings than the system has "
                "(vm.max_map_count), so each has a copy in its own memory",
                ranks);
    program.keep_code_in_slots();
    arena::executable = true;
  }
  require_memory(program, ranks);
  arena::executable_stacks = program.wants_executable_stacks();
  arena::reserve(layout, ranks, file >= 0 ? arena::Backing::node_shared : arena::Backing::private_pages,
                 file);
}

}  // namespace skein::launch
