// SPDX-License-Identifier: Apache-2.0
// Exports traces as OTF2 archives, which Vampir and others show: a location for each object, whose time is
// the sum of its bursts and calls from the start of the job. Calls, entry methods and the program's regions
// are regions inside one that stands for the program; time outside of calls is computing.
#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <unordered_map>

#include "lb/trace/formats/collectives.hpp"
#include "lb/trace/formats/messages.hpp"
#include "lb/trace/formats/naming.hpp"
#include "lb/trace/formats/otf2_output.hpp"
#include "lb/trace/formats/remarks.hpp"

#define SKEIN_TRACE_TEXT_OF(macro) #macro
#define SKEIN_TRACE_TEXT(macro) SKEIN_TRACE_TEXT_OF(macro)

namespace skein::trace {
namespace {

Otf2Open load_module() {
  if (!SKEIN_TRACE_HAVE_OTF2)
    throw TraceError(
        "an export to OTF2 needs libotf2, which this build lacks; install libopen-trace-format2-dev and "
        "build again");
  void* const module = dlopen("libskein_trace_otf2.so", RTLD_NOW | RTLD_LOCAL);
  void* const symbol = module ? dlsym(module, SKEIN_TRACE_TEXT(SKEIN_TRACE_OTF2)) : nullptr;
  if (!symbol) throw TraceError(std::string("the module for OTF2 cannot be loaded: ") + dlerror());
  return reinterpret_cast<Otf2Open>(symbol);
}

Role role_of(const Event& event) {
  if (event.kind == EventKind::file) return Role::file;
  if (event.kind != EventKind::collective)
    return event.kind == EventKind::send || event.kind == EventKind::receive ? Role::message : Role::function;
  switch (static_cast<Collective>(event.what)) {
    case Collective::barrier:
      return Role::barrier;
    case Collective::bcast:
    case Collective::scatter:
    case Collective::scatterv:
      return Role::one_to_all;
    case Collective::gather:
    case Collective::gatherv:
    case Collective::reduce:
      return Role::all_to_one;
    case Collective::create_comm:
      return Role::other_collective;
    default:
      return Role::all_to_all;
  }
}

/// Data that all locations share.
class Shared {
 public:
  Shared(const Trace& trace, Otf2Output& out) : trace_(trace), messages_(trace), out_(out) {
    for (const Communicator& communicator : trace.communicators()) {
      index_[communicator.id] = static_cast<CommIndex>(definitions_.comms.size());
      Otf2Definitions::Comm& made = definitions_.comms.emplace_back();
      made.name = communicator.id == 0 ? "MPI_COMM_WORLD" : "communicator " + std::to_string(communicator.id);
      made.members.assign(communicator.members.begin(), communicator.members.end());
      made.others.assign(communicator.others.begin(), communicator.others.end());
      auto& ranks = ranks_.emplace_back();
      for (const auto* group : {&communicator.members, &communicator.others})
        for (std::size_t rank = 0; rank < group->size(); ++rank)
          ranks[(*group)[rank]] = static_cast<std::uint32_t>(rank);
    }
  }

  const Trace& trace() const { return trace_; }
  const Messages& messages() const { return messages_; }
  Otf2Output& out() { return out_; }
  Remarker& remarks() { return remarks_; }
  Otf2Definitions& definitions() { return definitions_; }

  CommIndex comm(std::uint32_t id) const {
    const auto found = index_.find(id);
    if (found == index_.end())
      throw TraceError("there is no communicator " + std::to_string(id) + ": the trace is damaged");
    return found->second;
  }
  std::uint32_t rank(std::uint32_t id, ObjectIndex object) const {
    const auto& ranks = ranks_[comm(id)];
    const auto found = ranks.find(object);
    if (found == ranks.end())
      throw TraceError("rank " + std::to_string(object) + " is no member of communicator " +
                       std::to_string(id) + ": the trace is damaged");
    return found->second;
  }
  RegionIndex region(const std::string& name, Role role, bool of_mpi) {
    const auto [found, is_new] = regions_.try_emplace(name, static_cast<RegionIndex>(regions_.size()));
    if (is_new) definitions_.regions.push_back({name, role, of_mpi});
    return found->second;
  }
  RegionIndex region(const Event& event) {
    const std::string name = called(trace_, event);
    return region(name, role_of(event), name.starts_with("MPI_"));
  }

 private:
  const Trace& trace_;
  Messages messages_;
  Otf2Output& out_;
  Remarker remarks_;
  Otf2Definitions definitions_;
  std::unordered_map<std::uint32_t, CommIndex> index_;
  std::vector<std::unordered_map<ObjectIndex, std::uint32_t>> ranks_;  // by communicator
  std::unordered_map<std::string, RegionIndex> regions_;
};

class Location {
 public:
  Location(Shared& shared, ObjectIndex object) : shared_(shared), out_(shared.out()), object_(object) {}

  void write() {
    const RegionIndex program = shared_.region("program", Role::function, false);
    out_.begin(object_);
    out_.enter(0, program);
    MpiStream events = shared_.messages().stream(object_);
    while (const MpiStream::Step* const step = events.next()) {
      now_ += step->burst_ns;
      if (step->burst_ns) out_.counters(now_, step->event->counters);
      write(*step);
    }
    while (!open_.empty()) end_region();
    out_.leave(now_, program);
    out_.end();
    std::uint64_t& end = shared_.definitions().end_ns;
    end = std::max(end, now_);
  }

 private:
  struct Pending {
    EventKind kind;
    std::optional<Otf2Output::SendRecord> message;  // none: the receive took no message
    Otf2Collective call;
  };

  Otf2Output::SendRecord sent(const MpiStream::Step& step) const {
    const Channel& channel = *step.channel;
    const ObjectIndex other = step.event->kind == EventKind::send ? channel.receiver : channel.sender;
    return {shared_.rank(channel.communicator, other), shared_.comm(channel.communicator),
            static_cast<std::uint32_t>(channel.tag), step.bytes};
  }
  void end_region() {
    out_.leave(now_, open_.back());
    open_.pop_back();
  }
  void begin_region(RegionIndex region) {
    out_.enter(now_, region);
    open_.push_back(region);
  }
  void write(const MpiStream::Step& step);
  void write_message(const MpiStream::Step& step);
  void write_collective(const MpiStream::Step& step);
  void complete(std::uint64_t request);

  Shared& shared_;
  Otf2Output& out_;
  const ObjectIndex object_;
  std::uint64_t now_ = 0;
  std::vector<RegionIndex> open_;
  std::unordered_map<std::uint64_t, Pending> pending_;  // by request
};

void Location::write_message(const MpiStream::Step& step) {
  const Event& event = *step.event;
  const bool sends = event.kind == EventKind::send;
  if (sends && !step.channel) {
    shared_.remarks().add("send that was cancelled: a call without a message");
    now_ += event.call_ns;
  } else if (event.starts_request) {
    Pending& pending = pending_[step.request];
    pending.kind = event.kind;
    if (step.channel) pending.message = sent(step);
    if (sends)
      out_.start_send(now_, *pending.message, step.request);
    else
      out_.start_receive(now_, step.request);
    now_ += event.call_ns;
  } else if (sends) {
    out_.send(now_, sent(step));
    now_ += event.call_ns;
  } else {
    now_ += event.call_ns;
    out_.receive(now_, sent(step));
  }
}

void Location::write_collective(const MpiStream::Step& step) {
  const Event& event = *step.event;
  Otf2Collective call{.kind = event.what, .comm = shared_.comm(event.communicator), .sent = event.bytes};
  for (const std::uint64_t bytes : event.list) call.sent += bytes;
  if (event.partner != kAny)
    call.root = shared_.rank(event.communicator, static_cast<ObjectIndex>(event.partner));
  if (event.starts_request) {
    pending_[step.request] = {EventKind::collective, {}, call};
    out_.start_collective(now_, step.request);
    now_ += event.call_ns;
  } else {
    out_.begin_collective(now_);
    now_ += event.call_ns;
    out_.end_collective(now_, call);
  }
}

void Location::complete(std::uint64_t request) {
  const auto found = pending_.find(request);
  if (found == pending_.end()) return;
  const Pending& pending = found->second;
  if (pending.kind == EventKind::collective)
    out_.complete_collective(now_, pending.call, request);
  else if (pending.kind == EventKind::send)
    out_.end_send(now_, request);
  else if (pending.message)
    out_.end_receive(now_, *pending.message, request);
  else
    out_.cancel(now_, request);
  pending_.erase(found);
}

void Location::write(const MpiStream::Step& step) {
  const Event& event = *step.event;
  switch (event.kind) {
    case EventKind::end:
    case EventKind::matched:
      return;
    case EventKind::region_begin:
      return begin_region(shared_.region(event));
    case EventKind::execute:
      now_ += event.call_ns;
      return begin_region(shared_.region(event));
    case EventKind::region_end:
    case EventKind::finish:
      if (!open_.empty()) end_region();  // else the recording began inside the region
      return;
    case EventKind::sync:
      out_.memory(now_, event.bytes);
      break;
    case EventKind::call:
    case EventKind::broadcast:
    case EventKind::contribute:
    case EventKind::create:
    case EventKind::split:
      shared_.remarks().add("message of a native program: left out");
      now_ += event.call_ns;
      return;
    default:
      break;
  }
  const RegionIndex region = shared_.region(event);
  out_.enter(now_, region);
  if (event.kind == EventKind::send || event.kind == EventKind::receive) {
    write_message(step);
  } else if (event.kind == EventKind::collective) {
    write_collective(step);
  } else {
    now_ += event.call_ns;
    for (const std::uint64_t request : step.requests) complete(request);
  }
  out_.leave(now_, region);
}

}  // namespace

Remarks export_otf2(const Trace& trace, const std::string& folder) {
  // libotf2 also refuses it, but only after it has overwritten the files that it begins with.
  for (const char* const file : {"traces.otf2", "traces.def", "traces"})
    if (std::error_code ignored; std::filesystem::exists(std::filesystem::path(folder) / file, ignored))
      throw TraceError("cannot write " + folder + ": it has '" + file +
                       "' already, of an archive; remove the folder, or name another one (-o)");
  const std::unique_ptr<Otf2Output> out(load_module()(folder.c_str()));
  const auto check = [&] {
    if (!out->error().empty()) throw TraceError("cannot write " + folder + ": " + out->error());
  };
  check();
  Shared shared(trace, *out);
  Otf2Definitions& definitions = shared.definitions();
  const Header& header = trace.header();
  definitions.machine = header.machine;
  definitions.pes = header.pes;
  definitions.counters = header.counters;
  for (ObjectIndex object = 0; object < trace.object_count(); ++object) {
    definitions.places.push_back(
        {called(trace, object), object < header.placement.size() ? header.placement[object] : 0});
    Location(shared, object).write();
    check();
  }
  out->define(definitions);
  check();
  if (!trace.complete()) shared.remarks().add("recording that was cut short: objects end where it ended");
  if (!trace.steps().empty()) shared.remarks().add("LB step: left out", trace.steps().size());
  return shared.remarks().take();
}

}  // namespace skein::trace
