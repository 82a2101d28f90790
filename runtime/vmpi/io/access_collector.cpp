// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/io/access.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "runtime/vmpi/coll/algorithms/channel.hpp"
#include "runtime/vmpi/io/collective.hpp"
#include "runtime/vmpi/io/here.hpp"

namespace skein::vmpi {
namespace {

constexpr const char* kInCollectiveAccess =
    "in a collective access to a file, for rank %d of those who opened it";

struct FileRun {
  std::int64_t offset, bytes;
};

/// A member's part of a window: number of runs, and sum of their bytes.
struct Portion {
  std::int64_t runs = 0, bytes = 0;
  bool empty() const { return bytes == 0; }
};
/// The positions of a portion in its member's stream.
struct Positions {
  std::int64_t from = 0, to = 0;
};

/// The head of a collector's answer to a member that reads.
struct ReadHead {
  std::int64_t known_end = INT64_MAX;  ///< the file ends here: bytes from here on are missing
  std::int64_t error = MPI_SUCCESS;
};

std::size_t answer_bytes(const Portion& portion) {
  return sizeof(ReadHead) + static_cast<std::size_t>(portion.bytes);
}

/// Blocks side by side in one piece of the slot's memory, one for each of some members.
class Row {
 public:
  template <class BytesOf>
  Row(RankState& state, int blocks, const BytesOf& bytes_of) : starts_(&state.memory) {
    std::size_t at = 0;
    for (int i = 0; i < blocks; ++i) {
      starts_.push_back(at);
      at += (bytes_of(i) + 63) / 64 * 64;
    }
    memory_.emplace(state, at);
  }
  std::byte* operator[](int i) const { return memory_->data() + starts_[static_cast<std::size_t>(i)]; }

 private:
  std::pmr::vector<std::size_t> starts_;
  std::optional<Scratch> memory_;
};

/// One round, as a member and, for some, as a collector.
class Round {
 public:
  Round(File& file, Channel& channel, const Access& access, const Windows& windows, int collector,
        std::int64_t number)
      : file_(file),
        state_(file.state),
        channel_(channel),
        access_(access),
        windows_(windows),
        collector_(collector),
        number_(number),
        mine_(static_cast<std::size_t>(windows.collectors()), &state_.memory),
        positions_(mine_.size(), &state_.memory),
        theirs_(collects() ? static_cast<std::size_t>(channel.size()) : 0, &state_.memory) {}

  /// Runs the round, and adds to the outcome.
  void run(Outcome& outcome) {
    tell_portions();
    const Row out(state_, windows_.collectors(), [&](int c) { return block_bytes(mine_of(c)); });
    const Row in(state_, members(), [&](int m) { return block_bytes(theirs_of(m)); });
    for (int c = 0; c < windows_.collectors(); ++c) fill(c, out[c]);
    exchange_rows(out, in);
    if (access_.way == Way::write) {
      if (collects()) note(outcome, write_window(in));
      for (const Portion& portion : mine_) outcome.bytes += static_cast<std::size_t>(portion.bytes);
    } else {
      get_answers(in, outcome);
    }
  }

 private:
  bool collects() const { return collector_ >= 0; }
  int members() const { return static_cast<int>(theirs_.size()); }
  const Portion& mine_of(int c) const { return mine_[static_cast<std::size_t>(c)]; }
  const Portion& theirs_of(int m) const { return theirs_[static_cast<std::size_t>(m)]; }
  static void note(Outcome& outcome, int error) {
    if (outcome.error == MPI_SUCCESS) outcome.error = error;
  }

  /// Returns the positions of the own access in a collector's window.
  Positions find_positions(int c) const {
    const Windows::Window window = windows_.window(c, number_);
    if (window.empty() || access_.data.bytes == 0) return {access_.position, access_.position};
    const std::int64_t from =
        std::clamp(access_.view->position_of(window.begin), access_.position, access_.end());
    return {from, std::clamp(access_.view->position_of(window.end), from, access_.end())};
  }

  const Positions& positions_in(int c) const { return positions_[static_cast<std::size_t>(c)]; }

  void tell_portions() {
    for (int c = 0; c < windows_.collectors(); ++c) {
      Portion& portion = mine_[static_cast<std::size_t>(c)];
      positions_[static_cast<std::size_t>(c)] = find_positions(c);
      const auto [from, to] = positions_in(c);
      portion.bytes = to - from;
      for_each_joined_run(*access_.view, from, to, [&](std::int64_t, std::int64_t) { ++portion.runs; });
    }
    Batch batch(channel_, static_cast<std::size_t>(windows_.collectors() + members()));
    for (int m = 0; m < members(); ++m)
      batch.receive(m, byte_data(&theirs_[static_cast<std::size_t>(m)], sizeof(Portion)));
    for (int c = 0; c < windows_.collectors(); ++c)
      batch.send(windows_.member(c), byte_data(&mine_[static_cast<std::size_t>(c)], sizeof(Portion)));
    batch.wait();
  }

  void fill(int c, std::byte* block) const {
    const auto [from, to] = positions_in(c);
    if (from == to) return;
    std::byte* at = block;
    for_each_joined_run(*access_.view, from, to, [&](std::int64_t offset, std::int64_t bytes) {
      const FileRun run{offset, bytes};
      memcpy(at, &run, sizeof run);
      at += sizeof run;
    });
    if (access_.way == Way::write)
      access_.data.pack(static_cast<std::size_t>(from - access_.position), at,
                        static_cast<std::size_t>(to - from));
  }

  /// Returns the size of the block that a member sends of a portion: its runs and, for writing, their bytes.
  std::size_t block_bytes(const Portion& portion) const {
    const auto runs = static_cast<std::size_t>(portion.runs) * sizeof(FileRun);
    return access_.way == Way::write ? runs + static_cast<std::size_t>(portion.bytes) : runs;
  }

  void exchange_rows(const Row& out, const Row& in) {
    Batch batch(channel_, static_cast<std::size_t>(windows_.collectors() + members()));
    for (int m = 0; m < members(); ++m)
      if (!theirs_of(m).empty()) batch.receive(m, byte_data(in[m], block_bytes(theirs_of(m))));
    for (int c = 0; c < windows_.collectors(); ++c)
      if (!mine_of(c).empty()) batch.send(windows_.member(c), byte_data(out[c], block_bytes(mine_of(c))));
    batch.wait();
  }

  /// Calls visit(run, address of the run's bytes) for the runs in a member's block.
  template <class Visit>
  void for_each_run_of(int m, std::byte* block, const Visit& visit) const {
    std::byte* const bytes = block + static_cast<std::size_t>(theirs_of(m).runs) * sizeof(FileRun);
    std::int64_t begins = 0;
    for (std::int64_t i = 0; i < theirs_of(m).runs; ++i) {
      FileRun run;
      memcpy(&run, block + static_cast<std::size_t>(i) * sizeof(FileRun), sizeof run);
      visit(run, bytes + begins);
      begins += run.bytes;
    }
  }

  /// Returns the union of all members' runs in the own window: ascending, apart from each other.
  std::vector<FileRun> united(const Row& in) const {
    std::vector<FileRun> runs;
    for (int m = 0; m < members(); ++m)
      for_each_run_of(m, in[m], [&](const FileRun& run, std::byte*) { runs.push_back(run); });
    std::ranges::sort(runs, {}, &FileRun::offset);
    std::vector<FileRun> joined;
    for (const FileRun& run : runs) {
      const bool touches = !joined.empty() && run.offset <= joined.back().offset + joined.back().bytes;
      if (!touches) {
        joined.push_back(run);
        continue;
      }
      FileRun& last = joined.back();
      last.bytes = std::max(last.bytes, run.offset + run.bytes - last.offset);
    }
    return joined;
  }

  // The window's memory is the process's: nothing switches while it exists.

  int write_window(const Row& in) const {
    const std::vector<FileRun> runs = united(in);
    if (runs.empty()) return MPI_SUCCESS;
    net::PeFile* here = nullptr;
    if (const net::FileFault fault = file_here(file_, here); fault != net::FileFault::none)
      return error_class_of(fault);
    const std::int64_t begin = runs.front().offset;
    std::vector<std::byte> window(static_cast<std::size_t>(runs.back().offset + runs.back().bytes - begin));
    for (int m = 0; m < members(); ++m)
      for_each_run_of(m, in[m], [&](const FileRun& run, const std::byte* bytes) {
        memcpy(window.data() + (run.offset - begin), bytes, static_cast<std::size_t>(run.bytes));
      });
    for (const FileRun& run : runs) {
      const net::FileFault fault = net::write_file(*here, run.offset, window.data() + (run.offset - begin),
                                                   static_cast<std::size_t>(run.bytes));
      if (fault != net::FileFault::none) return error_class_of(fault);
    }
    return MPI_SUCCESS;
  }

  /// Reads the members' runs of the own window into their answers.
  void read_window(const Row& in, const Row& answers) const {
    ReadHead head;
    const std::vector<FileRun> runs = united(in);
    const std::int64_t begin = runs.empty() ? 0 : runs.front().offset;
    std::vector<std::byte> window(
        runs.empty() ? 0 : static_cast<std::size_t>(runs.back().offset + runs.back().bytes - begin));
    read_runs(runs, begin, window, head);
    for (int m = 0; m < members(); ++m) {
      if (theirs_of(m).empty()) continue;
      memcpy(answers[m], &head, sizeof head);
      std::byte* to = answers[m] + sizeof head;
      for_each_run_of(m, in[m], [&](const FileRun& run, const std::byte*) {
        memcpy(to, window.data() + (run.offset - begin), static_cast<std::size_t>(run.bytes));
        to += run.bytes;
      });
    }
  }

  /// Reads runs, together with short holes between them.
  void read_runs(const std::vector<FileRun>& runs, std::int64_t begin, std::vector<std::byte>& window,
                 ReadHead& head) const {
    constexpr std::int64_t longest_hole = 64 * 1024;
    net::PeFile* here = nullptr;
    net::FileFault fault = runs.empty() ? net::FileFault::none : file_here(file_, here);
    for (std::size_t i = 0; i < runs.size() && fault == net::FileFault::none;) {
      const std::int64_t from = runs[i].offset;
      std::int64_t to = from;
      for (; i < runs.size() && (to == from || runs[i].offset - to <= longest_hole); ++i)
        to = runs[i].offset + runs[i].bytes;
      std::size_t got = 0;
      const auto wanted = static_cast<std::size_t>(to - from);
      fault = net::read_file(*here, from, window.data() + (from - begin), wanted, got);
      if (got < wanted) {
        head.known_end = from + static_cast<std::int64_t>(got);
        break;
      }
    }
    head.error = error_class_of(fault);
  }

  void get_answers(const Row& in, Outcome& outcome) {
    const Row answers(state_, members(), [&](int m) { return answer_bytes(theirs_of(m)); });
    if (collects()) read_window(in, answers);
    const Row received(state_, windows_.collectors(), [&](int c) { return answer_bytes(mine_of(c)); });
    {
      Batch batch(channel_, static_cast<std::size_t>(windows_.collectors() + members()));
      for (int c = 0; c < windows_.collectors(); ++c)
        if (!mine_of(c).empty())
          batch.receive(windows_.member(c), byte_data(received[c], answer_bytes(mine_of(c))));
      for (int m = 0; m < members(); ++m)
        if (!theirs_of(m).empty()) batch.send(m, byte_data(answers[m], answer_bytes(theirs_of(m))));
      batch.wait();
    }
    for (int c = 0; c < windows_.collectors(); ++c)
      if (!mine_of(c).empty()) take_answer(c, received[c], outcome);
  }

  void take_answer(int c, const std::byte* answer, Outcome& outcome) const {
    ReadHead head;
    memcpy(&head, answer, sizeof head);
    if (head.error != MPI_SUCCESS) return note(outcome, static_cast<int>(head.error));
    const auto [from, to] = positions_in(c);
    const std::int64_t end =
        head.known_end == INT64_MAX ? to : std::clamp(access_.view->position_of(head.known_end), from, to);
    const auto bytes = static_cast<std::size_t>(end - from);
    access_.data.unpack(static_cast<std::size_t>(from - access_.position), answer + sizeof head, bytes);
    outcome.bytes += bytes;
  }

  File& file_;
  RankState& state_;
  Channel& channel_;
  const Access& access_;
  const Windows& windows_;
  const int collector_;
  const std::int64_t number_;
  std::pmr::vector<Portion> mine_;  // by collector
  std::pmr::vector<Positions> positions_;
  std::pmr::vector<Portion> theirs_;  // of a collector, by member
};

}  // namespace

Outcome access_by_collectors(File& file, int tag, const Access& access, const Windows& windows) {
  Channel channel(file.comm, tag, kInCollectiveAccess);
  int collector = windows.collectors();
  while (--collector >= 0 && windows.member(collector) != channel.rank()) {
  }
  Outcome outcome;
  const std::int64_t rounds = windows.rounds();
  for (std::int64_t round = 0; round < rounds; ++round)
    Round(file, channel, access, windows, collector, round).run(outcome);
  if (access.way == Way::write) {
    // The written data is in the file when a member goes on, for its own accesses and for those of members
    // that it tells.
    std::int64_t error = outcome.error;
    max_over_members(file.comm, tag, &error, 1);
    outcome.error = static_cast<int>(error);
  }
  return outcome;
}

}  // namespace skein::vmpi
