// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/reductions.hpp"

#include <map>

#include "runtime/chare/arrays.hpp"
#include "runtime/chare/registry.hpp"
#include "runtime/chare/waiting.hpp"
#include "runtime/chare/wire.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {
namespace {

struct PartialHeader {
  std::uint32_t array, number, contributions, reducer;
  Destination destination;
};
struct EndHeader {
  std::uint32_t array, contributions;
};

struct RootReduction {
  std::uint64_t contributions = 0;
  const ReducerInfo* reducer = nullptr;
  std::unique_ptr<Partial> result;
  Destination destination;
};

/// Invariant: reduction n is complete when it has as many contributions as `elements` plus all changes[k]
/// with k <= n. Those below `next` are complete.
struct Root {
  std::int64_t elements = 0;
  std::map<std::uint32_t, std::int64_t> changes;
  std::uint32_t next = 0;
  std::map<std::uint32_t, RootReduction> incomplete;

  std::int64_t expected(std::uint32_t number) const {
    std::int64_t count = elements;
    for (auto at = changes.begin(); at != changes.end() && at->first <= number; ++at) count += at->second;
    return count;
  }
};

std::map<std::uint32_t, Root> roots;

/// Completes reductions in their order; each needs its own contributions only.
void complete(Root& root) {
  for (;;) {
    const auto first = root.incomplete.find(root.next);
    if (first == root.incomplete.end()) return;
    const std::int64_t wanted = root.expected(root.next);
    if (static_cast<std::int64_t>(first->second.contributions) < wanted) return;
    const RootReduction done = std::move(first->second);
    root.incomplete.erase(first);
    root.elements = wanted;
    root.changes.erase(root.changes.begin(), root.changes.upper_bound(root.next));
    ++root.next;
    deliver(done.destination, done.result->pack());
  }
}

[[noreturn]] void mismatch(std::uint32_t array, std::uint32_t number, const ReducerInfo& one,
                           const ReducerInfo& other) {
  fail("reduction " + std::to_string(number) + " over " + array_number(array).name() +
       " has contributions of different kinds: " + one.name + " and " + other.name);
}

void on_partial(int, Bytes message) {
  const auto header = take<PartialHeader>(message);
  Root& root = roots[header.array];
  RootReduction& reduction = root.incomplete[header.number];
  const ReducerInfo& reducer = reducer_number(header.reducer);
  if (reduction.reducer && reduction.reducer != &reducer)
    mismatch(header.array, header.number, *reduction.reducer, reducer);
  if (reduction.result) {
    reduction.result->merge(message);
  } else {
    reduction.reducer = &reducer;
    reduction.result = reducer.unpack(message);
    reduction.destination = header.destination;
  }
  reduction.contributions += header.contributions;
  complete(root);
}

void on_end_of_element(int, Bytes message) {
  const auto header = take<EndHeader>(message);
  Root& root = roots[header.array];
  --root.changes[header.contributions];
  complete(root);
}

// Only the root knows.
std::size_t incomplete_reductions() {
  std::size_t count = 0;
  for (const auto& [array, root] : roots) count += root.incomplete.size();
  return count;
}

void describe_incomplete(std::vector<std::string>& lines) {
  for (const auto& [array, root] : roots)
    for (const auto& [number, reduction] : root.incomplete)
      lines.push_back("reduction " + std::to_string(number) + " over " + array_number(array).name() +
                      " has " + std::to_string(reduction.contributions) + " of " +
                      std::to_string(root.expected(number)) + " contributions");
}

}  // namespace

void start_reductions() {
  add_wait_source({incomplete_reductions, describe_incomplete});
  set_receiver(Kind::partial, on_partial);
  set_receiver(Kind::end_of_element, on_end_of_element);
}

OpenReduction& ArrayBase::open_reduction(Element& element, const ReducerInfo& reducer,
                                         const Destination& destination) {
  const std::uint32_t number = element.contributions++;
  for (const std::unique_ptr<OpenReduction>& reduction : open) {
    if (reduction->number != number) continue;
    if (reduction->reducer != &reducer) mismatch(number_, number, *reduction->reducer, reducer);
    return *reduction;
  }
  open.push_back(std::make_unique<OpenReduction>());
  *open.back() = {number, 0, &reducer, nullptr, destination};
  return *open.back();
}

void ArrayBase::flush(OpenReduction& reduction) {
  const PartialHeader header{number_, reduction.number, reduction.contributions, reduction.reducer->number,
                             reduction.destination};
  const std::vector<std::byte> packed = reduction.partial->pack();
  std::erase_if(open, [&](const auto& each) { return each.get() == &reduction; });
  post(0, Kind::partial, bytes_of(header), packed);
}

bool flush_reductions() {
  bool any = false;
  for (const std::unique_ptr<ArrayBase>& array : all_arrays()) {
    while (array && !array->open.empty()) {
      array->flush(*array->open.front());
      any = true;
    }
  }
  return any;
}

void expect_contributions(std::uint32_t array, std::uint64_t elements) {
  roots[array].elements = static_cast<std::int64_t>(elements);
}

std::uint32_t note_birth(std::uint32_t array) {
  Root& root = roots[array];
  ++root.changes[root.next];
  return root.next;
}

void send_end_of_element(std::uint32_t array, std::uint32_t contributions) {
  post(0, Kind::end_of_element, bytes_of(EndHeader{array, contributions}));
}

}  // namespace skein::chare
