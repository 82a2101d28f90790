// SPDX-License-Identifier: Apache-2.0
#include "lb/trace/formats/naming.hpp"

#include <cctype>

#include "lb/trace/formats/collectives.hpp"

namespace skein::trace {
namespace {

/// Returns the name of the MPI function: "MPI_Iallreduce".
std::string function_of(std::string name, bool nonblocking) {
  if (nonblocking) name.insert(name.begin(), 'i');
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  return "MPI_" + name;
}

std::string name_at(const Trace& trace, std::uint64_t index) {
  const auto names = trace.names();
  return index < names.size() ? names[index] : "name " + std::to_string(index);
}

}  // namespace

std::string called(const Trace& trace, const Event& event) {
  switch (event.kind) {
    case EventKind::send: {
      constexpr const char* modes[] = {"send", "ssend", "bsend", "rsend"};
      return function_of(event.what < std::size(modes) ? modes[event.what] : modes[0], event.starts_request);
    }
    case EventKind::receive:
      return function_of("recv", event.starts_request);
    case EventKind::wait:
      return event.list.size() == 1 ? "MPI_Wait" : "MPI_Waitall";
    case EventKind::collective: {
      const auto kind = static_cast<Collective>(event.what);
      if (kind == Collective::create_comm) return "create communicator";
      return function_of(std::string(name_of(kind)), event.starts_request);
    }
    case EventKind::probe:
      return "MPI_Probe";
    case EventKind::sync:
      return "sync point";
    case EventKind::file: {
      constexpr const char* calls[] = {"read", "write", "file call"};
      return event.what < std::size(calls) ? calls[event.what] : calls[2];
    }
    case EventKind::sleep:
      return "sleep";
    case EventKind::region_begin:
    case EventKind::region_end:
      return event.list.empty() ? "region" : name_at(trace, event.list[0]);
    case EventKind::execute:
      return name_at(trace, static_cast<std::uint64_t>(event.tag));
    case EventKind::call:
      return "call " + name_at(trace, static_cast<std::uint64_t>(event.tag));
    case EventKind::broadcast:
      return "broadcast";
    case EventKind::contribute:
      return "contribute";
    case EventKind::create:
      return "create";
    case EventKind::split:
      return "split";
    case EventKind::matched:
    case EventKind::end:
    case EventKind::finish:
      break;
  }
  return "end";
}

std::string called(const Trace& trace, ObjectIndex object) {
  const std::vector<std::string>& labels = trace.header().labels;
  if (object < labels.size() && !labels[object].empty()) return labels[object];
  return (trace.header().native ? "object " : "rank ") + std::to_string(object);
}

}  // namespace skein::trace
