// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/restart.hpp"

#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "runtime/arena/arena.hpp"
#include "runtime/balance/lb_step.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/checkpoint/image_file.hpp"
#include "runtime/checkpoint/state_folder.hpp"
#include "runtime/image/program.hpp"
#include "runtime/move/mover.hpp"
#include "runtime/net/agree.hpp"
#include "runtime/net/job_clock.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/pe/pe_loop.hpp"
#include "runtime/rank/rank.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::checkpoint {
namespace {

/// Throws skein::Error unless the run is whole pages of the slot.
void check_run(const Run& run, std::size_t slot, const std::string& state) {
  const auto begin = reinterpret_cast<std::uint64_t>(arena::slot_address(slot));
  const std::uint64_t bytes = arena::reserved.layout.slot_bytes;
  const bool fits = run.address >= begin && run.address - begin < bytes &&
                    run.bytes <= bytes - (run.address - begin) &&
                    (run.address | run.bytes) % arena::kPageBytes == 0;
  if (!fits)
    throw Error(format("%s: is damaged: the image of rank %zu has pages that are not in its slot",
                       state.c_str(), slot));
}

void fill_slot(const State& state, const SavedRank& saved, ImageReader& file) {
  for (const Run& run : file.begin(saved.offset, saved.stored)) {
    check_run(run, static_cast<std::size_t>(saved.rank), state.path);
    file.take({reinterpret_cast<std::byte*>(run.address), run.bytes});
  }
  file.end();
}

/// Sets the job's clock forward to `at_s`. Collective.
void continue_clock(double at_s) {
  double by = at_s - net::job_seconds();
  net::broadcast(&by, sizeof by, 0);
  net::job_clock.set_forward += by;
  net::job_clock.offset += by;
}

/// Forgets the PEs of the old job that held back messages for the rank.
void forget_pes(Rank& rank) {
  rank.mpi->pes_held_back.clear();  // in this job none holds any back
}

}  // namespace

State open_state_of_ranks(const std::string& path, const Identity& here) {
  return open_state(path, [&](const Manifest& saved) {
    return saved.native ? "it is of a native program, and this is one of MPI ranks"
                        : difference(saved.identity, here);
  });
}

void check_slots(const State& state) {
  const Manifest& was = state.manifest;
  if (was.slots == arena::reserved.layout && was.code_inside == image::current_program()->has_code_in_slots())
    return;
  throw Error(
      format("%s: cannot go on here: the slots of ranks are laid out otherwise than then; is it another "
             "build of Skein, or are options about memory other ones?",
             state.path.c_str()));
}

void bring_back(const State& state) {
  const double start = seconds();
  int live = 0;
  net::together([&] {
    const Form form = form_of(state.manifest);
    std::map<int, std::unique_ptr<ImageReader>> files;
    for (const SavedRank& saved : state.manifest.images) {
      if (!pe::is_here(saved.rank)) continue;
      std::unique_ptr<ImageReader>& file = files[saved.file];
      if (!file) file = std::make_unique<ImageReader>(image_path(state.path, saved.file, form), form);
      fill_slot(state, saved, *file);
      move::come_from_file(saved.rank);
      forget_pes(rank_in_slot(saved.rank));
      live += !saved.ended;
    }
  });
  pe::location->placement_generation = state.manifest.generation + 1;
  continue_clock(state.manifest.clock_s);
  balance::begin_behind(state.manifest.points);
  pe::go_on_behind_step(live);
  if (net::world.pe == 0)
    SKEIN_LOG(verbose, "goes on from %s, read in %.3f s", state.path.c_str(), seconds() - start);
}

}  // namespace skein::checkpoint
