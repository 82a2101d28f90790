// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/elements/reductions.hpp"

#include <algorithm>
#include <set>

#include "runtime/chare/arrays/array_directory.hpp"
#include "runtime/chare/elements/combine.hpp"
#include "runtime/chare/elements/elements_state.hpp"
#include "runtime/chare/elements/insertion_grants.hpp"
#include "runtime/chare/messages/early.hpp"
#include "runtime/chare/messages/waiting.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/chare/record/execution_record.hpp"
#include "runtime/net/pe_tree.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {
namespace {

struct PartialHeader {
  std::uint32_t array, unused = 0;
  PartialInfo info;
};

/// Completes reductions in their order; each needs only its own contributions.
void complete(std::uint32_t array) {
  ReductionRoot& root = elements_state->roots[array];
  for (;;) {
    const auto first = root.incomplete.find(root.next);
    if (first == root.incomplete.end()) return;
    const std::int64_t wanted = root.expected(root.next);
    if (static_cast<std::int64_t>(first->second.contributions) < wanted) return;
    const OpenReduction done = std::move(first->second);
    root.incomplete.erase(first);
    root.elements = wanted;
    root.changes.erase(root.changes.begin(), root.changes.upper_bound(root.next));
    const Consequences of(because_of(trace::Cause::reduction, array, root.next++));
    deliver(done.destination, result_of(done, array_number(array)));
  }
}

/// Returns the reduction with the contributions that this PE has not sent up yet.
OpenReduction& open_number(ArrayBase& array, std::uint32_t number) {
  for (const std::unique_ptr<OpenReduction>& reduction : array.open)
    if (reduction->number == number) return *reduction;
  array.open.push_back(std::make_unique<OpenReduction>());
  array.open.back()->number = number;
  return *array.open.back();
}

void on_partial(int from_pe, Bytes message) {
  const Bytes whole = message;
  const auto header = unpack_front<PartialHeader>(message);
  if (!await_array(on_partial, from_pe, header.array, whole)) return;
  ArrayBase& array = array_number(header.array);
  if (net::world.pe == 0) {
    merge_partial(elements_state->roots[header.array].incomplete[header.info.number], array, header.info,
                  message);
    complete(header.array);
  } else {
    merge_partial(open_number(array, header.info.number), array, header.info, message);
  }
}

void note_end(std::uint32_t array, std::uint32_t number) {
  --elements_state->roots[array].changes[number];
  complete(array);
}

void on_end_of_family(int from_pe, Bytes message) {
  for (Bytes ends = message.subspan(sizeof(std::uint32_t)); !ends.empty();)
    if (!await_array(on_end_of_family, from_pe, unpack_front<FamilyEnd>(ends).array, message)) return;
  const auto leader = unpack_front<std::uint32_t>(message);
  std::set<std::uint32_t> ended;
  while (!message.empty()) {
    const auto end = unpack_front<FamilyEnd>(message);
    ended.insert(end.array);
    note_end(end.array, end.number);
  }
  // An array may have been bound that the ended element's PE had not heard of: its elements were counted but
  // never made.
  for (const ArrayBase* const bound : array_number(leader).bound)
    if (!ended.contains(bound->number())) note_end(bound->number(), 0);
}

/// Counts incomplete reductions, which only the root knows.
std::size_t incomplete_reductions() {
  std::size_t count = 0;
  for (const auto& [array, root] : elements_state->roots) count += root.incomplete.size();
  return count;
}

void describe_incomplete(std::vector<std::string>& lines) {
  for (const auto& [array, root] : elements_state->roots)
    for (const auto& [number, reduction] : root.incomplete)
      lines.push_back("reduction " + std::to_string(number) + " over " + array_number(array).name() +
                      " has " + std::to_string(reduction.contributions) + " of " +
                      std::to_string(root.expected(number)) + " contributions");
}

const Receives partials(Kind::partial, on_partial);
const Receives ends_of_families(Kind::end_of_family, on_end_of_family);
const WaitSource waits(Way::reduction, incomplete_reductions, describe_incomplete);

}  // namespace

OpenReduction& ArrayBase::open_reduction(Element& element, const ReducerInfo& reducer,
                                         const Destination& destination) {
  const std::uint32_t number = element.contributions++;
  if (settings.tickets_kept) [[unlikely]]
    record_contribution(element, number);
  OpenReduction& reduction = open_number(*this, number);
  if (reduction.reducer != &reducer || reduction.destination != destination)
    begin_or_check(reduction, *this, number, reducer, contributor(element), destination);
  return reduction;
}

void ArrayBase::flush(OpenReduction& reduction) {
  const PartialHeader header{number_, 0, info_of(reduction)};
  const std::vector<std::byte> packed = reduction.partial->pack();
  std::erase_if(open, [&](const auto& each) { return each.get() == &reduction; });
  send_insertion_requests();
  post(net::place_in_tree().parent, Kind::partial, bytes_of(header), packed);
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
  elements_state->roots[array].elements = static_cast<std::int64_t>(elements);
}

AtRoot& at_root(std::uint32_t array) { return elements_state->roots[array]; }
std::vector<AtRoot*> created_arrays() {
  std::vector<AtRoot*> all;
  for (auto& [array, root] : elements_state->roots)
    if (!root.creation.empty()) all.push_back(&root);
  std::ranges::sort(all, {}, &AtRoot::order);
  return all;
}

std::uint64_t elements(std::uint32_t array) {
  return static_cast<std::uint64_t>(elements_state->roots[array].expected(~std::uint32_t{0}));
}

std::uint32_t note_births(std::uint32_t array, std::uint32_t elements) {
  ReductionRoot& root = elements_state->roots[array];
  root.changes[root.next] += elements;
  return root.next;
}

void note_birth_at(std::uint32_t array, std::uint32_t number) {
  ++elements_state->roots[array].changes[number];
}

void send_end_of_family(std::uint32_t array, std::span<const FamilyEnd> ends) {
  // Only when PE 0 knows what the element has inserted.
  after_grants([array, told = std::vector(ends.begin(), ends.end())] {
    post(0, Kind::end_of_family, bytes_of(array),
         {reinterpret_cast<const std::byte*>(told.data()), told.size() * sizeof(FamilyEnd)});
  });
}

}  // namespace skein::chare
