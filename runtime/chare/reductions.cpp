// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/reductions.hpp"

#include <algorithm>
#include <map>

#include "runtime/chare/arrays.hpp"
#include "runtime/chare/combine.hpp"
#include "runtime/chare/waiting.hpp"
#include "runtime/chare/wire.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {
namespace {

struct PartialHeader {
  std::uint32_t array, unused = 0;
  PartialInfo info;
};
struct EndHeader {
  std::uint32_t array, contributions;
};

/// Invariant: reduction n is complete when it has as many contributions as `elements` plus all changes[k]
/// with k <= n. Those below `next` are complete.
struct Root {
  std::int64_t elements = 0;
  std::map<std::uint32_t, std::int64_t> changes;
  std::uint32_t next = 0;
  std::map<std::uint32_t, OpenReduction> incomplete;

  std::int64_t expected(std::uint32_t number) const {
    std::int64_t count = elements;
    for (auto at = changes.begin(); at != changes.end() && at->first <= number; ++at) count += at->second;
    return count;
  }
};

std::map<std::uint32_t, Root> roots;

/// Completes reductions in their order; each needs its own contributions only.
void complete(std::uint32_t array) {
  Root& root = roots[array];
  for (;;) {
    const auto first = root.incomplete.find(root.next);
    if (first == root.incomplete.end()) return;
    const std::int64_t wanted = root.expected(root.next);
    if (static_cast<std::int64_t>(first->second.contributions) < wanted) return;
    const OpenReduction done = std::move(first->second);
    root.incomplete.erase(first);
    root.elements = wanted;
    root.changes.erase(root.changes.begin(), root.changes.upper_bound(root.next));
    ++root.next;
    deliver(done.destination, result_of(done, array_number(array)));
  }
}

void on_partial(int from_pe, Bytes message) {
  const Bytes whole = message;
  const auto header = take<PartialHeader>(message);
  if (!await_array(on_partial, from_pe, header.array, whole)) return;
  merge_partial(roots[header.array].incomplete[header.info.number], array_number(header.array), header.info,
                message);
  complete(header.array);
}

void on_end_of_element(int, Bytes message) {
  const auto header = take<EndHeader>(message);
  Root& root = roots[header.array];
  --root.changes[header.contributions];
  complete(header.array);
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
  auto at = std::ranges::find(open, number, [](const auto& each) { return each->number; });
  if (at == open.end()) at = open.insert(at, std::make_unique<OpenReduction>());
  OpenReduction& reduction = **at;
  if (reduction.reducer != &reducer)
    begin_or_check(reduction, *this, number, reducer, contributor(element), destination);
  return reduction;
}

void ArrayBase::flush(OpenReduction& reduction) {
  const PartialHeader header{number_, 0, info_of(reduction)};
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
