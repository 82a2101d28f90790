// SPDX-License-Identifier: Apache-2.0
// The buffers behind skein::aggregate(): one for each entry method, array and PE, of indices and arguments
// without gaps. If the PEs form a grid (pe_grid.hpp), there is one for each next PE on the way, and each call
// is preceded by its sender and its destination. A full buffer is a batch (batches.hpp).
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>

#include "skein/chare/array_of.hpp"
#include "skein/chare/batches.hpp"
#include "skein/chare/of_job.hpp"

namespace skein::chare {

template <auto method, class T>
class Aggregator final : public AggregatorBase {
 public:
  using I = typename T::IndexType;
  using Arguments = typename Entry<method>::Arguments;

  /// The aggregator that was asked for last.
  struct Latest {
    std::uint64_t array = ~std::uint64_t{0};  ///< no array's number: none yet
    Aggregator* one = nullptr;
  };
  /// Returns this PE's aggregator for an array.
  static Aggregator& of(std::uint32_t array) {
    Latest& latest = *latest_of_job;
    if (latest.array == array) [[likely]]
      return *latest.one;
    return look_up(array);
  }
  /// Returns this PE's aggregator for an array and calls of that priority.
  static Aggregator& of(std::uint32_t array, std::int64_t priority) {
    if (priority == 0) return of(array);
    std::unique_ptr<Aggregator>& one = (*of_priorities)[{array, priority}];
    if (!one) one.reset(new Aggregator(static_cast<ArrayOf<T>&>(array_number(array)), priority));
    return *one;
  }

  void add(const I& index, const Arguments& arguments) {
    const int pe = array_.pe_of(index, recent_);
    if (only_collected_) [[likely]] {
      Buffer& buffer = buffer_for(pe);
      std::byte* const at = buffer.end;
      write(at, index, arguments);
      added(pe, buffer, at + item_bytes);
    } else {
      std::byte item[item_bytes];
      write(item, index, arguments);
      add_noted(pe, item);
    }
  }

  void flush() override {
    for (int pe = 0; pe < pe_count(); ++pe)
      if (buffer_for(pe).has_calls()) send(pe);
  }

 private:
  struct Buffer {
    std::unique_ptr<std::byte[]> room;  // null: no call goes to that PE next
    std::byte* end = nullptr;           // of the calls in it
    std::byte* full_from = nullptr;     // if they end here or later, no other call has room
    std::uint32_t hops = 0;

    std::byte* begin() const { return room.get() + sizeof(BatchFront); }
    bool has_calls() const { return end != nullptr && end != begin(); }
  };

  template <class... P>
  static constexpr std::size_t size_of(std::type_identity<std::tuple<P...>>) {
    static_assert((... && (pup::bitwise<P> && std::is_trivially_copyable_v<P>)),
                  "aggregated calls have arguments whose bytes can be sent: numbers and structs of them");
    return (std::size_t{0} + ... + sizeof(P));
  }
  static constexpr std::size_t item_bytes = sizeof(I) + size_of(std::type_identity<Arguments>());
  static constexpr std::size_t with_waybill = sizeof(Waybill) + item_bytes;
  static_assert(sizeof(BatchFront) + with_waybill <= kBatchBytes, "such large calls need no aggregation");

  Aggregator(ArrayOf<T>& array, std::int64_t priority)
      : array_(array),
        priority_(priority),
        direct_(call_routes().direct),
        only_collected_(direct_ && !settings.traffic_wanted),
        buffers_(std::make_unique<Buffer[]>(static_cast<std::size_t>(pe_count()))) {
    const std::size_t call_bytes = direct_ ? item_bytes : with_waybill;
    for (const int pe : call_routes().next_hops) {
      Buffer& buffer = buffer_for(pe);
      if (buffer.room) continue;
      buffer.room = std::make_unique_for_overwrite<std::byte[]>(kBatchBytes);
      buffer.end = buffer.begin();
      buffer.full_from = buffer.room.get() + kBatchBytes - call_bytes + 1;
    }
    register_aggregator(*this);
  }

  Buffer& buffer_for(int pe) const { return buffers_[static_cast<std::size_t>(pe)]; }

  /// Finds the aggregator of an array that is not the latest one.
  [[gnu::noinline]] static Aggregator& look_up(std::uint32_t array) {
    std::unique_ptr<Aggregator>& one = (*of_arrays)[array];
    if (!one) one.reset(new Aggregator(static_cast<ArrayOf<T>&>(array_number(array)), 0));
    *latest_of_job = {array, one.get()};
    return *one;
  }

  /// Adds a call for that PE in a job where the communication graph is wanted, or calls go over other PEs.
  [[gnu::noinline]] void add_noted(int pe, const std::byte* item) {
    if (settings.traffic_wanted && calls_here.running.element)
      note_traffic(*calls_here.running.element, array_.number(), {item, sizeof(I)}, item_bytes);
    put(item, {pe, this_pe()}, 0);
  }

  void added(int pe, Buffer& buffer, std::byte* end) {
    buffer.end = end;
    calls_here.any_aggregated = true;
    if (end >= buffer.full_from) [[unlikely]]
      send(pe);
  }

  /// Puts an item for that PE into the buffer of the next PE; it has been forwarded `hops` times.
  void put(const std::byte* item, const Waybill& waybill, std::uint32_t hops) {
    const int next = call_routes().next_hops[static_cast<std::size_t>(waybill.to)];
    Buffer& buffer = buffer_for(next);
    std::byte* at = buffer.end;
    if (!direct_) {
      memcpy(at, &waybill, sizeof waybill);
      at += sizeof waybill;
    }
    memcpy(at, item, item_bytes);
    buffer.hops = std::max(buffer.hops, hops);
    added(next, buffer, at + item_bytes);
  }

  void send(int pe) {
    Buffer& buffer = buffer_for(pe);
    const BatchFront front{info.number, array_.number(), this_pe(), std::exchange(buffer.hops, 0), priority_};
    memcpy(buffer.room.get(), &front, sizeof front);
    send_batch(pe, {buffer.room.get(), std::exchange(buffer.end, buffer.begin())});
  }

  /// The place to which the last call of a batch was forwarded because its element is not here: looked up
  /// once for many consecutive calls of one element. No place changes while a batch runs.
  struct Onward {
    Aggregator* by = nullptr;  ///< null: none was forwarded
    I index{};
    Waybill waybill{};
  };
  /// Forwards the calls at the beginning of `items` that are for the element of the last one, in one piece,
  /// where calls go directly. Returns the items behind them.
  [[gnu::noinline]] static Bytes go_on_together(Bytes items, std::uint32_t hops, const Onward& onward) {
    if (!onward.by) return items;
    std::size_t bytes = 0;
    while (bytes < items.size() && memcmp(items.data() + bytes, &onward.index, sizeof(I)) == 0)
      bytes += item_bytes;
    onward.by->put_together(items.first(bytes), onward.waybill.to, hops + 1);
    return items.subspan(bytes);
  }
  void put_together(Bytes items, int pe, std::uint32_t hops) {
    Buffer& buffer = buffer_for(pe);
    while (!items.empty()) {
      const auto room = static_cast<std::size_t>(buffer.full_from - buffer.end) + item_bytes - 1;
      const std::size_t bytes = std::min(items.size(), room / item_bytes * item_bytes);
      memcpy(buffer.end, items.data(), bytes);
      buffer.hops = std::max(buffer.hops, hops);
      added(pe, buffer, buffer.end + bytes);
      items = items.subspan(bytes);
    }
  }
  /// Collects a call of a batch anew for the PE where its element is, or keeps it until the element is here.
  /// Tells the sender of the place.
  [[gnu::noinline]] void go_on(const std::byte* item, const I& index, Arguments& arguments, int sender,
                               std::uint32_t hops, Onward& onward) {
    const int pe = array_.pe_beyond(index, EntryOf<method, T>::info.name, sender);
    if (pe == this_pe())
      return array_.send(index, *EntryOf<method, T>::make(std::move(arguments)), priority_);
    onward = {this, index, {pe, sender}};
    put(item, onward.waybill, hops + 1);
  }

  static void write(std::byte* at, const I& index, const Arguments& arguments) {
    const auto put = [&at](const auto& value) {
      memcpy(at, &value, sizeof value);
      at += sizeof value;
    };
    put(index);
    std::apply([&](const auto&... value) { (put(value), ...); }, arguments);
  }
  static void read(const std::byte* at, I& index, Arguments& arguments) {
    const auto get = [&at](auto& value) {
      memcpy(&value, at, sizeof value);
      at += sizeof value;
    };
    get(index);
    std::apply([&](auto&... value) { (get(value), ...); }, arguments);
  }

  static void apply(Bytes batch) {
    BatchFront front;
    memcpy(&front, batch.data(), sizeof front);
    auto& array = static_cast<ArrayOf<T>&>(array_number(front.array));
    BatchCharge charge(front.hops);
    Onward onward;
    if (call_routes().direct) {
      for (Bytes items = batch.subspan(sizeof front); !items.empty();) {
        const bool ran = apply_item(array, items.data(), front, front.sender, charge, onward);
        items = items.subspan(item_bytes);
        if (!ran) [[unlikely]]
          items = go_on_together(items, front.hops, onward);
      }
    } else {
      for (std::size_t at = sizeof front; at < batch.size(); at += with_waybill) {
        Waybill waybill;
        memcpy(&waybill, batch.data() + at, sizeof waybill);
        const std::byte* const item = batch.data() + at + sizeof waybill;
        if (waybill.to == this_pe())
          apply_item(array, item, front, waybill.sender, charge, onward);
        else
          of(front.array, front.priority).put(item, waybill, front.hops);
      }
    }
    calls_here.running = {};
  }
  /// Applies an item of a batch. Returns true if its element is here.
  [[gnu::always_inline]] static bool apply_item(ArrayOf<T>& array, const std::byte* item,
                                                const BatchFront& front, int sender, BatchCharge& charge,
                                                Onward& onward) {
    I index;
    Arguments arguments;
    read(item, index, arguments);
    if (T* const object = array.find(index)) [[likely]] {
      Element& element = Access::element(*object);
      calls_here.running = {&element, &EntryOf<method, T>::info};
      call(element, *object, arguments);
      charge.add(element);
      return true;
    }
    calls_here.running = {};
    if (onward.by && onward.index == index && onward.waybill.sender == sender)
      onward.by->put(item, onward.waybill, front.hops + 1);
    else
      of(front.array, front.priority).go_on(item, index, arguments, sender, front.hops, onward);
    return false;
  }
  static void call(Element& element, T& object, Arguments& arguments) {
    std::apply([&](auto&... value) { EntryOf<method, T>::invoke_inline(element, object, value...); },
               arguments);
  }

  static FunctionInfo info;
  /// Not local static variables, whose initialisation is checked at each call.
  static inline OfJob<Latest> latest_of_job;
  static inline OfJob<std::unordered_map<std::uint32_t, std::unique_ptr<Aggregator>>> of_arrays;
  static inline OfJob<std::map<std::pair<std::uint32_t, std::int64_t>, std::unique_ptr<Aggregator>>>
      of_priorities;
  ArrayOf<T>& array_;
  std::int64_t priority_;
  const bool direct_;
  const bool only_collected_;          // a call needs nothing but to be collected
  std::unique_ptr<Buffer[]> buffers_;  // by PE
  RecentPes<I> recent_;
};
template <auto method, class T>
FunctionInfo Aggregator<method, T>::info = register_function({apply, 0}, &info);

}  // namespace skein::chare
