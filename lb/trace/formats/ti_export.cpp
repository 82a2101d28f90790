// SPDX-License-Identifier: Apache-2.0
// Exports traces as SimGrid's time-independent ones. Amounts of messages are bytes: `init` without an
// argument makes MPI_BYTE their type.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <utility>

#include "lb/trace/formats/collective_messages.hpp"
#include "lb/trace/formats/collectives.hpp"
#include "lb/trace/formats/messages.hpp"
#include "lb/trace/formats/remarks.hpp"
#include "lb/trace/formats/ti_tags.hpp"
#include "skein/lb/trace_formats.hpp"

namespace skein::trace {
namespace {

namespace fs = std::filesystem;

struct Exported {
  const Trace& trace;
  const TiOptions& options;
  Messages messages;
  Collectives collectives;
  TiTags tags;
  Remarker remarks;

  Exported(const Trace& all, const TiOptions& how)
      : trace(all),
        options(how),
        messages(all),
        collectives(all, messages),
        tags(all, messages, collectives) {}
};

/// The names that a wait gives a request.
struct Request {
  ObjectIndex sender, receiver;
  std::int32_t tag;
};

/// Writes the file of one rank.
class RankWriter {
 public:
  RankWriter(Exported& all, ObjectIndex rank, const fs::path& path)
      : all_(all), rank_(rank), path_(path), out_(path, std::ios::binary), messages_(all.messages, rank) {
    if (!out_) throw TraceError("cannot write " + path.string() + ": " + std::strerror(errno));
  }

  void write() {
    begin("init");
    end();
    MpiStream events = all_.messages.stream(rank_);
    while (const MpiStream::Step* const step = events.next()) {
      burst_ns_ += step->burst_ns;
      write(*step);
    }
    compute();
    begin("finalize");
    end();
    flush();
    out_.close();
    if (!out_) throw TraceError("cannot write " + path_.string() + ": is the disk full?");
  }

 private:
  // ---- lines
  void begin(std::string_view action) {
    put_number(rank_);
    line_.push_back(' ');
    line_.append(action);
  }
  template <class Number>
  void put_number(Number number) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    line_.append(digits, end);
  }
  template <class Number>
  RankWriter& put(Number number) {
    line_.push_back(' ');
    put_number(number);
    return *this;
  }
  void end() {
    line_.push_back('\n');
    if (line_.size() > 1 << 16) flush();
  }
  void flush() {
    out_.write(line_.data(), static_cast<std::streamsize>(line_.size()));
    line_.clear();
  }

  void compute() {
    if (burst_ns_ == 0) return;
    begin("compute");
    if (all_.options.flops == 1e9)
      put(burst_ns_);
    else
      put(static_cast<double>(burst_ns_) * 1e-9 * all_.options.flops);
    end();
    burst_ns_ = 0;
  }

  // ---- messages
  void message(std::string_view action, std::size_t partner, std::int32_t tag, std::uint64_t bytes) {
    begin(action);
    put(partner).put(tag).put(bytes);
    end();
  }
  void wait(std::vector<Request> requests) {
    if (requests.size() > 1 && requests.size() == started_) {
      begin("waitall");
      end();
    } else {
      for (const Request& request : requests) {
        begin("wait");
        put(request.sender).put(request.receiver).put(request.tag);
        end();
      }
    }
    started_ -= requests.size();
  }

  void write(const MpiStream::Step& step);
  void write_message(const MpiStream::Step& step);
  void write_wait(const MpiStream::Step& step);
  void write_collective(const MpiStream::Step& step);
  void write_world(const CollectiveCall& call);
  void write_steps(const Communicator& communicator, const CollectiveCall& call, std::uint64_t number,
                   const MpiStream::Step& step);
  /// Checks an amount of a collective, which smpirun reads as int.
  std::uint64_t checked(std::uint64_t bytes) const;

  Exported& all_;
  const ObjectIndex rank_;
  const fs::path path_;
  std::ofstream out_;
  std::string line_;
  std::uint64_t burst_ns_ = 0;
  std::size_t started_ = 0;  // requests that SimGrid knows and no line waited for
  MessageCounter messages_;
  std::unordered_map<std::uint64_t, std::vector<Request>> requests_;  // by request of the rank
  CollectiveCounter made_;
};

void RankWriter::write(const MpiStream::Step& step) {
  const Event& event = *step.event;
  switch (event.kind) {
    case EventKind::send:
    case EventKind::receive:
      return write_message(step);
    case EventKind::wait:
      return write_wait(step);
    case EventKind::collective:
      return write_collective(step);
    case EventKind::probe:
      all_.remarks.add("probe: left out; the receive after it waits instead");
      return;
    case EventKind::sync:
      if (all_.options.migrate) {
        compute();
        begin("migrate");
        put(event.bytes);
        end();
      }
      return;
    case EventKind::file:
    case EventKind::sleep:
      compute();
      begin("sleep");
      put(static_cast<double>(event.call_ns) * 1e-9);
      end();
      if (event.kind == EventKind::file) all_.remarks.add("file call: a sleep of the time that it took");
      return;
    case EventKind::region_begin:
      all_.remarks.add("named region: left out");
      return;
    case EventKind::region_end:
    case EventKind::end:
      return;
    default:
      throw TraceError(place_of(all_.trace, rank_, step.number) +
                       " is of a kind that programs of MPI do not have: the trace is damaged");
  }
}

void RankWriter::write_message(const MpiStream::Step& step) {
  const Event& event = *step.event;
  const bool sends = event.kind == EventKind::send;
  if (!step.channel) {
    all_.remarks.add(sends ? "send that was cancelled: left out"
                           : "nonblocking receive that took no message: left out");
    return;
  }
  const Channel& channel = *step.channel;
  const std::int32_t tag = all_.tags.of(messages_.count(channel, sends));
  if (sends && static_cast<SendMode>(event.what) == SendMode::synchronous)
    all_.remarks.add(
        "synchronous send: a standard one, which waits for its receiver only where SimGrid does so for its "
        "size (smpi/send-is-detached-thresh)");
  compute();
  constexpr std::string_view actions[2][2] = {{"recv", "irecv"}, {"send", "isend"}};
  message(actions[sends][event.starts_request], sends ? channel.receiver : channel.sender, tag, step.bytes);
  if (!event.starts_request) return;
  requests_[step.request] = {{channel.sender, channel.receiver, tag}};
  ++started_;
}

void RankWriter::write_wait(const MpiStream::Step& step) {
  std::vector<std::uint64_t> requests = step.requests;
  std::ranges::sort(requests);
  std::vector<Request> named;
  for (const std::uint64_t request : requests) {
    const auto found = requests_.find(request);
    if (found == requests_.end()) continue;  // the request took no message
    named.insert(named.end(), found->second.begin(), found->second.end());
    requests_.erase(found);
  }
  if (named.empty()) return;
  compute();
  wait(std::move(named));
}

void RankWriter::write_collective(const MpiStream::Step& step) {
  const Event& event = *step.event;
  const std::uint64_t number = all_.collectives.number(event, made_.count(event));
  const CollectiveCall& call = all_.collectives.call(event.communicator, number);
  compute();
  if (event.communicator == 0 && !event.starts_request && !all_.options.messages) return write_world(call);
  if (event.communicator != 0 && call.kind == Collective::create_comm && !all_.options.messages) {
    begin("comm_split");
    end();
    return;
  }
  write_steps(all_.trace.communicator(event.communicator), call, number, step);
}

std::uint64_t RankWriter::checked(std::uint64_t bytes) const {
  if (bytes > std::numeric_limits<std::int32_t>::max())
    throw TraceError(
        "a collective of rank " + std::to_string(rank_) + " has " + std::to_string(bytes) +
        " B for one member, and smpirun -replay takes no more than 2^31 - 1. Export it as messages "
        "(--collectives messages)");
  return bytes;
}

void RankWriter::write_world(const CollectiveCall& call) {
  const std::size_t ranks = all_.trace.object_count();
  const std::uint64_t bytes = call.bytes;
  const auto given = [&](std::size_t from, std::size_t to) {
    return checked(all_.collectives.bytes(call, from, to));
  };
  const auto sum_of = [&](auto count) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < ranks; ++i) sum += count(i);
    return checked(sum);
  };
  const auto root = static_cast<std::size_t>(std::max(call.root, 0));
  switch (call.kind) {
    case Collective::barrier:
      begin("barrier");
      break;
    case Collective::bcast:
      begin("bcast");
      put(bytes).put(root);
      break;
    case Collective::reduce:
      begin("reduce");
      put(bytes).put(0).put(root);
      break;
    case Collective::allreduce:
      begin("allreduce");
      put(bytes).put(0);
      break;
    case Collective::gather:
    case Collective::scatter:
      begin(name_of(call.kind));
      put(checked(bytes)).put(bytes).put(root);
      break;
    case Collective::allgather:
    case Collective::alltoall:
      begin(name_of(call.kind));
      put(checked(bytes)).put(bytes);
      break;
    case Collective::gatherv:
      begin("gatherv");
      put(given(rank_, root));
      for (std::size_t from = 0; from < ranks; ++from) put(given(from, root));
      put(root);
      break;
    case Collective::allgatherv:
      begin("allgatherv");
      put(given(rank_, 0));
      for (std::size_t from = 0; from < ranks; ++from) put(given(from, 0));
      break;
    case Collective::scatterv:
      begin("scatterv");
      for (std::size_t to = 0; to < ranks; ++to) put(given(root, to));
      put(given(root, rank_)).put(root);
      break;
    case Collective::alltoallv:
    case Collective::alltoallw: {
      begin("alltoallv");
      put(sum_of([&](std::size_t to) { return given(rank_, to); }));
      for (std::size_t to = 0; to < ranks; ++to) put(given(rank_, to));
      put(sum_of([&](std::size_t from) { return given(from, rank_); }));
      for (std::size_t from = 0; from < ranks; ++from) put(given(from, rank_));
      break;
    }
    case Collective::reduce_scatter_block:
      begin("reducescatter");
      for (std::size_t to = 0; to < ranks; ++to) put(checked(bytes / ranks));
      put(0);
      break;
    case Collective::reduce_scatter:
      begin("reducescatter");
      for (std::size_t to = 0; to < ranks; ++to) put(given(rank_, to));
      put(0);
      break;
    case Collective::scan:
    case Collective::exscan:
      begin(name_of(call.kind));
      put(bytes).put(0);
      break;
    case Collective::create_comm:
      begin("comm_split");
      break;
    default:
      throw TraceError("a collective of unknown kind " + std::to_string(static_cast<int>(call.kind)) +
                       ": the trace is damaged");
  }
  end();
}

void RankWriter::write_steps(const Communicator& communicator, const CollectiveCall& call,
                             std::uint64_t number, const MpiStream::Step& step) {
  using Kind = collectives::Step::Kind;
  const bool goes_on = step.event->starts_request;
  const std::size_t self = all_.collectives.place(communicator.id, rank_);
  const StepList steps = goes_on ? nonblocking_steps(all_.collectives, communicator, call, self)
                                 : blocking_steps(all_.collectives, communicator, call, self);
  if (goes_on)
    all_.remarks.add(std::string("nonblocking ") + std::string(name_of(call.kind)) +
                     ": messages from each member to all who need what it has");
  else if (!all_.options.messages)
    all_.remarks.add(std::string(name_of(call.kind)) +
                     " of a communicator other than the world: the messages that Skein's MPI sends for it");
  const std::int32_t tag = all_.tags.of_collective(communicator.id, number);
  const auto object_at = [&](std::size_t place) {
    const std::size_t members = communicator.members.size();
    return place < members ? communicator.members[place] : communicator.others[place - members];
  };
  std::vector<Request> started;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const collectives::Step& each = steps[i];
    if (each.kind == Kind::wait) {
      wait(std::exchange(started, {}));
      continue;
    }
    const bool sends = each.kind == Kind::send;
    const ObjectIndex peer = object_at(static_cast<std::size_t>(each.peer));
    const bool alone = started.empty() && i + 1 < steps.size() && steps[i + 1].kind == Kind::wait;
    if (alone) {
      message(sends ? "send" : "recv", peer, tag, each.bytes);
      ++i;
      continue;
    }
    message(sends ? "isend" : "irecv", peer, tag, each.bytes);
    started.push_back(sends ? Request{rank_, peer, tag} : Request{peer, rank_, tag});
    ++started_;
  }
  if (goes_on) requests_[step.request] = std::move(started);
}

}  // namespace

Remarks export_ti(const Trace& trace, const std::string& folder, const TiOptions& options) {
  if (trace.header().native)
    throw TraceError(
        "the trace is of a native program, whose entry methods TI does not know; otf2 and perfetto do");
  if (trace.object_count() == 0) throw TraceError("the trace has no ranks");
  Exported all(trace, options);
  check_received(trace, all.messages);

  std::error_code error;
  const fs::path out = fs::absolute(folder, error);
  fs::create_directories(out, error);
  if (error) throw TraceError("cannot make the folder " + folder + ": " + error.message());
  const fs::path list_path = out / "traces.txt";
  std::ofstream list(list_path, std::ios::binary);
  for (ObjectIndex rank = 0; rank < trace.object_count(); ++rank) {
    const fs::path path = out / ("rank-" + std::to_string(rank) + ".txt");
    RankWriter(all, rank, path).write();
    list << path.string() << '\n';
  }
  list.close();
  if (!list) throw TraceError("cannot write " + list_path.string());
  return all.remarks.take();
}

}  // namespace skein::trace
