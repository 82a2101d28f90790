// SPDX-License-Identifier: Apache-2.0
// The port for algorithms without data: an algorithm that runs on it leaves a list of its steps, in bytes.
//
// The list of an alltoall or a ring has as many steps as there are ranks, and a simulation has as many lists
// as ranks. So a list may be made in pieces: the algorithm then runs once for each piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory_resource>
#include <utility>

namespace skein::collectives {

using Bytes = std::uint64_t;

struct Step {
  enum class Kind : std::uint8_t {
    send,     // starts
    receive,  // starts
    wait,     // waits for all steps that started since the last wait
  };
  Kind kind = Kind::wait;
  int peer = 0;  // rank
  Bytes bytes = 0;
  bool operator==(const Step&) const = default;
};

class Steps {
 public:
  using Part = Bytes;

  /// `most`: the greatest number of steps in a piece of the list.
  Steps(int rank, int size, bool is_crowded,
        std::pmr::memory_resource* memory = std::pmr::get_default_resource(),
        std::size_t most = std::numeric_limits<std::size_t>::max())
      : rank_(rank), size_(size), is_crowded_(is_crowded), most_(most), room_(most), list_(memory) {}

  /// Returns the list, or the piece of it that the last run has made.
  const std::pmr::vector<Step>& list() const { return list_; }
  /// Returns true if there is another piece; then the algorithm must run again.
  bool next_piece() {
    done_ += list_.size();
    to_skip_ = done_;
    room_ = most_;
    list_.clear();
    return std::exchange(is_more_, false);
  }

  /// -- called by the algorithms
  int rank() const { return rank_; }
  int size() const { return size_; }
  bool is_crowded() const { return is_crowded_; }
  int above(int distance) const {
    return distance < size_ - rank_ ? rank_ + distance : rank_ - (size_ - distance);
  }
  int below(int distance) const { return distance <= rank_ ? rank_ - distance : rank_ + (size_ - distance); }

  void send(int to, Bytes bytes) {
    add({Step::Kind::send, to, bytes});
    add({});
  }
  void receive(int from, Bytes bytes) {
    add({Step::Kind::receive, from, bytes});
    add({});
  }
  void exchange(int to, Bytes outgoing, int from, Bytes incoming) {
    add({Step::Kind::receive, from, incoming});
    add({Step::Kind::send, to, outgoing});
    add({});
  }
  class Batch {
   public:
    explicit Batch(Steps& steps) : steps_(steps) {}
    void send(int to, Bytes bytes) { start({Step::Kind::send, to, bytes}); }
    void receive(int from, Bytes bytes) { start({Step::Kind::receive, from, bytes}); }
    void wait() {
      if (started_) steps_.add({});
      started_ = false;
    }

   private:
    void start(const Step& step) {
      steps_.add(step);
      started_ = true;
    }
    Steps& steps_;
    bool started_ = false;
  };
  Batch batch(std::size_t /*capacity*/) { return Batch(*this); }

 private:
  void add(const Step& step) {
    if (to_skip_ > 0) {
      --to_skip_;
    } else if (room_ > 0) {
      --room_;
      list_.push_back(step);
    } else {
      is_more_ = true;
    }
  }

  const int rank_, size_;
  const bool is_crowded_;
  const std::size_t most_;
  std::size_t done_ = 0;     // steps of earlier pieces
  std::size_t to_skip_ = 0;  // steps that this run must still skip
  std::size_t room_;
  bool is_more_ = false;
  std::pmr::vector<Step> list_;
};

}  // namespace skein::collectives
