// SPDX-License-Identifier: Apache-2.0
// Shared by the members that move the pieces of all on their PE: PieceMover moves pieces of equal length
// (piece_mover.hpp), CountedMover those of any (counted_mover.hpp).
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/vmpi/coll/algorithms/channel.hpp"
#include "runtime/vmpi/coll/blocks/pieces.hpp"
#include "runtime/vmpi/coll/meeting/node_exchange.hpp"
#include "runtime/vmpi/coll/meeting/pe_exchange.hpp"

namespace skein::vmpi {

/// Returns the direction of pieces between PEs. `root`: if there is one.
Direction direction_of(const Assembly& assembly, const Comm& comm, Pieces what, int root);

/// The pieces that a member brings. On its stack.
template <class OneSide>
struct PiecesPart : Contribution {
  Moved<OneSide>* moved = nullptr;
};

template <class OneSide>
class PeMover {
 protected:
  Moved<OneSide>& moved(std::size_t i) const {
    return *static_cast<const PiecesPart<OneSide>&>(*assembly_.parts[i]).moved;
  }
  /// Returns true if members exchange from each to each, in place. Checks that all members on this PE are in
  /// place alike.
  bool agree_in_place() const {
    for (std::size_t i = 1; what_ == Pieces::each_to_each && i < members(); ++i)
      if (moved(i).in_place != moved(0).in_place) [[unlikely]]
        report_other_in_place(assembly_.members[i], moved(i).in_place, assembly_.members[0]);
    return what_ == Pieces::each_to_each && moved(0).in_place;
  }
  /// Ends the job, as rank `one` is in place or not, and `other` is not alike.
  [[noreturn, gnu::cold]] void report_other_in_place(int one, bool in_place, int other) const {
    report_unlike(comm_, one, {.in_place = in_place, .purpose = reason_.format}, other,
                  {.in_place = !in_place, .purpose = reason_.format});
  }

  /// Notes that a piece from rank `from` for a member, by index, is longer or shorter than its place.
  [[gnu::cold]] void note_other_length(std::size_t member, int from, std::size_t bytes, std::size_t room);

  /// `exchange`: null if there is none. `reason`: of the members' wait.
  PeMover(Assembly& assembly, Comm& comm, int tag, const Moved<OneSide>& mine, PeExchange* exchange,
          WaitReason reason);
  /// Sets the error of all members on this PE that have none yet.
  void note(int error);

  std::size_t members() const { return assembly_.members.size(); }
  const std::vector<int>& members_of(int leader) const {
    return assembly_.places->members_of[static_cast<std::size_t>(leader)];
  }
  int leaders() const { return leaders_.size(); }
  int own_leader() const { return leaders_.rank; }
  bool sends(int rank) const { return what_ != Pieces::from_root || rank == root_; }
  /// Returns true if a rank sends one piece to all ranks that get it.
  bool one_for_all() const { return what_ == Pieces::to_root || what_ == Pieces::to_all; }

  Assembly& assembly_;
  Comm& comm_;
  Comm& leaders_;
  PeExchange* const exchange_;
  const WaitReason reason_;
  const Pieces what_;
  const int root_;
  const int tag_;
  const Direction direction_;
  Channel channel_;
  struct {
    std::size_t first, end;
  } receivers_;  // indices of the members on this PE
};

/// Sends the address `own` from PEs that give pieces to PEs that take them. The others' addresses come to
/// `of_leader`, by rank among the leaders.
void tell_places(Channel& leaders, Direction direction, const void* own, const void** of_leader);
/// Tells the PEs that gave pieces that these have been read, so that they may change. `tag`, `reason`: of the
/// collective.
void tell_read(Channel& channel, Comm& leaders, Direction direction, int tag, WaitReason reason);

}  // namespace skein::vmpi
