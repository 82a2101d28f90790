// SPDX-License-Identifier: Apache-2.0
// Writes states of a job of ranks, at LB steps: there all ranks have stopped and no message is under way, so
// the images of the ranks are all that there is of the job.
#pragma once

#include <string>
#include <vector>

#include "runtime/checkpoint/identity.hpp"
#include "runtime/checkpoint/image_file.hpp"
#include "runtime/checkpoint/manifest.hpp"

namespace skein::checkpoint {

/// Where states go, and how often.
struct Place {
  std::string folder;
  double every_s = 0;
  int keep = 1;          ///< so many states, the newest
  bool lasting = false;  ///< they are to outlast a failure of the machine
  bool resizes = false;  ///< whoever started the job says there how many PEs it is to have: resizing.hpp
};

/// What all states of the job have in common.
struct JobOfStates {
  std::string program;
  std::vector<std::string> arguments;
  Identity identity;
  int descriptor_limit = 0;
  int first_process = 0;
  std::string environment;
};

class Saver {
 public:
  /// On all PEs alike, when the arena is reserved and the guards of the job are drawn. Throws one
  /// skein::Error on all PEs where another job writes into one of the places, or has left its states there.
  Saver(std::vector<Place> places, JobOfStates job);

  /// Behind an LB step, on all PEs, from their own stacks: writes a state wherever one is due, or `now`. One
  /// that cannot be written is told of on standard error, and the one before it stays valid. Returns false,
  /// on all PEs, where the job is to go on on other PEs: then these are to end.
  [[nodiscard]] bool save_if_due(bool now);
  /// Whether one of those that were due last could not be written.
  bool failed() const { return failed_; }

 private:
  struct Watched {
    Place place;
    double next_s;            // by seconds() of PE 0
    Form form;                // of images
    std::string told, spare;  // spare: make_spare()'s, on PE 0
    KnownPieces known;        // of files
  };
  static bool is_due(const Watched& watched);
  bool save(Watched& watched);
  Manifest manifest() const;

  std::vector<Watched> places_;
  JobOfStates job_;
  bool failed_ = false;
};

}  // namespace skein::checkpoint
