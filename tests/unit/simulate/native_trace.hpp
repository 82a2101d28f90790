// SPDX-License-Identifier: Apache-2.0
// Traces of native programs on two PEs, event by event.
#pragma once
#include <utility>
#include <vector>

#include "tests/unit/simulate/make_trace.hpp"

class Native {
 public:
  explicit Native(std::size_t objects, std::vector<skein::trace::PeIndex> placement)
      : builder_(header(std::move(placement)), objects) {
    (void)builder_.name("Cell::run");
  }
  Native& on(skein::trace::ObjectIndex object) {
    object_ = object;
    return *this;
  }
  Native& execute(skein::trace::Cause why, std::int32_t who = -1, std::uint64_t serial = 0,
                  std::uint32_t array = 0) {
    return add({.kind = skein::trace::EventKind::execute,
                .what = static_cast<std::uint8_t>(why),
                .communicator = array,
                .partner = who,
                .serial = serial});
  }
  Native& call(std::int32_t to, std::uint64_t burst, std::uint64_t bytes = 0) {
    return add({.kind = skein::trace::EventKind::call, .partner = to, .bytes = bytes, .burst_ns = burst});
  }
  Native& split(std::int32_t part, std::uint64_t bytes) {
    return add({.kind = skein::trace::EventKind::split, .partner = part, .bytes = bytes});
  }
  Native& create(std::int32_t object) {
    return add({.kind = skein::trace::EventKind::create, .partner = object});
  }
  Native& broadcast(std::uint64_t burst) {
    return add({.kind = skein::trace::EventKind::broadcast, .communicator = 1, .burst_ns = burst});
  }
  Native& contribute(std::uint64_t serial, std::uint64_t burst) {
    return add({.kind = skein::trace::EventKind::contribute,
                .communicator = 1,
                .serial = serial,
                .burst_ns = burst});
  }
  // `declared_ns`: the load that the element declares; 0: none.
  Native& sync(std::uint64_t bytes, bool divisible = false, std::uint64_t declared_ns = 0, int level = -1) {
    return add({.kind = skein::trace::EventKind::sync,
                .what = divisible,
                .tag = level + 1,
                .bytes = bytes,
                .serial = declared_ns == 0 ? 0 : declared_ns + 1});
  }
  Native& finish(std::uint64_t burst = 0) {
    return add({.kind = skein::trace::EventKind::finish, .burst_ns = burst});
  }
  skein::trace::Trace done() { return std::move(builder_).finish(); }

 private:
  static skein::trace::Header header(std::vector<skein::trace::PeIndex> placement) {
    skein::trace::Header header;
    header.native = true;
    header.pes = 2;
    header.placement = std::move(placement);
    return header;
  }
  Native& add(const skein::trace::Event& event) {
    builder_.add(object_, event);
    return *this;
  }
  skein::trace::TraceBuilder builder_;
  skein::trace::ObjectIndex object_ = 0;
};
