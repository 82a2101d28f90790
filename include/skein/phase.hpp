// SPDX-License-Identifier: Apache-2.0
// The end of a named phase: told when all that was produced in it has been consumed, while the job goes on
// with other things.
//
//     auto phase = skein::Phase::begin("exchange", 8, skein::to(all_arrived));   // 8 producers
//     phase.produce();  cells[i].send<&Cell::take>(phase, part);                  // in a producer, first
//     this phase.done();                                                               // it produces no more
//     phase.consume();                                                            // in take()
//
// Who consumes may produce too, before it consumes.
#pragma once

#include <string>

#include "skein/callback.hpp"

namespace skein {
namespace chare {

/// A phase as all PEs know it: by the PE that began it.
struct PhaseName {
  std::int32_t pe = -1;
  std::uint32_t number = 0;
  auto operator<=>(const PhaseName&) const = default;
};
struct PhaseCounts {
  std::int64_t produced = 0, consumed = 0, done = 0;
};
PhaseName begin_phase(const std::string& name, std::int64_t producers, const Destination& destination);
void count_in_phase(const PhaseName& phase, const PhaseCounts& counts);

}  // namespace chare

/// The name of a phase: a small value that can be sent along, used on any PE by entry methods and functions.
/// Items are counted, not matched: any number at once, wherever the elements are by then.
class Phase {
 public:
  /// No phase; it can be assigned.
  Phase() = default;
  /// Calls back once: when so many producers, at least one, are done and as many items consumed as produced.
  static Phase begin(const std::string& name, int producers, const Callback<void>& finished) {
    Phase phase;
    phase.name_ = chare::begin_phase(name, producers, finished.destination());
    return phase;
  }

  /// Before the items are sent.
  void produce(int items = 1) const { chare::count_in_phase(name_, {items, 0, 0}); }
  void consume(int items = 1) const { chare::count_in_phase(name_, {0, items, 0}); }
  /// So many producers are done. After the last, only who consumes may still produce.
  void done(int producers = 1) const { chare::count_in_phase(name_, {0, 0, producers}); }

 private:
  chare::PhaseName name_;
};

namespace pup {
template <>
struct Bitwise<Phase> : std::true_type {};
}  // namespace pup

}  // namespace skein
