// SPDX-License-Identifier: Apache-2.0
// Checks joint actions of members: collectives of a communicator, and sync points.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "lb/trace/channel.hpp"
#include "lb/trace/check.hpp"
#include "lb/trace/kinds.hpp"

namespace skein::trace {
namespace {

struct Call {
  Collective kind;
  std::int32_t root;
  std::uint64_t bytes;
};

std::string text_of(const Call& call) {
  std::string text(name_of(call.kind));
  if (call.root != kAny) text += " with root " + std::to_string(call.root);
  return text;
}

/// The calls of the first member, with which the others' are compared.
struct Calls {
  ObjectIndex of = 0;
  std::vector<Call> calls;
};

class CollectiveCheck {
 public:
  CollectiveCheck(const Trace& trace, Findings& findings) : trace_(trace), findings_(findings) {
    for (const Communicator& one : trace.communicators()) {
      auto& members = members_[one.id];
      members = one.members;
      members.insert(members.end(), one.others.begin(), one.others.end());
      std::sort(members.begin(), members.end());
      if (!one.others.empty()) between_groups_.push_back(one.id);
    }
  }

  void run() {
    for (ObjectIndex object = 0; object < trace_.object_count(); ++object) look_at(object);
    for (const auto& [line, calls] : calls_)
      for (const ObjectIndex member : members_[line.communicator])
        if (!has_called(line, member))
          findings_.error(member, trace_.event_count(member),
                          "it makes no collective on " + text_of(line) + ", but object " +
                              std::to_string(calls.of) + " makes " + std::to_string(calls.calls.size()) +
                              cause());
  }

 private:
  void look_at(ObjectIndex object) {
    CollectiveCounter done;
    Cursor cursor = trace_.events(object);
    std::uint64_t number = 0, syncs = 0;
    for (; const Event* const event = cursor.next(); ++number) {
      syncs += event->kind == EventKind::sync;
      if (event->kind != EventKind::collective) continue;
      const CollectiveLine line = line_of(*event);
      const auto& members = members_[line.communicator];
      const auto [calls, is_first] = calls_.try_emplace(line);
      if (is_first) calls->second.of = object;
      const std::uint64_t k = done.count(*event);
      if (k == 0) called_[line].push_back(object);
      if (k == 0 && !std::binary_search(members.begin(), members.end(), object))
        findings_.error(
            object, number,
            "a collective on " + text_of(line) + ", of which it is no member; record the run anew");
      const Call call{static_cast<Collective>(event->what), event->partner, event->bytes};
      if (calls->second.of == object)
        calls->second.calls.push_back(call);
      else
        compare(object, number, line, k, call);
    }
    for (const auto& [line, count] : done.counts()) {
      const Calls& calls = calls_[line];
      if (calls.of != object && count < calls.calls.size())
        findings_.error(object, number,
                        "it makes " + std::to_string(count) + " collectives on " + text_of(line) +
                            ", object " + std::to_string(calls.of) + " makes " +
                            std::to_string(calls.calls.size()) + cause());
    }
    compare_syncs(object, number, syncs);
  }

  void compare(ObjectIndex object, std::uint64_t number, const CollectiveLine& line, std::uint64_t k,
               const Call& call) {
    const Calls& first = calls_[line];
    const std::string where =
        "collective " + std::to_string(k) + " on " + text_of(line) + " is " + text_of(call);
    const std::string other = "object " + std::to_string(first.of);
    if (k >= first.calls.size()) {
      // The first difference is enough.
      if (k == first.calls.size())
        findings_.error(object, number,
                        where + ", but " + other + " makes only " + std::to_string(k) + cause());
      return;
    }
    const Call& expected = first.calls[k];
    const bool roots_differ =
        call.root != expected.root &&
        std::find(between_groups_.begin(), between_groups_.end(), line.communicator) == between_groups_.end();
    if (call.kind != expected.kind || roots_differ)
      findings_.error(object, number,
                      where + ", at " + other + " it is " + text_of(expected) +
                          "; the program is wrong there, or the trace was not recorded by Skein");
    else if (call.bytes != expected.bytes && !has_counts(call.kind) && call.kind != Collective::create_comm)
      findings_.note(object, number,
                     where + " of " + std::to_string(call.bytes) + " B, at " + other + " of " +
                         std::to_string(expected.bytes) + " B; a simulation takes what each says");
  }

  void compare_syncs(ObjectIndex object, std::uint64_t number, std::uint64_t syncs) {
    if (trace_.header().native) return;  // not all arrays synchronize
    if (object == 0) syncs_ = syncs;
    if (syncs == syncs_) return;
    const std::string what =
        "it meets " + std::to_string(syncs) + " sync points, object 0 meets " + std::to_string(syncs_);
    findings_.note(object, number, what + cause());
  }

  bool has_called(const CollectiveLine& line, ObjectIndex object) {
    const auto& called = called_[line];  // rising
    return std::binary_search(called.begin(), called.end(), object);
  }

  std::string cause() const {
    return trace_.complete() ? "; did it end early?" : "; the trace is cut short: leave out what comes after";
  }

  const Trace& trace_;
  Findings& findings_;
  std::map<std::uint32_t, std::vector<ObjectIndex>> members_;
  std::map<CollectiveLine, std::vector<ObjectIndex>> called_;
  std::vector<std::uint32_t> between_groups_;
  std::map<CollectiveLine, Calls> calls_;
  std::uint64_t syncs_ = 0;
};

}  // namespace

void check_collectives(const Trace& trace, Findings findings) { CollectiveCheck(trace, findings).run(); }

}  // namespace skein::trace
