// SPDX-License-Identifier: Apache-2.0
// The runtime's data of each element of an array.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace skein::chare {

class ArrayBase;
class Control;
class CallEdges;
struct EndCallEdges {
  void operator()(CallEdges* edges) const;
};

struct Element {
  /// The data that most elements never have.
  struct Rare {
    Control* control = nullptr;  ///< of flows and threads (control.hpp); null: it never had any
    std::unique_ptr<CallEdges, EndCallEdges> calls;  ///< the calls it has made (traffic.hpp); null: none
    void* recorded = nullptr;                        ///< execution_record.cpp; null: nothing so far
    /// By root and number of the section, the next reduction over it that the element has not contributed to.
    using SectionContributions = std::map<std::pair<std::int32_t, std::uint32_t>, std::uint32_t>;
    std::unique_ptr<SectionContributions> section_contributions;  ///< null: none yet
    /// For lazy balancing (runtime/chare/balance/lazy_elements.hpp); leaders use all, others told_ticks.
    std::uint64_t told_ticks = 0;   ///< part of busy_ticks that was reported
    double asked_load = 0;          ///< its load when it was last asked
    std::uint32_t measured_at = 0;  ///< the sync point where it was last asked
    std::uint32_t asked = 0;        ///< it leaves no share for sync points up to this one
  };

  Element() = default;
  ~Element();
  Element(Element&&) = default;
  Element& operator=(Element&&) = default;

  const Rare& rare() const { return own_rare ? *own_rare : no_rare; }
  /// Returns the rare data for writing; makes them first if need be.
  Rare& rare_made() {
    if (!own_rare) make_rare();
    return *own_rare;
  }

  ArrayBase* array = nullptr;
  std::unique_ptr<Rare> own_rare;   ///< null: none
  std::uint64_t busy_ticks = 0;     ///< spent in its entry methods since the last LB step
  std::uint32_t listed_at = 0;      ///< its place in ArrayBase::elements()
  std::uint32_t queued = 0;         ///< messages for it in the queue of this PE
  std::uint32_t moves = 0;          ///< how often it has moved
  std::uint32_t insertion = 0;      ///< 0: created with its array
  std::uint32_t sync_points = 0;    ///< number of its at_sync() calls
  std::uint32_t broadcasts = 0;     ///< number of the next broadcast it has not had
  std::uint32_t contributions = 0;  ///< number of the next reduction it has not contributed to
  std::int32_t placed_on = -1;      ///< the PE where it was made, or that migrate_to() sent it to
  std::int32_t was_on = -1;         ///< its PE at the end of the last interval between LB steps
  std::int32_t wanted_pe = -1;      ///< the PE that migrate_to() sends it to when its entry method returns
  std::uint16_t batched = 0;        ///< its aggregated calls that ran and are not charged yet
  /// The maximum hops of calls that have reached it here, up to kLongestChase (message.hpp).
  std::uint16_t hops : 3 = 0;
  bool chased : 1 = false;        ///< a call that was passed on too often is queued, to run before a move
  bool leaves_later : 1 = false;  ///< leaves when the queued calls have run
  bool at_sync : 1 = false;       ///< stopped at a sync point that may be an LB step
  /// The number of its gathering, modulo 4 (runtime/chare/balance/gathering.hpp).
  std::uint8_t gathering : 2 = 0;
  bool standing : 1 = false;  ///< at a sync point of a lazy job: to pass it, leave a share, wait or stop
  bool pinned : 1 = false;
  bool ordered : 1 = false;     ///< it has had calls over ordered channels: turn.hpp
  bool unfinished : 1 = false;  ///< the job must not end before it calls finished()
  bool ends : 1 = false;        ///< destroy() was called
  bool gone : 1 = false;        ///< moved away or destroyed; kept for the messages queued for it

 private:
  static const Rare no_rare;
  void make_rare();
};

/// The identity of the element that is being constructed. Its base class reads it, so that a constructor
/// knows its index.
struct Birth {
  ArrayBase* array = nullptr;
  const void* index = nullptr;
  std::uint32_t number = 0;  ///< of its insertion; 0: it was not inserted
};
extern Birth birth;

}  // namespace skein::chare
