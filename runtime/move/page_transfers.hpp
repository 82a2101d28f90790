// SPDX-License-Identifier: Apache-2.0
// The pages of ranks that are copied from PE to PE, in windows: of few ranks at once, and of each few runs of
// pages. So the MPI underneath has few requests to check at each poll, however scattered the memory of ranks
// is and however many of them move.
//
// Each rank has a tag, on which go: the number of runs, the runs, then the bytes of each. Messages of one tag
// between two PEs keep their order.
//
// Both ends take ranks in ascending order. The first unfinished rank is under way at both its ends, so it
// progresses, and no windows wait for each other in a circle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "runtime/arena/arena.hpp"

namespace skein::move {

class PageTransfers {
 public:
  static constexpr std::size_t ranks_at_once = 8;
  static constexpr std::size_t runs_at_once = 32;  ///< of a rank

  /// Throws skein::Error where the MPI underneath has no tags for so many ranks.
  static void check_tags(int ranks);

  PageTransfers() = default;
  PageTransfers(const PageTransfers&) = delete;  // transfers under way have its address
  PageTransfers& operator=(const PageTransfers&) = delete;

  /// Begins to send or to receive: ranks in ascending order for each. The pages sent must not change until
  /// is_over(). From the PE's own stack.
  void send(int rank, int to, std::vector<arena::Range> runs);
  void receive(int rank, int from);
  /// Returns true if all transfers are complete. Polls of the transport advance them.
  bool is_over() const { return departures_.empty() && arrivals_.empty(); }

 private:
  /// The transfer of one rank, at one end.
  struct Transfer {
    PageTransfers* all;
    bool sends;
    bool has_begun = false;
    int rank;
    int other;  ///< the other PE
    std::uint64_t run_count = 0;
    std::vector<arena::Range> runs;
    std::size_t next = 0;       ///< the next run to begin
    std::size_t under_way = 0;  ///< runs begun and not complete
  };
  using Transfers = std::deque<std::unique_ptr<Transfer>>;

  static void begin_some(Transfers& transfers);
  static void begin(Transfer& transfer);
  static void begin_message(Transfer& transfer, void* data, std::size_t bytes,
                            void (*done)(std::uint64_t, std::uint64_t));
  static void begin_list(Transfer& transfer);
  static void begin_runs(Transfer& transfer);
  static void on_count(std::uint64_t transfer, std::uint64_t);  // of an arrival
  static void on_part(std::uint64_t transfer, std::uint64_t);   // of any other message
  static void end_if_over(Transfer& transfer);

  Transfers departures_, arrivals_;
};

}  // namespace skein::move
