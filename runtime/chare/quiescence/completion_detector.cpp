// SPDX-License-Identifier: Apache-2.0
// Completion detection. The PE that began a detector, its root, finds the end by two waves of counts: the
// four-counter method (Mattern 1987) for the items of one detector. The first wave is the reports that PEs
// send by themselves after their counts have changed. When by these all producers are done, and C items are
// consumed and as many produced, the root asks all PEs. All reports were sent before this moment, all answers
// after it, and counts only grow: so if by the answers C items are produced, then at this moment at most C
// were produced, and at least C consumed. Nothing was left to consume, and nobody to produce.
#include "skein/completion_detector.hpp"

#include <string>
#include <vector>

#include "runtime/base/pe_runtime.hpp"
#include "runtime/chare/calls/queue.hpp"
#include "runtime/chare/messages/waiting.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/chare/quiescence/quiescence_state.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {
namespace {

void add(DetectorCounts& to, const DetectorCounts& counts) {
  to.produced += counts.produced;
  to.consumed += counts.consumed;
  to.done += counts.done;
}

/// Adds up the reports.
DetectorCounts sum_of(const Detectors::Begun& root) {
  DetectorCounts all;
  for (const DetectorCounts& counts : root.reported) add(all, counts);
  return all;
}

enum class Reply : std::uint32_t { report, answer };
struct CountsHeader {
  DetectorName detector;
  Reply reply;
  std::uint32_t unused = 0;
  DetectorCounts counts;
};

void send_counts(const DetectorName& detector, Detectors::Counted& mine, Reply reply) {
  mine.untold = false;
  post(detector.pe, Kind::detector_counts, bytes_of(CountsHeader{detector, reply, 0, mine.counts}));
}

/// Reports this PE's counts. Queued behind what is in the queue, so that many changes make one report, and a
/// PE that is never idle reports too. An answer in between may have reported all; the detector may even be
/// over.
void report(Bytes packed) {
  const auto detector = unpack_front<DetectorName>(packed);
  const auto at = quiescence->detectors.here.find(detector);
  if (at == quiescence->detectors.here.end()) return;
  at->second.report_queued = false;
  if (at->second.untold) send_counts(detector, at->second, Reply::report);
}
constexpr FunctionInfo kReport{report, 0};  // never sent

/// Tells all PEs about a detector that this PE began.
void tell_all(Kind kind, std::uint32_t number) {
  for (int pe = 0; pe < pe_count(); ++pe) post(pe, kind, bytes_of(DetectorName{net::world.pe, number}));
}

std::string text_of(const Detectors::Begun& root) {
  const DetectorCounts all = sum_of(root);
  return "the completion detector '" + root.name + "' has " + std::to_string(all.done) + " of " +
         std::to_string(root.producers) + " producers done, " + std::to_string(all.produced) +
         " items produced and " + std::to_string(all.consumed) + " consumed";
}

void ask_if_it_seems_over(std::uint32_t number, Detectors::Begun& root) {
  const DetectorCounts all = sum_of(root);
  if (all.done > root.producers) fail(text_of(root) + ": done() was called too often");
  if (root.answers_missing > 0 || all.done < root.producers || all.produced != all.consumed) return;
  root.consumed_before = all.consumed;
  root.produced_after = 0;
  root.answers_missing = pe_count();
  tell_all(Kind::detector_question, number);
}

void note_answer(std::uint32_t number, Detectors::Begun& root, const DetectorCounts& counts) {
  root.produced_after += counts.produced;
  if (--root.answers_missing > 0) return;
  if (root.produced_after != root.consumed_before) return ask_if_it_seems_over(number, root);
  const Destination destination = root.destination;
  quiescence->detectors.roots.erase(number);
  tell_all(Kind::detector_over, number);
  deliver(destination, {});
}

void on_counts(int from_pe, Bytes message) {
  const auto header = unpack_front<CountsHeader>(message);
  const std::uint32_t number = header.detector.number;
  const auto at = quiescence->detectors.roots.find(number);
  if (at == quiescence->detectors.roots.end())
    fail("something is counted in the completion detector '" + quiescence->detectors.names.at(number) +
         "', which is over");
  Detectors::Begun& root = at->second;
  root.reported[static_cast<std::size_t>(from_pe)] = header.counts;
  if (header.reply == Reply::answer)
    note_answer(number, root, header.counts);
  else
    ask_if_it_seems_over(number, root);
}

void on_question(int, Bytes message) {
  const auto detector = unpack_front<DetectorName>(message);
  send_counts(detector, quiescence->detectors.here[detector], Reply::answer);
}
void on_over(int, Bytes message) { quiescence->detectors.here.erase(unpack_front<DetectorName>(message)); }

std::size_t count_detectors() { return quiescence->detectors.roots.size(); }
void describe_detectors(std::vector<std::string>& lines) {
  for (const auto& [number, root] : quiescence->detectors.roots) lines.push_back(text_of(root));
}

const Receives counts(Kind::detector_counts, on_counts);
const Receives questions(Kind::detector_question, on_question);
const Receives ends(Kind::detector_over, on_over);
const WaitSource waits(Way::completion_detector, count_detectors, describe_detectors);

}  // namespace

DetectorName begin_detection(const std::string& name, std::int64_t producers,
                             const Destination& destination) {
  if (producers < 1)
    fail("the completion detector '" + name + "' has " + std::to_string(producers) +
         " producers: at least one");
  const auto number = static_cast<std::uint32_t>(quiescence->detectors.names.size());
  quiescence->detectors.names.push_back(name);
  if (settings.running_again) return {net::world.pe, number};
  quiescence->detectors.roots.emplace(
      number, Detectors::Begun{name, producers, destination,
                               std::vector<DetectorCounts>(static_cast<std::size_t>(pe_count()))});
  return {net::world.pe, number};
}

void count_for_detector(const DetectorName& detector, const DetectorCounts& counts) {
  if (detector.pe < 0)
    fail("something is counted in a detector that was never begun: see CompletionDetector::begin()");
  Detectors::Counted& mine = quiescence->detectors.here[detector];
  add(mine.counts, counts);
  mine.untold = true;
  if (mine.report_queued) return;
  mine.report_queued = true;
  enqueue_function(kReport, bytes_of(detector));
}

}  // namespace skein::chare
