// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/saver.hpp"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <exception>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

#include "runtime/base/background.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/free_memory.hpp"
#include "runtime/base/log.hpp"
#include "runtime/base/standard_output.hpp"
#include "runtime/checkpoint/partner_copies.hpp"
#include "runtime/checkpoint/resizing.hpp"
#include "runtime/net/agree.hpp"
#include "runtime/net/job_clock.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::checkpoint {
namespace {

/// Part of the period by which a state may come early, since LB steps by the clock are not exact.
constexpr double kSlack = 0.1;
/// Niceness of writing threads: a rank that computes on the same core gets about nine tenths of it.
constexpr int kNice = 10;

std::string time_text() {
  const time_t now = time(nullptr);
  tm parts{};
  char text[32] = "";
  if (gmtime_r(&now, &parts)) strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

/// Returns the images of all PEs, sorted by rank, on PE 0. Collective.
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

/// Removes older states. For plain images returns the spare folder from make_spare().
std::string remove_older(const NewState& state, int keep, Form form) {
  try {
    if (form == Form::plain) return state.make_spare();
    state.remove_older(keep);
  } catch (const Error& error) {
    SKEIN_WARN("an older checkpoint is left: %s", error.what());
  }
  return "";
}

/// Writes the manifest of a state whose images are all written. Returns the spare folder from remove_older().
/// Throws skein::Error.
std::string make_valid(NewState& state, const Manifest& whole, const Place& place, double start) {
  state.publish(whole, place.lasting);
  SKEIN_LOG(verbose, "checkpoint %llu in %s, in %.3f s", static_cast<unsigned long long>(whole.number),
            place.folder.c_str(), seconds() - start);
  std::string spare = remove_older(state, place.keep, form_of(whole));
  end_grant(place.folder, true);
  return spare;
}

/// Returns the number of PEs on which the job is to continue, or 0, on PE 0. Refuses a number if the
/// remaining machines would not have all images of the state.
std::uint64_t next_size(const Place& place) {
  const int pes = wanted_size(place.folder);
  if (pes == 0) return 0;
  if (have_all(place.machines, pes)) return obey_size(place.folder) ? static_cast<std::uint64_t>(pes) : 0;
  refuse_size(place.folder);
  SKEIN_WARN(
      "the job does not go on on %d PEs: two machines at least would have none, and a state is in the memory "
      "of all; shrink it in steps, by one machine each",
      pes);
  return 0;
}

/// Waits for the reports of all PEs. Returns their images, sorted by rank. Throws skein::Error if a report
/// will not come.
std::vector<SavedRank> await_reports(const std::string& state, int pes, const std::stop_token& is_hopeless) {
  constexpr timespec kNap{.tv_sec = 0, .tv_nsec = 5'000'000};
  std::vector<SavedRank> all;
  for (int pe = 0; pe < pes;) {
    if (const auto images = take_report(state, pe)) {
      all.insert(all.end(), images->begin(), images->end());
      ++pe;
    } else if (is_hopeless.stop_requested()) {
      throw Error(format("%s: PE %d has not written its ranks", state.c_str(), pe));
    } else {
      nanosleep(&kNap, nullptr);
    }
  }
  std::ranges::sort(all, {}, &SavedRank::rank);
  return all;
}

std::string_view name_in(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Calls `f`, and stores the text of an exception in `failure`.
template <class F>
void note_failure(std::string& failure, F f) {
  try {
    f();
  } catch (const std::exception& error) {
    failure = error.what();
  }
}

/// Holds the folder for this job. Throws skein::Error if its states would replace those of another job.
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
    // Threads write there, while the working directory is that of the running rank.
    place.folder = std::filesystem::absolute(place.folder);
    places_.emplace_back(std::move(place), next_s, form);
  }
}

bool Saver::save_if_due(bool now) {
  constexpr std::size_t kWords = 3;
  if (places_.empty()) return true;
  const bool signalled = take_signalled_wish();
  std::vector<std::uint64_t> sums;
  for (Watched& watched : places_) {
    std::optional<UnderWay>& under_way = watched.under_way;
    if (under_way) under_way->look_for_images();
    const bool is_wanted = now || signalled || (watched.is_keeper() && is_due(watched));
    const bool at_work =
        under_way && (under_way->images.valid() || (under_way->whole.valid() && !is_done(under_way->whole)));
    const bool failed = under_way && !under_way->failure.empty();
    for (const bool each : {is_wanted, at_work, failed}) sums.push_back(each);
  }
  net::sum_polling(sums);
  bool goes_on = true, all_written = true;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    Watched& watched = places_[i];
    const std::uint64_t due = sums[i * kWords], at_work = sums[i * kWords + 1], failed = sums[i * kWords + 2];
    if (watched.under_way && failed > 0) watched.under_way->is_hopeless.request_stop();
    if (watched.under_way && (now || at_work == 0)) conclude(watched);
    if (due == 0) continue;
    failed_ = watched.under_way.has_value();
    if (!failed_) goes_on &= save(watched);
    if (now && watched.under_way) conclude(watched);
    all_written &= !failed_;
  }
  failed_ = !all_written;
  if (failed_ && signalled) renew_signalled_wish();
  return goes_on;
}

void Saver::finish() {
  for (Watched& watched : places_)
    if (watched.under_way) conclude(watched);
  for (const Watched& watched : places_) {
    std::error_code error;
    if (!watched.place.lasting && watched.is_keeper() && net::world.pe != 0 && net::world.pe >= next_pes_)
      std::filesystem::remove_all(watched.place.folder, error);
  }
}

bool Saver::Watched::is_keeper() const { return place.machines.is_keeper(net::world.pe); }

void Saver::UnderWay::look_for_images() {
  if (images.valid() && is_done(images)) note_failure(failure, [this] { images.get(); });
}

bool Saver::is_due(const Watched& watched) {
  const Place& place = watched.place;
  return seconds() >= watched.next_s - kSlack * place.every_s || state_is_wanted(place.folder) ||
         (place.resizes && other_size_is_wanted(place.folder));
}

/// Returns the manifest, without images. Collective, after the ranks' standard output is flushed.
Manifest Saver::manifest(std::uint64_t number, Form form) const {
  Manifest manifest;
  manifest.number = number;
  manifest.saved_at = time_text();
  manifest.program = job_.program;
  manifest.arguments = job_.arguments;
  manifest.identity = job_.identity;
  manifest.pes = net::world.pes;
  manifest.compressed = form == Form::compressed;
  manifest.clock_s = net::job_seconds();
  manifest.output_bytes = output_bytes();
  job_.content->describe(manifest);
  return manifest;
}

/// Writes a state. Returns true if the job continues on these PEs.
bool Saver::save(Watched& watched) {
  const double start = seconds();
  const Place& place = watched.place;
  watched.next_s = start + place.every_s;
  try {
    net::together([&] { job_.content->check(); });
    const auto begin = [&](std::uint64_t number) {
      watched.state.emplace(place.folder, std::exchange(watched.spare, ""), number);
      grant_state(place.folder);
    };
    net::together([&] {
      if (net::world.pe == 0) begin(0);
    });
    std::uint64_t number = watched.state ? watched.state->number() : 0;
    net::broadcast(&number, sizeof number, 0);
    net::together([&] {
      if (watched.is_keeper() && net::world.pe != 0) begin(number);
    });
    if (!place.lasting) return write_here(watched, number, start);
    write_beside(watched, number, start);
  } catch (const Error& error) {
    give_up(watched, error.what());
  }
  return true;
}

bool Saver::write_here(Watched& watched, std::uint64_t number, double start) {
  const Place& place = watched.place;
  std::vector<SavedRank> mine;
  // If plain images do not fit, compressed ones may.
  const Form form = std::exchange(watched.form, Form::compressed);
  net::together([&] {
    const std::unique_ptr<Packed> packed = job_.content->pack();
    const std::string path = image_path(writing_path(place.folder, number), net::world.pe, form);
    if (form == Form::plain) {
      mine = write_plain_images(path, packed->images, watched.in_memory[number % 2]);
    } else {
      KnownPieces none;
      leave_zero_pages_out(packed->images);
      mine = write_lasting_images(path, packed->images, none);
    }
  });
  copy_to_partners(writing_path(place.folder, number), form, place.machines);
  watched.form = form;
  Manifest whole = manifest(number, form);
  whole.images = gather(mine);
  make_valid_everywhere(watched, whole, start);
  watched.state.reset();
  watched.told.clear();
  std::uint64_t next[] = {net::world.pe == 0 && place.resizes ? next_size(place) : 0};
  net::sum_polling(next);
  next_pes_ = static_cast<int>(next[0]);
  return next_pes_ == 0;
}

/// Makes a state valid on all machines. `whole`: the manifest on PE 0. The folder of PE 0 decides if a state
/// is valid, so it follows when the other machines have their parts, and before they remove the state before.
void Saver::make_valid_everywhere(Watched& watched, const Manifest& whole, double start) {
  const Place& place = watched.place;
  const bool is_other_keeper = watched.is_keeper() && net::world.pe != 0;
  if (place.machines.count() > 1) {
    const std::string text = net::broadcast_text(as_json(whole), 0);
    net::together([&] {
      if (is_other_keeper) watched.state->publish(from_json(text, place.folder), false);
    });
  }
  net::together([&] {
    if (net::world.pe == 0) watched.spare = make_valid(*watched.state, whole, place, start);
  });
  if (!is_other_keeper) return;
  watched.spare = remove_older(*watched.state, place.keep, form_of(whole));
  end_grant(place.folder, true);
}

/// Begins to write a lasting state, by threads. Notes failures in `under_way`.
void Saver::write_beside(Watched& watched, std::uint64_t number, double start) {
  UnderWay& under_way = watched.under_way.emplace(number);
  note_failure(under_way.failure, [&] { write_images_beside(watched); });
  Manifest whole = manifest(number, Form::compressed);
  SKEIN_LOG(verbose, "checkpoint %llu in %s: the job stood still for %.3f s",
            static_cast<unsigned long long>(number), watched.place.folder.c_str(), seconds() - start);
  if (net::world.pe != 0) return;
  note_failure(under_way.failure, [&] {
    under_way.whole = in_background(
        kNice, [&state = *watched.state, place = watched.place, start,
                is_hopeless = under_way.is_hopeless.get_token(), whole = std::move(whole)]() mutable {
          whole.images = await_reports(state.path(), whole.pes, is_hopeless);
          (void)make_valid(state, whole, place, start);
        });
  });
}

/// Writes this PE's images by a thread, from copies; without room for copies, writes them before it returns.
void Saver::write_images_beside(Watched& watched) {
  const std::unique_ptr<Packed> packed = job_.content->pack();
  leave_zero_pages_out(packed->images);
  const std::uint64_t bytes = bytes_of(packed->images);
  const bool copied =
      watched.copies.begin(bytes, free_memory() / static_cast<unsigned>(net::world.machine_pes));
  if (copied) copy_images(packed->images, watched.copies);
  const auto write = [state = writing_path(watched.place.folder, watched.under_way->number),
                      images = std::move(packed->images), &known = watched.known] {
    const std::string path = image_path(state, net::world.pe, Form::compressed);
    report_images(state, net::world.pe, write_lasting_images(path, images, known));
  };
  if (copied) {
    watched.under_way->images = in_background(kNice, write);
    return;
  }
  if (!std::exchange(watched.told_of_stop, true))
    SKEIN_WARN(
        "checkpoints in %s are written while the ranks stand still: no memory is left for a copy of %llu MiB",
        watched.place.folder.c_str(), static_cast<unsigned long long>(bytes >> 20));
  write();
}

/// Waits for the state under way, and reports its result. Collective.
void Saver::conclude(Watched& watched) {
  UnderWay& under_way = *watched.under_way;
  try {
    net::together([&] {
      if (under_way.images.valid()) under_way.images.get();
      if (!under_way.failure.empty()) throw Error(under_way.failure);
    });
    net::together([&] {
      if (under_way.whole.valid()) under_way.whole.get();
    });
    watched.known.keep(under_way.number, image_path(valid_path(watched.place.folder, under_way.number),
                                                    net::world.pe, Form::compressed));
    watched.told.clear();
    watched.state.reset();
    end_under_way(watched);
  } catch (const Error& error) {
    give_up(watched, error.what());
  }
}

void Saver::give_up(Watched& watched, const std::string& why) {
  failed_ = true;
  end_under_way(watched);
  for (MappedFile& file : watched.in_memory) file.close();  // frees their memory
  if (watched.state) {
    watched.state->drop();
    end_grant(watched.place.folder, false);
  }
  watched.state.reset();
  if (net::world.pe == 0 && watched.told != why)
    SKEIN_WARN("no checkpoint in %s: %s; the one before it stays valid, if there is one",
               watched.place.folder.c_str(), why.c_str());
  watched.told = why;
}

void Saver::end_under_way(Watched& watched) {
  if (!watched.under_way) return;
  watched.under_way->is_hopeless.request_stop();
  watched.under_way.reset();
  watched.copies.end();
}

}  // namespace skein::checkpoint
