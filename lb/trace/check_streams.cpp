// SPDX-License-Identifier: Apache-2.0
// Checks single objects.
#include <string>
#include <vector>

#include "lb/trace/check.hpp"

namespace skein::trace {
namespace {

class StreamCheck {
 public:
  StreamCheck(const Trace& trace, ObjectIndex object, Findings& findings)
      : trace_(trace), object_(object), findings_(findings) {}

  void run() {
    Cursor cursor = trace_.events(object_);
    while (const Event* const event = cursor.next()) {
      look(*event);
      ++number_;
    }
    if (!ended_)
      findings_.note(object_, number_,
                     trace_.complete()
                         ? "the stream ends without the event `end`; did the rank end by a fault? "
                           "The simulation ends it here"
                         : "the stream is cut short, as the run was; a simulation ends here");
    if (!regions_.empty())
      findings_.note(object_, number_,
                     "region '" + trace_.names()[regions_.back()] +
                         "' is never left; the program lacks a MPI_Pcontrol(-1, ...)");
  }

 private:
  void look(const Event& event) {
    if (ended_) {
      findings_.error(object_, number_, "an event after the object's end; record the run anew");
      ended_ = false;  // one report is enough
    }
    switch (event.kind) {
      case EventKind::matched:
      case EventKind::wait:
        for (const std::uint64_t back : event.list) look_at_request(back, event.kind == EventKind::wait);
        break;
      case EventKind::region_begin:
        regions_.push_back(event.list[0]);
        break;
      case EventKind::region_end:
        leave_region(event.list[0]);
        break;
      case EventKind::end:
        ended_ = true;
        break;
      default:
        break;
    }
    if (event.starts_request) waited_.push_back(false);
  }

  void look_at_request(std::uint64_t back, bool waits) {
    if (back >= waited_.size()) {
      findings_.error(object_, number_,
                      "a request is waited for that was started " + std::to_string(back) +
                          " before the last one, but " + std::to_string(waited_.size()) +
                          " have been started; is the beginning of the trace missing?");
      return;
    }
    auto request = waited_.end() - 1 - static_cast<std::ptrdiff_t>(back);
    if (*request)
      findings_.error(object_, number_,
                      "request " + std::to_string(request - waited_.begin()) +
                          " is waited for that was complete before; record the run anew");
    if (waits) *request = true;
  }

  void leave_region(std::uint64_t name) {
    if (!regions_.empty() && regions_.back() == name) {
      regions_.pop_back();
      return;
    }
    findings_.note(object_, number_,
                   "region '" + trace_.names()[name] + "' is left, but the one entered last is " +
                       (regions_.empty() ? "none" : "'" + trace_.names()[regions_.back()] + "'") +
                       "; look at the program's calls of MPI_Pcontrol");
  }

  const Trace& trace_;
  const ObjectIndex object_;
  Findings& findings_;
  std::uint64_t number_ = 0;
  bool ended_ = false;
  std::vector<bool> waited_;  // by request
  std::vector<std::uint64_t> regions_;
};

}  // namespace

void check_streams(const Trace& trace, Findings findings) {
  for (ObjectIndex object = 0; object < trace.object_count(); ++object)
    if (!trace.header().is_nobody(object)) StreamCheck(trace, object, findings).run();
}

}  // namespace skein::trace
