// SPDX-License-Identifier: Apache-2.0
// Finds what a program has left behind when MPI ends. The standard requires it to complete its requests and
// to receive its messages (MPI 4.1, 11.2.2), so leaving these is a mistake; other objects that were made and
// not freed are leaks.
#include <map>

#include "runtime/base/error.hpp"
#include "runtime/vmpi/check/checks.hpp"
#include "runtime/vmpi/comm/errhandler.hpp"
#include "runtime/vmpi/comm/info.hpp"
#include "runtime/vmpi/comm/session.hpp"
#include "runtime/vmpi/datatype/datatype.hpp"
#include "runtime/vmpi/io/file.hpp"
#include "runtime/vmpi/rma/window.hpp"

namespace skein::vmpi {
namespace {

constexpr std::size_t kMostShown = 5;  // of a kind

std::string about(const Comm& comm) { return text_of(comm); }
std::string about(const Window& window) { return "on " + text_of(*window.comm); }
std::string about(const File& file) { return "of " + std::string(file.path) + " on " + text_of(file.comm); }
std::string about(const Datatype& type) { return std::string(type.name()); }
template <class Object>
std::string about(const Object&) {
  return {};
}

bool counts(const Datatype& type) { return !type.predefined(); }
template <class Object>
bool counts(const Object&) {
  return true;
}

/// Reports the objects left of one kind: their number, and how many each of the first calls made.
template <class Table>
void check_table(const RankState& state, const Table& table, const char* kind, const char* freed_by) {
  std::map<std::string, int> made;
  std::size_t count = 0;
  table.for_each_handle([&](const auto& object, std::uintptr_t handle) {
    if (!counts(object)) return;
    ++count;
    const auto maker = state.checks->makers.find(handle);
    std::string text = maker == state.checks->makers.end() ? "unknown" : maker->second;
    if (const std::string more = about(object); !more.empty()) text += " (" + more + ")";
    ++made[text];
  });
  if (count == 0) return;
  std::string list;
  std::size_t shown = 0;
  for (const auto& [text, times] : made) {
    if (shown++ == kMostShown) {
      list += ", ...";
      break;
    }
    list += (list.empty() ? "" : ", ") + text + (times > 1 ? format(" %d times", times) : "");
  }
  tell(state, Weight::leak, "%s: %zu %s%s not freed (%s): made by %s", state.calling, count, kind,
       count == 1 ? " was" : "s were", freed_by, list.c_str());
}

const char* fate(const Request& request) {
  if (!request.active) return "is persistent and was not freed";
  return request.complete ? "is complete, but was not waited for" : "is not complete";
}

void check_requests(const RankState& state) {
  state.requests.for_each([&](const Request& request) {
    const char* const call = call_of(request);
    const std::string where = request.comm ? " on " + text_of(*request.comm) : "";
    std::string with;
    if (request.kind == RequestKind::send)
      with = format(" to its rank %d, tag %d,", request.sent.to, request.pattern.tag);
    else if (request.kind == RequestKind::receive)
      with = request.pattern.source == MPI_ANY_SOURCE
                 ? std::string(" from any of its ranks,")
                 : format(" from its rank %d, tag %d,", request.pattern.source, request.pattern.tag);
    tell(state, request.active && !request.complete ? Weight::mistake : Weight::leak,
         "%s: the request of %s%s%s %s", state.calling, call, where.c_str(), with.c_str(), fate(request));
  });
}

}  // namespace

void check_leaks(RankState& state) {
  check_requests(state);
  check_table(state, state.comms, "communicator", "MPI_Comm_free");
  check_table(state, state.datatypes, "datatype", "MPI_Type_free");
  check_table(state, state.windows, "window", "MPI_Win_free");
  check_table(state, state.files, "file", "MPI_File_close");
  check_table(state, state.groups, "group", "MPI_Group_free");
  check_table(state, state.ops, "operation", "MPI_Op_free");
  check_table(state, state.infos, "info object", "MPI_Info_free");
  check_table(state, state.errhandlers, "error handler", "MPI_Errhandler_free");
  for (const Unexpected* message = state.matching.oldest_unexpected(); message;
       message = message->in_order.next) {
    const Envelope& envelope = message->envelope;
    const Comm* on = nullptr;
    const auto is_its = [&](const Comm& comm) { return comm.p2p_context() == envelope.context; };
    for (const Comm* comm : {state.own_world, state.own_self})
      if (is_its(*comm)) on = comm;
    state.comms.for_each([&](const Comm& comm) {
      if (is_its(comm)) on = &comm;
    });
    if (on)
      tell(state, Weight::mistake,
           "%s: no receive has taken the message from rank %d of %s, tag %d, of %zu bytes (%s)",
           state.calling, envelope.source, text_of(*on).c_str(), envelope.tag,
           static_cast<std::size_t>(envelope.bytes), describe(envelope.type).c_str());
  }
}

}  // namespace skein::vmpi
