// SPDX-License-Identifier: Apache-2.0
// What the runtime keeps with each element of an array.
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
  /// What most elements never have.
  struct Rare {
    Control* control = nullptr;  ///< of its flows and threads (control.hpp); null: it never had any
    std::unique_ptr<CallEdges, EndCallEdges> calls;  ///< whom it has called (traffic.hpp); null: nobody
    void* recorded = nullptr;                        ///< execution_record.cpp; null: nothing so far
    /// By root and number of the section, the next reduction over it that the element has not contributed to.
    using SectionContributions = std::map<std::pair<std::int32_t, std::uint32_t>, std::uint32_t>;
    std::unique_ptr<SectionContributions> section_contributions;  ///< null: none yet
    /// For lazy balancing (runtime/chare/balance/lazy_elements.hpp); leaders have all, others told_ticks.
    std::uint64_t told_ticks = 0;   ///< those of busy_ticks that were told of when it was last asked, and
    double asked_load = 0;          ///< the load that it had then
    std::uint32_t measured_at = 0;  ///< at which sync point
    std::uint32_t asked = 0;        ///< for sync points up to this one it leaves no share
  };

  Element() = default;
  ~Element();
  Element(Element&&) = default;
  Element& operator=(Element&&) = default;

  const Rare& rare() const { return own_rare ? *own_rare : no_rare; }
  /// To change it.
  Rare& rare_made() {
    if (!own_rare) make_rare();
    return *own_rare;
  }

  ArrayBase* array = nullptr;
  std::unique_ptr<Rare> own_rare;   ///< null: it has nothing of it
  std::uint64_t busy_ticks = 0;     ///< spent in its entry methods since the last LB step
  std::uint32_t listed_at = 0;      ///< its place in ArrayBase::elements()
  std::uint32_t queued = 0;         ///< messages for it in the queue of this PE
  std::uint32_t moves = 0;          ///< how often it has moved
  std::uint32_t insertion = 0;      ///< number of its insertion; 0: it came with its array
  std::uint32_t sync_points = 0;    ///< how many at_sync() it has called
  std::uint32_t broadcasts = 0;     ///< number of the next broadcast it has not had
  std::uint32_t contributions = 0;  ///< number of the next reduction it has not contributed to
  std::int32_t placed_on = -1;      ///< the PE where it was made, or where migrate_to() has sent it
  std::int32_t was_on = -1;         ///< its PE at the end of the last interval between LB steps
  std::int32_t wanted_pe = -1;      ///< where migrate_to() sends it when its entry method returns
  std::uint16_t batched = 0;        ///< its aggregated calls that ran and are not charged yet
  /// The most of a call that has come to it here, up to longest_chase (message.hpp).
  std::uint16_t hops : 3 = 0;
  bool chased : 1 = false;  ///< a call is queued that was sent on too often: it runs before the element moves
  bool leaves_later : 1 = false;  ///< it does, when what is queued has run
  bool at_sync : 1 = false;       ///< stopped at a sync point that may be an LB step
  /// The number of their gathering, modulo 4 (runtime/chare/balance/gathering.hpp).
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

/// What the element that is being constructed is: its base class reads it, so that a constructor knows its
/// index.
struct Birth {
  ArrayBase* array = nullptr;
  const void* index = nullptr;
  std::uint32_t number = 0;  ///< of its insertion; 0: it is none
};
extern Birth birth;

}  // namespace skein::chare
