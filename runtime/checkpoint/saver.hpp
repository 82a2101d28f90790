// SPDX-License-Identifier: Apache-2.0
// Writes states of a job at LB steps. There all ranks or elements have stopped and no message is under way,
// so their images are the whole state of the job.
#pragma once

#include <array>
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

/// A folder for states, and how often they are written there.
struct Place {
  std::string folder;  ///< on this PE's machine
  double every_s = 0;
  int keep = 1;          ///< number of newest states that are kept
  bool lasting = false;  ///< states outlast a failure of the machine
  bool resizes = false;  ///< the starter of the job requests its number of PEs there: resizing.hpp
  Machines machines;     ///< machines with folders of their own
};

/// The facts that all states of a job have in common.
struct JobOfStates {
  std::string program;
  std::vector<std::string> arguments;
  Identity identity;
  std::unique_ptr<Content> content;
};

class Saver {
 public:
  /// Collective, with the same arguments. Throws one skein::Error on all PEs if another job writes into one
  /// of the places, or has left its states there.
  Saver(std::vector<Place> places, JobOfStates job);

  /// Writes a state to each place where one is due, or to all places if `now`, which is the same on all PEs.
  /// Called after an LB step, on all PEs, from their own stacks. A lasting state is copied here; threads
  /// write it into files and make it valid while ranks continue, and the next state waits for it. A state
  /// that is written `now` is valid when this returns. If a state cannot be written, prints so to standard
  /// error, here or after a later step, and the state before it stays valid. Returns false, on all PEs, if
  /// the job is to continue on other PEs: then these are to end.
  [[nodiscard]] bool save_if_due(bool now);
  /// Returns true if one of the states that were due last has to wait, or is known to have failed.
  bool failed() const { return failed_; }

  /// Waits for threads that still write, and reports their failures. Collective, when no rank runs any more.
  /// Empties the memory of machines on which the job does not continue, except the starter's folder.
  void finish();

 private:
  /// A state on its way into files.
  struct UnderWay {
    std::uint64_t number;
    std::future<void> images{};      // this PE's images, until look_for_images() finds them written
    std::future<void> whole{};       // on PE 0: becomes ready when the state is valid
    std::stop_source is_hopeless{};  // some images will be missing
    std::string failure{};           // why this PE's part failed
    void look_for_images();
  };
  struct Watched {
    Place place;
    double next_s;                    // when the next state is due, by seconds() of PE 0
    Form form;                        // of images
    std::string told{}, spare{};      // told: last reported failure; spare: from make_spare(), on the keeper
    std::optional<NewState> state{};  // the state that is being written, on the keeper
    std::optional<UnderWay>
        under_way{};  // the same on all PEs; threads then own `known`, `copies` and `state`
    KnownPieces known{};
    PageCopies copies{};
    std::array<MappedFile, 2> in_memory{};  // plain images, of states of even and of odd numbers
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
  int next_pes_ = 0;  // number of PEs on which the job is to continue; 0: on these
};

}  // namespace skein::checkpoint
