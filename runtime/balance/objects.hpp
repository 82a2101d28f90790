// SPDX-License-Identifier: Apache-2.0
// The objects that LB steps balance: the ranks of an MPI program (runtime/move/rank_objects.cpp), or the
// elements of a native program's arrays (runtime/chare/balance/balance.cpp).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/balance/interval_sum.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "skein/lb/distributed.hpp"
#include "skein/lb/parallel.hpp"
#include "skein/lb/snapshot.hpp"
#include "skein/lb/trace.hpp"

namespace skein::balance {

/// Totals of moves: from this PE or, once summed, of the whole job.
struct MoveTotals {
  std::uint64_t objects = 0;
  std::uint64_t bytes_handed_over = 0;  ///< in slots that changed hands without a copy
  std::uint64_t bytes_copied = 0;
  std::uint64_t bytes_followed = 0;  ///< in pages that followed objects to another memory domain
};

class LazyObjects;

/// The objects of this PE. All functions are called from a PE's own stack, while no object runs and no
/// message is under way. In an LB step: end_interval(); then share(), snapshot_of() on those who decide, and
/// move(); or share(), part_of() and move_own(); or local() and bring().
class Objects {
 public:
  virtual ~Objects() = default;

  virtual const char* noun() const = 0;  ///< "ranks"
  /// Returns, for a job without an LB step, how a program comes to a sync point.
  virtual std::string sync_hint() const = 0;
  /// Returns true if a move takes time for an object's bytes; otherwise they cost only later, when the new PE
  /// meets their pages.
  virtual bool moves_copy() const = 0;
  /// Returns how long the objects of this PE waited for the others at the present step, s.
  virtual double meeting_seconds() const = 0;
  /// Returns the seconds that all objects have used of this PE while they were here, since the job began.
  virtual double busy_seconds() const = 0;

  /// Returns the PE of every object of the job, by constant numbers, as every PE knows it; null for objects
  /// that come and go.
  virtual const std::vector<int>* places() const { return nullptr; }
  /// Returns, for a recorded job where places() is null, the objects that came to this PE since the last call
  /// and are here still, by their numbers in the recording.
  virtual std::vector<trace::ObjectIndex> take_arrivals() { return {}; }

  /// Measures what the objects of this PE used since the last call. The next interval begins.
  virtual IntervalShare end_interval() = 0;
  /// Ends the last interval at the end of the job, without loads, as no strategy follows.
  virtual IntervalShare end_last_interval() { return end_interval(); }

  // ---- for a strategy that sees all objects
  /// Returns this PE's part of the snapshot of the whole job, as end_interval() has measured it.
  virtual std::vector<std::byte> share() = 0;
  /// Makes the snapshot of the computing PEs; equal shares give the same snapshot on each PE.
  virtual lb::Snapshot snapshot_of(const net::PeBlocks& shares) = 0;
  /// Returns true if move() works only where snapshot_of() was called: then all PEs call it.
  virtual bool all_need_snapshot() const { return false; }
  /// Returns the seconds that each object of the last snapshot took, if loads are counted events; null if
  /// loads are times, or declared. The same on each PE.
  virtual const std::vector<double>* busy_in_interval() const { return nullptr; }
  /// Moves every object of that snapshot to where the decision says, and parts of those that may be split.
  /// Collective.
  virtual MoveTotals move(const lb::Decision& decision) = 0;
  /// Returns true if move() has something to do even if the decision leaves all objects where they are. The
  /// same on each PE.
  virtual bool has_own_changes(const lb::Decision&) const { return false; }

  /// Brings memory of objects near to the PE where they are, where that is worth while; called at the end of
  /// a step, whether anything moved or not. Returns the number of bytes.
  virtual std::uint64_t follow() { return 0; }

  /// Returns the interface for lazy balancing (lazy/lazy_pe.hpp); null: these objects have none.
  virtual LazyObjects* when_lazy() { return nullptr; }

  // ---- for a strategy by which several PEs decide together
  /// Makes the part of the snapshot that the shares of some PEs describe, in the order of PEs and, of a PE,
  /// of its share. Numbers of pinned() are then places in it.
  virtual lb::MeasuredPart part_of(const net::PeBlocks& shares) = 0;
  /// Moves each object of this PE's last share to `pe_of`, in the order of that share. Collective.
  virtual MoveTotals move_own(std::span<const lb::PeIndex> pe_of) = 0;

  // ---- for a distributed strategy
  /// Returns what this PE alone knows of its own objects, by numbers that no other PE has objects of.
  /// Collective; the amount of data sent does not grow with the number of objects that may move.
  virtual lb::LocalPe local() = 0;
  /// Brings these objects, which are on other PEs, to this one; no two PEs name the same. Collective.
  virtual MoveTotals bring(std::span<const lb::ObjectIndex> arriving) = 0;

  /// Returns the numbers of the objects that the last snapshot_of() or local() of this PE found pinned,
  /// ascending.
  virtual const std::vector<int>& pinned() const = 0;
};

/// Sets the objects. Once, before the first LB step.
void set_objects(std::unique_ptr<Objects> objects);
Objects& objects();

}  // namespace skein::balance
