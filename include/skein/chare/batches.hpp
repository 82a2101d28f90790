// SPDX-License-Identifier: Apache-2.0
// Batches of aggregated calls of any kind: how a batch begins, over which PEs it goes, which elements it is
// charged to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// An object with buffers of calls, as the runtime knows it.
class AggregatorBase {
 public:
  virtual ~AggregatorBase() = default;
  virtual void flush() = 0;
};
void register_aggregator(AggregatorBase& aggregator);
/// Flushes all aggregators on this PE. Returns true if there was anything to send.
bool flush_aggregators();

/// The routes of calls from this PE.
struct CallRoutes {
  bool direct = true;
  std::vector<int> next_hops;  ///< by the destination
};
/// Returns the routes of the job.
const CallRoutes& call_routes();
/// Sets the routes at the start. `dimensions`: PeGrid's, equal on all PEs.
void route_aggregated_calls(int dimensions);

/// The first bytes of a buffer.
struct BatchFront {
  std::uint32_t function, array;  ///< the function that runs the batch; the array of the called elements
  std::int32_t sender = 0;
  std::uint32_t hops = 0;  ///< the maximum over its calls of PackedCall::hops
  std::int64_t priority = 0;
};
/// The first bytes of a call that may be forwarded.
struct Waybill {
  std::int32_t to, sender;
};
/// The longest buffer: one active message, in a recorded job with its ticket.
inline constexpr std::size_t kBatchBytes = 16 * 1024 - 128;
/// Sends the batch; the PE runs the function of its front with all of it, from its queue.
void send_batch(int pe, Bytes batch);

/// Elements that a batch has called, whose time is charged together.
class BatchCharge {
 public:
  /// `hops`: BatchFront::hops of the batch.
  explicit BatchCharge(std::uint32_t hops);
  ~BatchCharge() { charge(); }
  BatchCharge(const BatchCharge&) = delete;
  BatchCharge& operator=(const BatchCharge&) = delete;

  static_assert(kBatchBytes <= std::numeric_limits<decltype(Element::batched)>::max(),
                "a call of a batch has an index, of a byte at least");
  /// Notes that a call of `element` has run.
  void add(Element& element) {
    if (element.batched++ == 0) elements_.push_back(&element);
    if (element.ends || element.wanted_pe >= 0) [[unlikely]]
      grant(element);
  }

 private:
  void charge();
  void grant(Element& element);
  std::vector<Element*>& elements_;
  std::uint32_t hops_;
};

}  // namespace skein::chare
