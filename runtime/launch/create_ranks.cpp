// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch/create_ranks.hpp"

#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "runtime/arena/arena.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/base/texts.hpp"
#include "runtime/image/start.hpp"
#include "runtime/libc/process.hpp"
#include "runtime/net/descriptor_channel.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/pe/pe_loop.hpp"
#include "runtime/rank/rank.hpp"
#include "runtime/rank/scheduler.hpp"
#include "runtime/vmpi/running.hpp"

namespace skein::launch {
namespace {

void create_rank(std::size_t slot, image::Program& program, std::span<const char* const> arguments) {
  program.instantiate(slot);
  Rank& rank = *new (arena::control_address(slot)) Rank;
  rank.id = static_cast<int>(slot);
  rank.heap.initialise(arena::heap_address(slot), arena::slot_address(slot + 1));
  rank.tls_copy = program.tls_copy(slot);
  libc::create_process_state(rank, arguments);
  vmpi::create_rank_state(rank);
  prepare_main_fiber(rank, image::run_program);
  pe::add_rank(rank.id);
}

/// Appends the pages that a rank touches before its program's main does: the first page of its stack, the
/// control block, what the image writes, and the heap's first `heap_bytes`.
void append_initial_pages(std::size_t slot, const image::Program& program, std::size_t heap_bytes,
                          std::vector<arena::Range>& out) {
  std::byte* const image = image::image_base(slot);
  std::byte* const stack =
      arena::contents_address(slot) + arena::reserved.layout.control_offset - arena::kPageBytes;
  out.push_back({stack, static_cast<std::size_t>(image - stack)});
  for (const image::Program::Extent& extent : program.initial_pages())
    out.push_back({image + extent.offset, extent.bytes});
  arena::Range& last = out.back();
  std::byte* const heap_end = arena::heap_address(slot) + heap_bytes;
  while (last.begin + last.bytes < heap_end) last.bytes += arena::kPageBytes;
}

/// Creates ranks. `heap_bytes`: how many a rank touches before its main, as far as known; measured here.
void create_ranks(std::span<const std::size_t> slots, image::Program& program,
                  std::span<const char* const> arguments, std::size_t& heap_bytes) {
  std::vector<arena::Range> pages;
  for (const std::size_t slot : slots) append_initial_pages(slot, program, heap_bytes, pages);
  arena::provide_pages(pages);
  for (const std::size_t slot : slots) create_rank(slot, program, arguments);
  const arena::Heap& heap = rank_in_slot(static_cast<int>(slots.front())).heap;
  heap_bytes = static_cast<std::size_t>(heap.top() - heap.begin());
}

}  // namespace

void create_ranks(const RunOptions& run, image::Program& program) {
  constexpr std::size_t at_once = 64;  // few, so that their pages are still in the cache when they are filled
  std::vector<const char*> arguments{run.program.c_str()};
  for (const std::string& word : run.args) arguments.push_back(word.c_str());
  std::vector<std::size_t> slots;
  for (int id = 0; id < run.ranks; ++id)
    if (pe::is_here(id)) slots.push_back(static_cast<std::size_t>(id));
  program.map_text(slots);
  arena::install_guards(slots);
  std::size_t heap_bytes = 1;
  for (std::span<const std::size_t> left = slots; !left.empty();) {
    const std::size_t count = std::min(left.size(), at_once);
    create_ranks(left.first(count), program, arguments, heap_bytes);
    left = left.subspan(count);
  }
}

namespace {

constexpr int kLongestNumber = 16;

std::vector<int> read_map(const RunOptions& run) {
  std::ifstream file(run.map_file);
  const std::string name = named_by(run, "--map");
  if (!file) throw Error(format("%s: the file %s cannot be read", name.c_str(), run.map_file.c_str()));
  std::vector<int> pe_of;
  // Some files have neither an end nor blanks.
  for (std::string word; std::ssize(pe_of) <= run.ranks && file >> std::setw(kLongestNumber) >> word;) {
    int pe = -1;
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, pe);
    if (error != std::errc() || stop != end || pe < 0 || pe >= run.pes)
      throw Error(format("%s: %s sends rank %zu to PE '%s', but there are PEs 0 to %d (-p)", name.c_str(),
                         run.map_file.c_str(), pe_of.size(), word.c_str(), run.pes - 1));
    if (pe >= run.computing_pes())
      throw Error(
          format("%s: %s sends rank %zu to PE %d, which only decides: ranks can be on PEs 0 to %d "
                 "(--lb-mode)",
                 name.c_str(), run.map_file.c_str(), pe_of.size(), pe, run.computing_pes() - 1));
    pe_of.push_back(pe);
  }
  if (std::ssize(pe_of) != run.ranks)
    throw Error(
        format("%s: %s has %s%zu PE numbers, but there are %d ranks (-n): one number a rank, separated by "
               "blanks or line ends",
               name.c_str(), run.map_file.c_str(), std::ssize(pe_of) > run.ranks ? "at least " : "",
               pe_of.size(), run.ranks));
  return pe_of;
}

}  // namespace

std::vector<int> initial_placement(const RunOptions& run) {
  if (run.map == Map::file) return read_map(run);
  std::vector<int> pe_of(static_cast<std::size_t>(run.ranks));
  for (int rank = 0; rank < run.ranks; ++rank) {
    // Blocks differ by one rank at most, the larger ones first.
    const int pes = run.computing_pes();
    const auto block = static_cast<long>(rank) * pes / run.ranks;
    pe_of[static_cast<std::size_t>(rank)] = run.map == Map::block ? static_cast<int>(block) : rank % pes;
  }
  return pe_of;
}

namespace {

constexpr std::size_t kDefaultStackBytes = std::size_t{8} << 20;

constexpr int kMemoryFileKey = -2;  // the descriptor channel's key; no rank has it

/// Returns the memory file of this node, which its first PE makes and passes to the others. -1 if it cannot
/// be shared.
int node_memory_file(std::size_t bytes) {
  if (!net::can_pass_descriptors()) return -1;
  std::array descriptor = {-1};
  if (net::world.node_pe == 0) {
    try {
      descriptor[0] = arena::create_memory_file(bytes);
    } catch (const Error& error) {
      SKEIN_WARN("%s", error.what());  // all PEs still have to agree that there is none
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
      if (pe != net::world.pe) net::pass_descriptors(pe, kMemoryFileKey, descriptor);
  net::arrive_descriptors();
  return net::world.node_pe == 0 ? descriptor[0] : net::take_descriptors(kMemoryFileKey, 1)[0];
}

/// Returns true if each PE can map the code of its share of the ranks. Collective.
bool all_can_map_code(const image::Program& program, std::size_t ranks) {
  const auto pes = static_cast<std::size_t>(net::world.pes);
  std::uint64_t unable[] = {!program.can_map_code((ranks + pes - 1) / pes)};
  net::sum_polling(unable);
  return unable[0] == 0;
}

/// Returns the memory that a rank has touched before its program's main runs: its image, a page each of its
/// stack, control block and heap, and the page table for them.
std::size_t least_memory(const image::Program& program) {
  std::size_t bytes = 4 * arena::kPageBytes;
  for (const image::Program::Extent& extent : program.initial_pages()) bytes += extent.bytes;
  return bytes;
}

/// Fails early if memory is short: otherwise creating ranks takes minutes, until the system ends one process
/// or another.
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
             "before the program runs; use fewer ranks, or more nodes",
             ranks, size_text(there_is >> 30 << 30).c_str(), here, size_text(each).c_str()));
}

/// Returns true if no security policy forbids to write code.
bool code_may_be_written(int file) {
  const int flags = file >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
  void* const page = mmap(nullptr, arena::kPageBytes, PROT_READ | PROT_WRITE | PROT_EXEC, flags, file, 0);
  if (page != MAP_FAILED) munmap(page, arena::kPageBytes);
  return page != MAP_FAILED;
}

}  // namespace

void reserve_arena(const RunOptions& run, image::Program& program, bool code_inside) {
  const auto ranks = static_cast<std::size_t>(run.ranks);
  arena::reserved.huge_pages_from = run.huge_pages_from;
  const std::size_t slot_bytes = run.slot_bytes ? run.slot_bytes : arena::default_slot_bytes(ranks);
  const std::size_t stack_bytes = run.stack_bytes ? run.stack_bytes : kDefaultStackBytes;
  const arena::SlotLayout layout =
      arena::make_layout(slot_bytes, stack_bytes, sizeof(Rank) + arena::kColourRoom, program.image_bytes(),
                         program.image_alignment());
  int file = -1;
  // If each PE is alone on its node, none can hand slots over.
  const bool useful = net::world.pes > net::world.nodes;
  if (run.arena == ArenaChoice::shared || (run.arena == ArenaChoice::automatic && useful))
    file = node_memory_file(layout.slot_bytes * ranks);
  if (file < 0 && run.arena == ArenaChoice::shared)
    throw Error(
        "--arena shared: the node's memory file cannot be made, or not be passed to all its PEs: see the "
        "line above; use --arena private");
  if (!code_inside && !all_can_map_code(program, ranks)) {
    if (net::world.pe == 0)
      SKEIN_LOG(verbose,
                "%zu ranks: to map their code from its files would take more mappings than the system allows "
                "(vm.max_map_count), so each rank has a copy of it in its own memory",
                ranks);
    code_inside = true;
  }
  if (code_inside) program.keep_code_in_slots();
  arena::reserved.executable = code_inside || (program.builds_code() && code_may_be_written(file));
  require_memory(program, ranks);
  arena::reserved.executable_stacks = program.wants_executable_stacks();
  arena::reserve(layout, ranks, file >= 0 ? arena::Backing::node_shared : arena::Backing::private_pages,
                 file);
}

}  // namespace skein::launch
