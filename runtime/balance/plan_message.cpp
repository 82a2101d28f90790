// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/plan_message.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace skein::balance {
namespace {

class Packer {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    append(&value, sizeof value);
  }
  /// Puts a vector or a string: how many, then their bytes.
  template <class List>
  void put_list(const List& list) {
    put(static_cast<std::uint64_t>(list.size()));
    append(list.data(), list.size() * sizeof list[0]);
  }
  std::vector<std::byte> bytes;

 private:
  void append(const void* data, std::size_t size) {
    const auto* const first = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), first, first + size);
  }
};

class Unpacker {
 public:
  explicit Unpacker(std::span<const std::byte> bytes) : rest_(bytes) {}
  template <class T>
  void take(T& value) {
    copy(&value, sizeof value);
  }
  template <class List>
  void take_list(List& list) {
    std::uint64_t size = 0;
    take(size);
    list.resize(size);
    copy(list.data(), size * sizeof list[0]);
  }

 private:
  void copy(void* to, std::size_t size) {
    if (size > 0) memcpy(to, rest_.data(), size);
    rest_ = rest_.subspan(size);
  }
  std::span<const std::byte> rest_;
};

}  // namespace

std::vector<std::byte> packed(const Plan& plan) {
  Packer packer;
  packer.put_list(plan.step.strategy);
  for (const lb::FinishTimes* times : {&plan.step.before, &plan.step.after}) {
    packer.put_list(times->of_pe);
    packer.put(times->perfect);
  }
  packer.put(plan.step.moves);
  packer.put_list(plan.step.decision.pe_of);
  packer.put_list(plan.step.decision.splits);
  packer.put_list(plan.step.held_bytes);
  packer.put(plan.step.loads.objects);
  packer.put_list(plan.step.loads.quantiles);
  packer.put_list(plan.why);
  packer.put_list(plan.pinned);
  packer.put(plan.together.has_value());
  if (plan.together) {
    packer.put_list(plan.together->objects);
    packer.put_list(plan.together->bytes);
  }
  packer.put(plan.late.has_value());
  if (plan.late) packer.put(*plan.late);
  return std::move(packer.bytes);
}

Plan unpacked_plan(std::span<const std::byte> bytes) {
  Plan plan;
  Unpacker unpacker(bytes);
  unpacker.take_list(plan.step.strategy);
  for (lb::FinishTimes* times : {&plan.step.before, &plan.step.after}) {
    unpacker.take_list(times->of_pe);
    unpacker.take(times->perfect);
  }
  unpacker.take(plan.step.moves);
  unpacker.take_list(plan.step.decision.pe_of);
  unpacker.take_list(plan.step.decision.splits);
  unpacker.take_list(plan.step.held_bytes);
  unpacker.take(plan.step.loads.objects);
  unpacker.take_list(plan.step.loads.quantiles);
  unpacker.take_list(plan.why);
  unpacker.take_list(plan.pinned);
  bool is_together = false, is_late = false;
  unpacker.take(is_together);
  if (is_together) {
    unpacker.take_list(plan.together.emplace().objects);
    unpacker.take_list(plan.together->bytes);
  }
  unpacker.take(is_late);
  if (is_late) unpacker.take(plan.late.emplace());
  return plan;
}

}  // namespace skein::balance
