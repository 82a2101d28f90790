// SPDX-License-Identifier: Apache-2.0
// Batches of aggregated calls, whatever these are: what a batch begins with, by which PEs it goes, which
// elements it is charged to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// What has buffers, as the runtime knows it.
class AggregatorBase {
 public:
  virtual ~AggregatorBase() = default;
  virtual void flush() = 0;
};
void register_aggregator(AggregatorBase& aggregator);
/// All on this PE. Returns whether there was anything.
bool flush_aggregators();

/// By which PEs calls go from here.
struct CallRoutes {
  bool direct = true;
  std::vector<int> next_hops;  ///< by the PE they are meant for
};
/// The routes of the job.
const CallRoutes& call_routes();
/// At the start, the same on all PEs: PeGrid's dimensions.
void route_aggregated_calls(int dimensions);

/// What a buffer begins with.
struct BatchFront {
  std::uint32_t function, array;  ///< which runs it; whose elements it calls
  std::int32_t sender = 0;
  std::uint32_t hops = 0;  ///< the most of its calls: PackedCall::hops
  std::int64_t priority = 0;
};
/// What a call begins with that need not arrive at once.
struct Waybill {
  std::int32_t to, sender;
};
/// The longest buffer: it is one active message, that of a recorded job with its ticket.
inline constexpr std::size_t kBatchBytes = 16 * 1024 - 128;
/// Runs the function of its front with all of the batch, on the PE, from its queue.
void send_batch(int pe, Bytes batch);

/// Elements that a batch has called, whose time is charged together.
class BatchCharge {
 public:
  /// `hops`: of the batch.
  explicit BatchCharge(std::uint32_t hops);
  ~BatchCharge() { charge(); }
  BatchCharge(const BatchCharge&) = delete;
  BatchCharge& operator=(const BatchCharge&) = delete;

  static_assert(kBatchBytes <= std::numeric_limits<decltype(Element::batched)>::max(),
                "a call of a batch has an index, of a byte at least");
  /// After the call of an element.
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
