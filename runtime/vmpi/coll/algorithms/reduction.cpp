// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/algorithms/reduction.hpp"

#include <cstdlib>
#include <cstring>

#include "runtime/vmpi/op/api_op.hpp"

namespace skein::vmpi {
namespace {

constexpr std::uintptr_t kAlignment = 64;

std::size_t room_for(const Datatype& type, std::int64_t count) {
  const std::int64_t steps = count > 0 ? count - 1 : 0;
  return static_cast<std::size_t>(std::abs(type.extent()) * steps + type.true_extent()) + kAlignment;
}

/// Returns the origin of element 0, such that the lowest byte of all elements is at or just after `memory`
/// and the origin is aligned.
void* origin(std::byte* memory, const Datatype& type, std::int64_t count) {
  const std::int64_t steps = count > 0 ? count - 1 : 0;
  const std::int64_t lowest = type.true_lb() + (type.extent() < 0 ? type.extent() * steps : 0);
  const std::uintptr_t exact = reinterpret_cast<std::uintptr_t>(memory) - static_cast<std::uintptr_t>(lowest);
  return reinterpret_cast<void*>((exact + kAlignment - 1) & ~(kAlignment - 1));
}

}  // namespace

void Reduction::combine(RankState& state, const void* in, void* inout, std::int64_t first,
                        std::int64_t count) const {
  if (count == 0) return;
  if (kernel) return kernel(element(const_cast<void*>(in), first), element(inout, first), count);
  reduce_in_call(state.rank, *op, element(const_cast<void*>(in), first), element(inout, first), count, *type,
                 handle);
}

void Reduction::copy_elements(const void* from, void* to, std::int64_t first, std::int64_t count) const {
  if (from == to || count == 0) return;
  if (is_dense()) {
    memcpy(element(to, first), element(const_cast<void*>(from), first), bytes(count));
    return;
  }
  copy(elements(from, first, count), elements(to, first, count), bytes(count));
}

Vector::Vector(RankState& state, const Reduction& reduction, std::int64_t count)
    : memory_(state, room_for(*reduction.type, count)),
      base_(origin(memory_.data(), *reduction.type, count)) {}

void* Partial::buffer(bool second) {
  if (!second && home_) return home_;
  std::optional<Vector>& vector = second ? second_ : first_;
  if (!vector) vector.emplace(state_, reduction_, count_);
  return vector->base();
}

void* Partial::room() {
  void* const first = buffer(false);
  return value_ == first ? buffer(true) : first;
}

void Partial::join_above(std::int64_t first, std::int64_t count) {
  void* const part = room();
  reduction_.combine(state_, value_, part, first, count);
  value_ = part;
}

void Partial::join_below(std::int64_t first, std::int64_t count) {
  void* const part = room();
  if (value_ == input_ && input_ != home_) {  // only to be read
    void* const own = buffer(true);
    reduction_.copy_elements(value_, own, first, count);
    value_ = own;
  }
  reduction_.combine(state_, part, const_cast<void*>(value_), first, count);
}

void Partial::copy_to(void* to, std::int64_t first, std::int64_t count) const {
  reduction_.copy_elements(value_, to, first, count);
}

}  // namespace skein::vmpi
