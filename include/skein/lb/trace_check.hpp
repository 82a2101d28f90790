// SPDX-License-Identifier: Apache-2.0
// Checks whether a trace can be replayed, and sums up its contents. Pure: nothing is read or printed here.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "skein/lb/trace.hpp"

namespace skein::trace {

struct Finding {
  enum class Weight : std::uint8_t {
    note,   // can be replayed; results about this place may be wrong
    error,  // cannot be replayed
  };
  Weight weight = Weight::error;
  ObjectIndex object = 0;
  std::uint64_t event = 0;  // of the object, counted from 0
  /// Names the object and the event, the fault, the likely cause and the remedy.
  std::string text;
};

struct CheckResult {
  std::vector<Finding> findings;        // the first of each kind of check, by object
  std::uint64_t errors = 0, notes = 0;  // all, including those that are not listed
};

/// Checks that every message is received and every receive has its message; that requests exist and are
/// waited for once; that members of a communicator make the same collectives in one order; that objects meet
/// the same sync points; that entry methods begin and end, and that their causes have happened; that no
/// stream is cut short. Lists at most `most` findings of each kind. A trace that has only the ends of its
/// streams is not examined: that is its one error.
CheckResult check_trace(const Trace& trace, std::size_t most = 10);

inline constexpr std::size_t kEventKinds = static_cast<std::size_t>(EventKind::finish) + 1;

struct ObjectInfo {
  std::uint64_t events = 0;
  std::uint64_t compute_ns = 0;     // sum of bursts
  std::uint64_t call_ns = 0;        // sum of the times of calls, waiting included
  std::uint64_t messages = 0;       // sent
  std::uint64_t bytes = 0;          // sent
  std::uint64_t largest_bytes = 0;  // of memory, at the sync point with most
};

/// The visits to a region that the program names or to an entry method, inner regions included.
struct NamedPart {
  std::string name;
  std::uint64_t times = 0;    // visits
  std::uint64_t objects = 0;  // objects that visited it
  std::uint64_t compute_ns = 0, call_ns = 0;
  std::uint64_t most_ns = 0;  // the largest compute_ns of one object
  ObjectIndex most_of = 0;
};

struct TraceInfo {
  std::vector<ObjectInfo> objects;
  std::array<std::uint64_t, kEventKinds> events_by_kind{};
  std::uint64_t events = 0, messages = 0, bytes = 0, collectives = 0;
  std::uint64_t syncs = 0;        // sync_points()
  std::uint64_t compute_ns = 0;   // of all objects
  std::uint64_t duration_ns = 0;  // bursts and calls of the object with the largest sum
  /// (max / mean - 1) * 100 of the compute_ns of movable objects (Trace::movable_count()), percent.
  double imbalance = 0;
  /// The imbalance of PEs' loads under the first placement; 0 if the header does not say.
  double pe_imbalance = 0;
  std::vector<NamedPart> named;        // the largest compute_ns first
  std::vector<std::int64_t> counters;  // of Header::counters: sums
};

TraceInfo trace_info(const Trace& trace);

/// Returns the name that `skein trace info` uses: "send", "receive", ...
std::string_view name_of(EventKind kind);
std::string_view name_of(Collective kind);

}  // namespace skein::trace
