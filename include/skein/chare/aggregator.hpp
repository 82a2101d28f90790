// SPDX-License-Identifier: Apache-2.0
// The buffers behind skein::aggregate(): for each entry method, array and PE one, of indices and arguments
// without anything between.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "skein/chare/array_of.hpp"
#include "skein/chare/of_job.hpp"

namespace skein::chare {

/// What has buffers, as the runtime knows it.
class AggregatorBase {
 public:
  virtual ~AggregatorBase() = default;
  virtual void flush() = 0;
};
void register_aggregator(AggregatorBase& aggregator);
/// Whether any buffer may have something in it.
extern bool calls_aggregated;
/// All on this PE. Returns whether there was anything.
bool flush_aggregators();

/// The longest buffer: with its header it is one active message.
inline constexpr std::size_t batch_bytes = 16 * 1024 - 64;
/// Runs `apply` of the batch, which starts with the number of an array, on the PE, from its queue.
void send_batch(int pe, const FunctionInfo& apply, Bytes batch, std::int64_t priority);

/// Elements that a batch has called, whose time is charged together.
class BatchCharge {
 public:
  BatchCharge();
  ~BatchCharge() { charge(); }
  BatchCharge(const BatchCharge&) = delete;
  BatchCharge& operator=(const BatchCharge&) = delete;

  /// After the call of an element.
  void add(Element& element) {
    elements_.push_back(&element);
    if (element.ends || element.wanted_pe >= 0) [[unlikely]]
      grant(element);
  }

 private:
  void charge();
  void grant(Element& element);
  std::vector<Element*>& elements_;
};

template <auto method, class T>
class Aggregator final : public AggregatorBase {
 public:
  using I = typename T::IndexType;
  using Arguments = typename Entry<method>::Arguments;

  /// That of this PE for an array.
  static Aggregator& of(std::uint32_t array) {
    static OfJob<std::vector<std::unique_ptr<Aggregator>>> of_job;
    auto& all = *of_job;
    if (array >= all.size()) all.resize(array + 1);
    if (!all[array]) all[array].reset(new Aggregator(static_cast<ArrayOf<T>&>(array_number(array)), 0));
    return *all[array];
  }
  /// And for calls with that priority.
  static Aggregator& of(std::uint32_t array, std::int64_t priority) {
    static OfJob<std::map<std::pair<std::uint32_t, std::int64_t>, std::unique_ptr<Aggregator>>> of_job;
    if (priority == 0) return of(array);
    std::unique_ptr<Aggregator>& one = (*of_job)[{array, priority}];
    if (!one) one.reset(new Aggregator(static_cast<ArrayOf<T>&>(array_number(array)), priority));
    return *one;
  }

  void add(const I& index, const Arguments& arguments) {
    const int pe = array_.pe_of(index);
    Buffer& buffer = buffers_[static_cast<std::size_t>(pe)];
    if (traffic_wanted && running.element)
      note_traffic(*running.element, array_.number(), bytes_of(index), item_bytes);
    write(buffer.room.get() + buffer.used, index, arguments);
    buffer.used += item_bytes;
    calls_aggregated = true;
    if (buffer.used + item_bytes > batch_bytes) [[unlikely]]
      send(pe);
  }

  void flush() override {
    for (int pe = 0; pe < pe_count(); ++pe)
      if (buffers_[static_cast<std::size_t>(pe)].used > header_bytes) send(pe);
  }

 private:
  struct Buffer {
    std::unique_ptr<std::byte[]> room = std::make_unique_for_overwrite<std::byte[]>(batch_bytes);
    std::size_t used = header_bytes;
  };
  static constexpr std::size_t header_bytes = sizeof(std::uint32_t);  // the array's number

  template <class... P>
  static constexpr std::size_t size_of(std::type_identity<std::tuple<P...>>) {
    static_assert((... && (pup::bitwise<P> && std::is_trivially_copyable_v<P>)),
                  "aggregated calls have arguments whose bytes can be sent: numbers and structs of them");
    return (std::size_t{0} + ... + sizeof(P));
  }
  static constexpr std::size_t item_bytes = sizeof(I) + size_of(std::type_identity<Arguments>());
  static_assert(header_bytes + item_bytes <= batch_bytes, "such large calls need no aggregation");

  Aggregator(ArrayOf<T>& array, std::int64_t priority)
      : array_(array), priority_(priority), buffers_(static_cast<std::size_t>(pe_count())) {
    register_aggregator(*this);
    const std::uint32_t number = array.number();
    for (Buffer& buffer : buffers_) memcpy(buffer.room.get(), &number, sizeof number);
  }

  void send(int pe) {
    Buffer& buffer = buffers_[static_cast<std::size_t>(pe)];
    send_batch(pe, info, {buffer.room.get(), std::exchange(buffer.used, header_bytes)}, priority_);
  }

  static Bytes bytes_of(const I& index) { return {reinterpret_cast<const std::byte*>(&index), sizeof index}; }
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
    std::uint32_t number;
    memcpy(&number, batch.data(), sizeof number);
    auto& array = static_cast<ArrayOf<T>&>(array_number(number));
    BatchCharge charge;
    for (std::size_t at = header_bytes; at < batch.size(); at += item_bytes) {
      I index;
      Arguments arguments;
      read(batch.data() + at, index, arguments);
      if (T* const object = array.find(index)) [[likely]] {
        Element& element = Access::element(*object);
        running = {&element, &Entry<method>::info};
        call(element, *object, arguments);
        charge.add(element);
      } else {
        running = {};
        array.send(index, *Entry<method>::make(std::move(arguments)));
      }
    }
    running = {};
  }
  static void call(Element& element, T& object, Arguments& arguments) {
    std::apply([&](auto&... value) { Entry<method>::invoke_inline(element, object, value...); }, arguments);
  }

  static FunctionInfo info;
  ArrayOf<T>& array_;
  std::int64_t priority_;
  std::vector<Buffer> buffers_;  // by PE
};
template <auto method, class T>
FunctionInfo Aggregator<method, T>::info = register_function({apply, 0}, &info);

}  // namespace skein::chare
