// SPDX-License-Identifier: Apache-2.0
// Completion detection: reports when all items of one kind that were produced have been consumed, while the
// rest of the job continues.
//
//     auto detector = skein::CompletionDetector::begin("exchange", 8, skein::to(all_arrived));
//
//     detector.produce();  // in a producer, before each item
//     cells[i].send<&Cell::take>(detector, part);
// this one, of 8 producers, has produced its last item
//
//     detector.consume();  // in take()
//
// A consumer may also produce, before it consumes.
#pragma once

#include <string>

#include "skein/callback.hpp"

namespace skein {
namespace chare {

/// The name of a detector on all PEs: the PE that began it, and its number there.
struct DetectorName {
  std::int32_t pe = -1;
  std::uint32_t number = 0;
  auto operator<=>(const DetectorName&) const = default;
};
struct DetectorCounts {
  std::int64_t produced = 0, consumed = 0, done = 0;
};
DetectorName begin_detection(const std::string& name, std::int64_t producers, const Destination& destination);
void count_for_detector(const DetectorName& detector, const DetectorCounts& counts);

}  // namespace chare

/// The name of a detector: a small value that can be sent along and used on any PE by entry methods and
/// functions. It counts items and does not match them: any number may be under way, wherever the elements are
/// by then.
class CompletionDetector {
 public:
  /// Names no detector; a detector can be assigned to it.
  CompletionDetector() = default;
  /// Begins a detector, which calls back once: when all `producers`, at least one, are done and as many items
  /// are consumed as produced.
  static CompletionDetector begin(const std::string& name, int producers, const Callback<void>& finished) {
    CompletionDetector detector;
    detector.name_ = chare::begin_detection(name, producers, finished.destination());
    return detector;
  }

  /// Counts items as produced; call it before the items are sent.
  void produce(int items = 1) const { chare::count_for_detector(name_, {items, 0, 0}); }
  void consume(int items = 1) const { chare::count_for_detector(name_, {0, items, 0}); }
  /// Reports `producers` as done. After the last, only consumers may still produce.
  void done(int producers = 1) const { chare::count_for_detector(name_, {0, 0, producers}); }

 private:
  chare::DetectorName name_;
};

namespace pup {
template <>
struct Bitwise<CompletionDetector> : std::true_type {};
}  // namespace pup

}  // namespace skein
