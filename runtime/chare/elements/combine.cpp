// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/elements/combine.hpp"

#include <algorithm>
#include <cstring>

#include "runtime/chare/calls/registry.hpp"
#include "runtime/chare/messages/wire.hpp"

namespace skein::chare {

namespace {

/// Contributions that are combined later, in the order of their elements' indices: records of the sizes of
/// index and value, index, value.
class Ordered final : public Partial {
 public:
  explicit Ordered(Bytes records) : records_(records.begin(), records.end()) {}
  void merge(Bytes packed) override { records_.insert(records_.end(), packed.begin(), packed.end()); }
  std::vector<std::byte> pack() const override { return records_; }

 private:
  std::vector<std::byte> records_;
};

struct RecordSizes {
  std::uint64_t index, value;
};

std::vector<std::byte> combine_in_order(Bytes records, const ReducerInfo& reducer, const ArrayBase& array) {
  struct Record {
    Bytes index, value;
  };
  std::vector<Record> all;
  while (!records.empty()) {
    const auto sizes = unpack_front<RecordSizes>(records);
    all.push_back({records.first(sizes.index), records.subspan(sizes.index, sizes.value)});
    records = records.subspan(sizes.index + sizes.value);
  }
  std::ranges::sort(all, [&](const Record& a, const Record& b) { return array.before(a.index, b.index); });
  const std::unique_ptr<Partial> result = reducer.unpack(all.front().value);
  for (std::size_t i = 1; i < all.size(); ++i) result->merge(all[i].value);
  return result->pack();
}

std::unique_ptr<Partial> unpack_partial(const ReducerInfo& reducer, Bytes packed) {
  if (settings.ordered_reductions) return std::make_unique<Ordered>(packed);
  return reducer.unpack(packed);
}

}  // namespace

void add_in_order(OpenReduction& reduction, const Element& element, Bytes value) {
  const Bytes index = element.array->index_of(element);
  std::vector<std::byte> record(sizeof(RecordSizes) + index.size() + value.size());
  const RecordSizes sizes{index.size(), value.size()};
  memcpy(record.data(), &sizes, sizeof sizes);
  memcpy(record.data() + sizeof sizes, index.data(), index.size());
  if (!value.empty()) memcpy(record.data() + sizeof sizes + index.size(), value.data(), value.size());
  if (reduction.partial)
    reduction.partial->merge(record);
  else
    reduction.partial = std::make_unique<Ordered>(record);
}

PartialInfo info_of(const OpenReduction& reduction) {
  return {reduction.number, reduction.contributions, reduction.reducer->number, reduction.first,
          reduction.destination};
}

Contributor contributor(const Element& element) {
  Contributor who;
  if (calls_here.running.entry) who.entry = calls_here.running.entry->number;
  const Bytes index = element.array->index_of(element);
  if (index.size() > sizeof who.index) return who;
  who.index_bytes = static_cast<std::uint32_t>(index.size());
  memcpy(who.index, index.data(), index.size());
  return who;
}

std::string text_of(const Contributor& who, const ArrayBase& array) {
  std::string text = array.name();
  if (who.index_bytes > 0) text += array.text(Bytes(who.index).first(who.index_bytes));
  if (who.entry != Contributor::no_entry) text += std::string(" in ") + entry_number(who.entry).name;
  return text;
}

void begin_or_check(OpenReduction& reduction, const ArrayBase& array, std::uint32_t number,
                    const ReducerInfo& reducer, const Contributor& by, const Destination& destination) {
  if (!reduction.reducer) {
    reduction.number = number;
    reduction.reducer = &reducer;
    reduction.destination = destination;
    reduction.first = by;
  } else if (reduction.reducer != &reducer) {
    fail("reduction " + std::to_string(number) + " over " + array.name() +
         " has contributions of different kinds: " + reduction.reducer->name + " by " +
         text_of(reduction.first, array) + ", and " + reducer.name + " by " + text_of(by, array));
  } else if (reduction.destination != destination) {
    fail("reduction " + std::to_string(number) + " over " + array.name() +
         " has contributions with different callbacks: to " + target_of(reduction.destination) + " by " +
         text_of(reduction.first, array) + ", and to " + target_of(destination) + " by " +
         text_of(by, array));
  }
}

void merge_partial(OpenReduction& reduction, const ArrayBase& array, const PartialInfo& info, Bytes packed) {
  const ReducerInfo& reducer = reducer_number(info.reducer);
  begin_or_check(reduction, array, info.number, reducer, info.first, info.destination);
  if (reduction.partial)
    reduction.partial->merge(packed);
  else
    reduction.partial = unpack_partial(reducer, packed);
  reduction.contributions += info.contributions;
}

std::vector<std::byte> result_of(const OpenReduction& reduction, const ArrayBase& array) {
  const std::vector<std::byte> packed = reduction.partial->pack();
  return settings.ordered_reductions ? combine_in_order(packed, *reduction.reducer, array) : packed;
}

}  // namespace skein::chare
