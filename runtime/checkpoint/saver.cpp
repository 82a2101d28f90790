// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/saver.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "runtime/arena/arena.hpp"
#include "runtime/balance/lb_step.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/checkpoint/image_file.hpp"
#include "runtime/checkpoint/resizing.hpp"
#include "runtime/checkpoint/state_folder.hpp"
#include "runtime/image/program.hpp"
#include "runtime/move/mover.hpp"
#include "runtime/net/agree.hpp"
#include "runtime/net/job_clock.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/rank/job_guards.hpp"
#include "runtime/rank/rank.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::checkpoint {
namespace {

/// A step by the clock comes a little early or late.
constexpr double kSlack = 0.1;

std::string time_text() {
  const time_t now = time(nullptr);
  tm parts{};
  char text[32] = "";
  if (gmtime_r(&now, &parts)) strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

template <class F>
void for_ranks_here(F f) {
  for (std::size_t id = 0; id < pe::location->pe_of_rank.size(); ++id)
    if (pe::is_here(static_cast<int>(id))) f(rank_in_slot(static_cast<int>(id)));
}

/// Throws skein::Error if one cannot be saved.
void check_ranks() {
  for_ranks_here([](const Rank& rank) {
    if (const char* const because = move::unsaved_because(rank))
      throw Error(format("rank %d cannot be saved while %s", rank.id, because));
  });
}

/// While it lives, the rank is packed.
class Packed {
 public:
  explicit Packed(Rank& rank) : rank_(rank) {
    for (const arena::Range& range : move::pack(rank))
      runs_.push_back({reinterpret_cast<std::uint64_t>(range.begin), range.bytes});
  }
  ~Packed() { move::stay(rank_); }
  Packed(const Packed&) = delete;
  Packed& operator=(const Packed&) = delete;
  std::span<const Run> runs() const { return runs_; }

 private:
  Rank& rank_;
  std::vector<Run> runs_;
};

std::vector<SavedRank> write_images(const std::string& state, Form form, KnownPieces& known, bool lasting) {
  std::vector<SavedRank> saved;
  const std::string path = image_path(state, net::world.pe, form);
  known.begin(path);
  ImageWriter file(path, form, lasting ? &known : nullptr);
  for_ranks_here([&](Rank& rank) {
    const Packed packed(rank);
    SavedRank one{.rank = rank.id, .file = net::world.pe, .offset = file.offset(), .ended = rank.done};
    for (const Run& run : packed.runs()) one.bytes += run.bytes;
    one.stored = file.put(without_zero_pages(packed.runs()));
    saved.push_back(one);
  });
  file.finish(lasting);
  known.end();
  return saved;
}

/// Of all PEs, by rank; on PE 0. Collective.
std::vector<SavedRank> gather(const std::vector<SavedRank>& mine) {
  std::vector<SavedRank> all;
  net::gather_blocks(std::as_bytes(std::span(mine)), 0)
      .for_each([&](std::size_t, std::span<const std::byte> block) {
        const std::size_t before = all.size();
        all.resize(before + block.size() / sizeof(SavedRank));
        memcpy(&all[before], block.data(), block.size());
      });
  std::ranges::sort(all, {}, &SavedRank::rank);
  return all;
}

/// Collective: no rank has passed more.
std::uint64_t points_passed() {
  double points[] = {static_cast<double>(balance::last_point())};
  for_ranks_here(
      [&](const Rank& rank) { points[0] = std::max(points[0], static_cast<double>(rank.mpi->sync_points)); });
  net::max_of_all(points);
  return static_cast<std::uint64_t>(points[0]);
}

std::int64_t output_bytes() {
  struct stat status;
  if (fstat(STDOUT_FILENO, &status) != 0 || !S_ISREG(status.st_mode)) return -1;
  const bool appends = fcntl(STDOUT_FILENO, F_GETFL) & O_APPEND;
  return appends ? status.st_size : lseek(STDOUT_FILENO, 0, SEEK_CUR);
}

/// Returns what make_spare() does where images are plain.
std::string remove_older(const NewState& state, int keep, Form form) {
  try {
    if (form == Form::plain) return state.make_spare();
    state.remove_older(keep);
  } catch (const Error& error) {
    SKEIN_WARN("an older checkpoint is left: %s", error.what());
  }
  return "";
}

std::string_view name_in(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Throws skein::Error where the job's own states would make those of another one go away.
void take_folder(const std::string& folder, const std::string& program) {
  if (!hold_folder(folder))
    throw Error(folder + ": another job, which runs, writes its checkpoints there: name another folder");
  const std::string newest = newest_state(folder);
  if (newest.empty()) return;
  const std::string other = read_manifest(newest).program;
  if (name_in(other) != name_in(program))
    throw Error(
        format("%s: has checkpoints of another program, %s, which would go away: name another folder, or "
               "remove them",
               folder.c_str(), other.c_str()));
}

}  // namespace

Saver::Saver(std::vector<Place> places, JobOfStates job) : job_(std::move(job)) {
  net::together([&] {
    for (const Place& place : places)
      if (net::world.pe == 0 && place.lasting) take_folder(place.folder, job_.program);
  });
  for (Place& place : places) {
    const double next_s = seconds() + place.every_s;
    const Form form = place.lasting ? Form::compressed : Form::plain;
    places_.push_back({std::move(place), next_s, form, "", "", {}});
  }
}

bool Saver::save_if_due(bool now) {
  if (places_.empty()) return true;
  const bool signalled = take_signalled_wish();
  std::vector<std::uint64_t> due(places_.size());
  for (std::size_t i = 0; i < due.size(); ++i)
    due[i] = now || signalled || (net::world.pe == 0 && is_due(places_[i]));
  net::sum_polling(due);
  bool goes_on = true;
  failed_ = false;
  for (std::size_t i = 0; i < due.size(); ++i)
    if (due[i] > 0) goes_on &= save(places_[i]);
  if (failed_ && signalled) renew_signalled_wish();
  return goes_on;
}

bool Saver::is_due(const Watched& watched) {
  const Place& place = watched.place;
  return seconds() >= watched.next_s - kSlack * place.every_s || state_is_wanted(place.folder) ||
         (place.resizes && other_size_is_wanted(place.folder));
}

Manifest Saver::manifest() const {
  return {.number = 0,
          .saved_at = time_text(),
          .program = job_.program,
          .arguments = job_.arguments,
          .identity = job_.identity,
          .ranks = static_cast<int>(pe::location->pe_of_rank.size()),
          .pes = net::world.pes,
          .compressed = true,
          .slots = arena::reserved.layout,
          .code_inside = image::current_program()->has_code_in_slots(),
          .canary = job_guards.canary,
          .pointer_guard = job_guards.pointer,
          .descriptor_limit = job_.descriptor_limit,
          .first_process = job_.first_process,
          .environment = job_.environment,
          .generation = pe::location->placement_generation,
          .points = 0,
          .clock_s = net::job_seconds(),
          .output_bytes = output_bytes(),
          .images = {}};
}

/// Whether the job goes on on these PEs.
bool Saver::save(Watched& watched) {
  const double start = seconds();
  watched.next_s = start + watched.place.every_s;
  std::optional<NewState> state;  // on PE 0
  try {
    net::together(check_ranks);
    net::together([&] {
      if (net::world.pe == 0) state.emplace(watched.place.folder, std::exchange(watched.spare, ""));
    });
    const std::string path = net::broadcast_text(state ? state->path() : "", 0);
    std::vector<SavedRank> mine;
    // Where plain images do not fit, compressed ones may.
    const Form form = std::exchange(watched.form, Form::compressed);
    net::together([&] { mine = write_images(path, form, watched.known, watched.place.lasting); });
    watched.form = form;
    Manifest whole = manifest();
    whole.compressed = form == Form::compressed;
    whole.points = points_passed();
    whole.images = gather(mine);
    net::together([&] {
      if (net::world.pe != 0) return;
      whole.number = state->number();
      state->publish(whole, watched.place.lasting);
      SKEIN_LOG(verbose, "checkpoint %llu in %s, in %.3f s", static_cast<unsigned long long>(whole.number),
                watched.place.folder.c_str(), seconds() - start);
    });
    std::uint64_t number = state ? state->number() : 0;
    net::broadcast(&number, sizeof number, 0);
    watched.known.keep(number, image_path(valid_path(watched.place.folder, number), net::world.pe, form));
    if (state) {
      watched.spare = remove_older(*state, watched.place.keep, form);
      want_no_state(watched.place.folder);
    }
    watched.told.clear();
    std::uint64_t ends[] = {state && watched.place.resizes && obey_size(watched.place.folder)};
    net::sum_polling(ends);
    return ends[0] == 0;
  } catch (const Error& error) {
    if (state) state->drop();
    if (net::world.pe == 0 && watched.told != error.what())
      SKEIN_WARN("no checkpoint in %s: %s; the one before it stays valid, if there is one",
                 watched.place.folder.c_str(), error.what());
    watched.told = error.what();
    failed_ = true;
    return true;
  }
}

}  // namespace skein::checkpoint
