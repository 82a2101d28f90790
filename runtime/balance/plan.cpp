// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/plan.hpp"

#include <cstring>
#include <span>
#include <type_traits>

#include "runtime/balance/roles.hpp"
#include "runtime/net/pe_collectives.hpp"

namespace skein::balance {
namespace {

/// Appends what it is given to bytes; of a vector or a string how many, then their bytes.
class Packer {
 public:
  template <class T>
  void operator()(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    append(&value, sizeof value);
  }
  template <class List>
  void list(const List& list) {
    (*this)(static_cast<std::uint64_t>(list.size()));
    append(list.data(), list.size() * sizeof list[0]);
  }
  std::vector<std::byte> bytes;

 private:
  void append(const void* data, std::size_t size) {
    const auto* const first = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), first, first + size);
  }
};

/// Takes the same from bytes.
class Unpacker {
 public:
  explicit Unpacker(std::span<const std::byte> bytes) : rest_(bytes) {}
  template <class T>
  void operator()(T& value) {
    copy(&value, sizeof value);
  }
  template <class List>
  void list(List& list) {
    std::uint64_t size = 0;
    (*this)(size);
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

/// Whether the optional part is there; in the plan that is unpacked it is from here on.
template <class Archive, class T>
bool has(Archive& archive, std::optional<T>& part) {
  bool there = part.has_value();
  archive(there);
  if (there && !part) part.emplace();
  return there;
}

template <class Archive>
void each_member(Archive& archive, Plan& plan) {
  archive.list(plan.step.strategy);
  for (lb::FinishTimes* times : {&plan.step.before, &plan.step.after}) {
    archive.list(times->of_pe);
    archive(times->perfect);
  }
  archive(plan.step.moves);
  archive.list(plan.step.decision.pe_of);
  archive.list(plan.step.decision.splits);
  archive.list(plan.step.held_bytes);
  archive(plan.step.loads.objects);
  archive.list(plan.step.loads.quantiles);
  archive.list(plan.why);
  archive.list(plan.pinned);
  if (has(archive, plan.together)) {
    archive.list(plan.together->objects);
    archive.list(plan.together->bytes);
  }
  if (has(archive, plan.late)) archive(*plan.late);
}

}  // namespace

void tell_plan(Plan& plan) {
  Packer packer;
  if (net::world.pe == deciding_pe()) each_member(packer, plan);
  net::broadcast_block(packer.bytes, deciding_pe());
  Unpacker unpacker(packer.bytes);
  Plan told{.decide_start = plan.decide_start};
  each_member(unpacker, told);
  plan = std::move(told);
}

}  // namespace skein::balance
