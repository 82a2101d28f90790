// SPDX-License-Identifier: Apache-2.0
#include "bench/autojudge/tile.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace autojudge {

using namespace skein::trace;

namespace {

constexpr double kLightest = 0.7, kHeaviest = 1.3;

class Tiler {
 public:
  Tiler(const Trace& trace, std::size_t copies)
      : trace_(trace), copies_(copies), builder_(header_of(trace), trace.object_count() * copies) {
    for (const std::string& name : trace.names()) builder_.name(name);
    for (const Communicator& communicator : trace.communicators())
      most_ = std::max(most_, communicator.id + 1);
  }

  Trace run() && {
    for (std::size_t copy = 0; copy < copies_; ++copy) {
      for (Communicator communicator : trace_.communicators()) {
        if (communicator.id == 0) continue;
        communicator.id = id_of(communicator.id, copy);
        for (ObjectIndex& member : communicator.members) member = object_of(member, copy);
        for (ObjectIndex& member : communicator.others) member = object_of(member, copy);
        builder_.add(std::move(communicator));
      }
    }
    for (std::size_t copy = 0; copy < copies_; ++copy)
      for (ObjectIndex object = 0; object < trace_.object_count(); ++object) add(object, copy);
    return std::move(builder_).finish();
  }

 private:
  static Header header_of(const Trace& trace) {
    Header header;
    header.program = trace.header().program;
    header.machine = trace.header().machine;
    header.counters = trace.header().counters;
    return header;
  }

  ObjectIndex object_of(std::size_t object, std::size_t copy) const {
    return static_cast<ObjectIndex>(object + copy * trace_.object_count());
  }
  std::uint32_t id_of(std::uint32_t id, std::size_t copy) const {
    return id == 0 ? 0 : id + static_cast<std::uint32_t>(copy) * most_;
  }

  void add(ObjectIndex object, std::size_t copy) {
    const double factor = kLightest + (kHeaviest - kLightest) * static_cast<double>(copy) /
                                          static_cast<double>(std::max<std::size_t>(copies_ - 1, 1));
    std::vector<std::uint64_t> list;
    Cursor cursor = trace_.events(object);
    while (const Event* next = cursor.next()) {
      Event event = *next;
      // The root of a collective of all copies is in the first copy.
      const bool of_all = event.kind == EventKind::collective && event.communicator == 0;
      if (event.partner >= 0 && !of_all)
        event.partner = static_cast<std::int32_t>(object_of(static_cast<std::size_t>(event.partner), copy));
      if (of_all && !event.list.empty()) {
        list.clear();
        for (std::size_t k = 0; k < copies_; ++k)
          list.insert(list.end(), event.list.begin(), event.list.end());
        event.list = list;
      }
      event.communicator = id_of(event.communicator, copy);
      event.burst_ns = static_cast<std::uint64_t>(std::llround(static_cast<double>(event.burst_ns) * factor));
      builder_.add(object_of(object, copy), event);
    }
  }

  const Trace& trace_;
  std::size_t copies_;
  TraceBuilder builder_;
  std::uint32_t most_ = 1;  // above all ids
};

}  // namespace

Trace tile(const Trace& trace, std::size_t copies) {
  if (trace.header().native)
    throw TraceError(
        "a trace of a native program cannot be laid out in copies: its elements have their own numbers");
  return Tiler(trace, copies).run();
}

}  // namespace autojudge
