// SPDX-License-Identifier: Apache-2.0
// Traces and platforms of tests: small programs, written event by event.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "skein/lb/platform.hpp"
#include "skein/lb/simulate.hpp"
#include "skein/lb/trace.hpp"

namespace skein::simulate {

// A rank's stream. Each call is one event; `burst` is what the rank computed before it, in ns.
class Program {
 public:
  explicit Program(std::size_t ranks, std::vector<trace::PeIndex> placement = {})
      : builder_(header(std::move(placement)), ranks), ranks_(ranks) {}

  Program& on(trace::ObjectIndex rank) {
    rank_ = rank;
    return *this;
  }
  Program& send(std::int32_t to, std::uint64_t bytes, std::uint64_t burst = 0, std::int32_t tag = 0,
                trace::SendMode mode = trace::SendMode::standard) {
    return add({.kind = trace::EventKind::send,
                .what = static_cast<std::uint8_t>(mode),
                .partner = to,
                .tag = tag,
                .bytes = bytes,
                .burst_ns = burst});
  }
  Program& isend(std::int32_t to, std::uint64_t bytes, std::uint64_t burst = 0, std::int32_t tag = 0) {
    return add({.kind = trace::EventKind::send,
                .starts_request = true,
                .partner = to,
                .tag = tag,
                .bytes = bytes,
                .burst_ns = burst});
  }
  Program& receive(std::int32_t from, std::uint64_t bytes, std::uint64_t burst = 0, std::int32_t tag = 0) {
    return add(
        {.kind = trace::EventKind::receive, .partner = from, .tag = tag, .bytes = bytes, .burst_ns = burst});
  }
  Program& ireceive(std::int32_t from, std::uint64_t bytes, std::uint64_t burst = 0, std::int32_t tag = 0) {
    return add({.kind = trace::EventKind::receive,
                .starts_request = true,
                .partner = from,
                .tag = tag,
                .bytes = bytes,
                .burst_ns = burst});
  }
  Program& matched(std::uint64_t ago, std::int32_t from, std::int32_t tag = 0) {
    const std::uint64_t list[] = {ago};
    return add({.kind = trace::EventKind::matched, .partner = from, .tag = tag, .list = list});
  }
  Program& wait(std::vector<std::uint64_t> ago, std::uint64_t burst = 0) {
    return add({.kind = trace::EventKind::wait, .list = ago, .burst_ns = burst});
  }
  Program& collective(trace::Collective kind, std::uint64_t bytes = 0, std::uint64_t burst = 0,
                      std::int32_t root = trace::kAny, std::uint32_t communicator = 0,
                      bool nonblocking = false, std::vector<std::uint64_t> list = {}) {
    return add({.kind = trace::EventKind::collective,
                .what = static_cast<std::uint8_t>(kind),
                .starts_request = nonblocking,
                .communicator = communicator,
                .partner = root,
                .bytes = bytes,
                .list = list,
                .burst_ns = burst});
  }
  // Starts the `which`-th persistent collective of the world.
  Program& start_persistent(std::int32_t which, trace::Collective kind, std::uint64_t bytes = 0,
                            std::uint64_t burst = 0) {
    return add({.kind = trace::EventKind::collective,
                .what = static_cast<std::uint8_t>(kind),
                .starts_request = true,
                .tag = which,
                .bytes = bytes,
                .burst_ns = burst});
  }
  Program& sync(std::uint64_t bytes, std::uint64_t burst = 0) {
    return add({.kind = trace::EventKind::sync, .bytes = bytes, .burst_ns = burst});
  }
  Program& probe(std::int32_t from, std::uint64_t bytes, std::uint64_t burst = 0) {
    return add({.kind = trace::EventKind::probe, .partner = from, .bytes = bytes, .burst_ns = burst});
  }
  Program& sleep(std::uint64_t ns, std::uint64_t burst = 0) {
    return add({.kind = trace::EventKind::sleep, .burst_ns = burst, .call_ns = ns});
  }
  Program& file(std::uint64_t ns, std::uint64_t burst = 0) {
    return add({.kind = trace::EventKind::file, .bytes = 1, .burst_ns = burst, .call_ns = ns});
  }
  Program& end(std::uint64_t burst = 0) { return add({.kind = trace::EventKind::end, .burst_ns = burst}); }
  Program& communicator(trace::Communicator which) {
    builder_.add(std::move(which));
    return *this;
  }
  std::size_t ranks() const { return ranks_; }
  trace::Trace finish() { return std::move(builder_).finish(); }

 private:
  static trace::Header header(std::vector<trace::PeIndex> placement) {
    trace::Header header;
    header.placement = std::move(placement);
    return header;
  }
  Program& add(const trace::Event& event) {
    builder_.add(rank_, event);
    return *this;
  }

  trace::TraceBuilder builder_;
  std::size_t ranks_;
  trace::ObjectIndex rank_ = 0;
};

// `pes` nodes of one PE; a message takes 1000 ns, 100 ns of its sender's time before, 50 of its receiver's
// after, and half a nanosecond a byte on the wire. Nothing else takes time.
inline Platform apart(std::uint32_t pes) {
  Platform platform;
  platform.name = "apart";
  platform.nodes = pes;
  platform.network.latency_ns = 1000;
  platform.network.send_ns = 100;
  platform.network.receive_ns = 50;
  platform.network.byte_ns = 0.5;
  return platform;
}

// One node of `pes` PEs: 200 ns a message, 20 of the sender's and 30 of the receiver's time, who also copies
// at a quarter of a nanosecond a byte.
inline Platform together(std::uint32_t pes) {
  Platform platform;
  platform.name = "together";
  platform.pes_per_node = pes;
  platform.node.latency_ns = 200;
  platform.node.send_ns = 20;
  platform.node.receive_ns = 30;
  platform.node.receive_byte_ns = 0.25;
  platform.node.fetch_byte_ns = 0.25;
  return platform;
}

inline Policy in_blocks() {
  Policy policy;
  policy.keep_bursts = true;
  return policy;
}

}  // namespace skein::simulate
