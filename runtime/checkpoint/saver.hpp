// SPDX-License-Identifier: Apache-2.0
// Writes states of a job, at LB steps: there all ranks or elements have stopped and no message is under way,
// so the images of these are all that there is of the job.
#pragma once

#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "runtime/checkpoint/identity.hpp"
#include "runtime/checkpoint/images.hpp"
#include "runtime/checkpoint/machines.hpp"
#include "runtime/checkpoint/state_folder.hpp"

namespace skein::checkpoint {

/// Where states go, and how often.
struct Place {
  std::string folder;  ///< of this PE's machine
  double every_s = 0;
  int keep = 1;          ///< so many states, the newest
  bool lasting = false;  ///< they are to outlast a failure of the machine
  bool resizes = false;  ///< whoever started the job says there how many PEs it is to have: resizing.hpp
  Machines machines;     ///< that have folders of their own
};

/// What all states of the job have in common.
struct JobOfStates {
  std::string program;
  std::vector<std::string> arguments;
  Identity identity;
  std::unique_ptr<Content> content;
};

class Saver {
 public:
  /// On all PEs alike. Throws one skein::Error on all PEs where another job writes into one of the places, or
  /// has left its states there.
  Saver(std::vector<Place> places, JobOfStates job);

  /// Behind an LB step, on all PEs, from their own stacks: writes a state wherever one is due, or `now`, on
  /// all PEs alike. A lasting one is copied here, and written into files and made valid by threads, while
  /// ranks go on; the next one waits for it. One that is written `now` is valid when this returns. One that
  /// cannot be written is told of on standard error, where it is noticed: here or behind a later step; and
  /// the one before it stays valid. Returns false, on all PEs, where the job is to go on on other PEs: then
  /// these are to end.
  [[nodiscard]] bool save_if_due(bool now);
  /// Whether one of those that were due last could not be written, as far as that was noticed, or has to
  /// wait.
  bool failed() const { return failed_; }

  /// Waits for what threads still write, and tells of it. Collective, when no rank runs any more. Nothing is
  /// left in the memory of a machine that the job does not go on on, but what the starter looks after.
  void finish();

 private:
  /// A state on its way into files.
  struct UnderWay {
    std::uint64_t number;
    std::future<void> images{};      // of this PE, until they are found to be there
    std::future<void> whole{};       // on PE 0: the state, which gets valid once all images are there
    std::stop_source is_hopeless{};  // they will not be
    std::string failure{};           // of this PE's part
    void look_for_images();
  };
  struct Watched {
    Place place;
    double next_s;                    // by seconds() of PE 0
    Form form;                        // of images
    std::string told{}, spare{};      // spare: make_spare()'s, on the keeper of the folder
    std::optional<NewState> state{};  // that is being written, on the keeper
    std::optional<UnderWay>
        under_way{};  // on all PEs alike; `known`, `copies` and `state` are the threads' then
    KnownPieces known{};
    PageCopies copies{};
    MappedFile in_memory{}, before_in_memory{};  // of plain images: of the last state, and of that before
    bool told_of_stop = false;
    bool is_keeper() const;
  };
  static bool is_due(const Watched& watched);
  bool save(Watched& watched);
  bool write_here(Watched& watched, std::uint64_t number, double start);
  static void make_valid_everywhere(Watched& watched, const Manifest& whole, double start);
  void write_beside(Watched& watched, std::uint64_t number, double start);
  void write_images_beside(Watched& watched);
  void conclude(Watched& watched);
  void give_up(Watched& watched, const std::string& why);
  static void end_under_way(Watched& watched);
  Manifest manifest(std::uint64_t number, Form form) const;

  std::deque<Watched> places_;
  JobOfStates job_;
  bool failed_ = false;
  int next_pes_ = 0;  // the job goes on on so many; 0: it does not end for that
};

}  // namespace skein::checkpoint
