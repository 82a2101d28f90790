// SPDX-License-Identifier: Apache-2.0
// A PE's state of the elements of all arrays, besides the arrays themselves.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "runtime/base/pe_runtime.hpp"
#include "skein/chare/array_base.hpp"
#include "skein/chare/batches.hpp"
#include "skein/chare/ticket.hpp"

namespace skein::chare {

struct Aggregation {
  std::vector<AggregatorBase*> aggregators;
  std::vector<Element*> called;  // memory of BatchCharge: one batch runs at a time
  CallRoutes routes;
};

struct Broadcasts {
  struct DropMessage {
    void operator()(Message* message) const { message->entry->drop(*message); }
  };
  struct ToRun {
    std::unique_ptr<Message, DropMessage> call;
    Ticket because;
  };

  /// Broadcasts to run, by array, in their order, which priorities do not change.
  std::map<const ArrayBase*, std::deque<ToRun>> to_run;
  /// On PE 0: the number of the next broadcast, by array.
  std::unordered_map<std::uint32_t, std::uint32_t> next;
};

struct Beginning;  // families.hpp
struct Asking {
  /// A number of insertions into an array; a request is its number, then these.
  struct Wanted {
    std::uint32_t array, count;
  };
  struct ChildRequest {
    int pe;
    std::uint32_t number;
    std::vector<Wanted> wanted;
  };
  /// A request of this PE; without `granted`, `call` waits for the requests before it.
  struct OwnRequest {
    std::uint32_t array;
    std::function<void(std::uint32_t number, std::span<const Beginning> beginnings)> granted;
    std::function<void()> call;
  };
  /// The requests of one message.
  struct Batch {
    std::uint32_t number = 0;
    std::vector<ChildRequest> children;
    std::vector<OwnRequest> own;
    bool empty() const { return children.empty() && own.empty(); }
  };

  std::deque<Batch> asked;  // not answered yet, in the order of asking
  Batch next;               // the requests after those
  std::uint32_t requests = 0;
  std::deque<ChildRequest> unanswered;  // on PE 0
  std::uint32_t insertions = 0;         // granted so far, on PE 0
};

/// The state of an array by which its reductions continue; states of the job have it.
struct AtRoot {
  std::int64_t elements = 0;
  std::map<std::uint32_t, std::int64_t> changes;  ///< of the number of elements, from that reduction on
  std::uint32_t next = 0;                         ///< the next reduction
  std::vector<std::byte> creation;                ///< its description (creation.cpp)
  std::uint64_t order = 0;                        ///< number of arrays before it
  bool created_again = false;                     ///< by the function given to run(), which has run again
  template <class Ar>
  void serialize(Ar& ar, unsigned) {
    ar& elements& changes& next& creation& order;
  }
};
/// Invariant: reduction n is complete when it has as many contributions as `elements` plus all changes[k]
/// with k <= n. Reductions below `next` are complete.
struct ReductionRoot : AtRoot {
  std::map<std::uint32_t, OpenReduction> incomplete;

  std::int64_t expected(std::uint32_t number) const {
    std::int64_t count = elements;
    for (auto at = changes.begin(); at != changes.end() && at->first <= number; ++at) count += at->second;
    return count;
  }
};

/// A PE that was told just now where an element is. A PE whose calls come to the wrong place has mostly sent
/// many before it hears that: one message is enough. If that PE forgets the place, a later call tells it
/// again.
struct ToldCaller {
  std::uint64_t name = 0;  ///< hash of PE, array and index; after a clash calls are forwarded longer
  std::int32_t at = -1;
  std::uint32_t moves = 0, insertion = 0;
  std::uint32_t left_out = 0;  ///< messages omitted since the last
};

struct ElementsState {
  Aggregation aggregation;
  Broadcasts broadcasts;
  Asking asking;
  std::map<std::uint32_t, ReductionRoot> roots;  ///< by array
  std::array<ToldCaller, 256> told;
};
/// Hidden: accessed without the global offset table.
[[gnu::visibility("hidden")]] extern PerRuntime<ElementsState> elements_state;

}  // namespace skein::chare
