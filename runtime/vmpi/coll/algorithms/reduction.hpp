// SPDX-License-Identifier: Apache-2.0
// Vectors under a reduction operation, as the algorithms see them: elements that are instances of the call's
// type, which may be derived when the operation is the program's.
#pragma once

#include <algorithm>
#include <optional>

#include "runtime/vmpi/coll/algorithms/channel.hpp"
#include "runtime/vmpi/op/op.hpp"

namespace skein::vmpi {

/// A reduction's operation and element type. Trivially copyable.
struct Reduction {
  const Op* op = nullptr;
  const Datatype* type = nullptr;
  MPI_Datatype handle = MPI_DATATYPE_NULL;  ///< the program's handle of the type
  Kernel kernel = nullptr;                  ///< kernel_of(); if set, the elements are side by side

  ReductionNumber number() const { return number_of(*op, *type); }
  /// Returns true if elements may be copied as bytes: they have no padding, which belongs to the program.
  bool is_dense() const { return kernel && type->size() == type->extent(); }
  std::byte* element(void* base, std::int64_t i) const {
    return static_cast<std::byte*>(base) + i * type->extent();
  }
  Data elements(const void* base, std::int64_t first, std::int64_t count) const {
    return make_data(element(const_cast<void*>(base), first), count, *type);
  }
  std::size_t bytes(std::int64_t count) const { return static_cast<std::size_t>(count * type->size()); }
  /// Returns the bytes that `count` elements take from the origin of the first on, or 0 if some of them lie
  /// before it.
  std::size_t span(std::int64_t count) const {
    if (type->true_lb() < 0 || type->extent() < type->true_lb() + type->true_extent()) return 0;
    return static_cast<std::size_t>(count * type->extent());
  }
  /// Sets inout[i] = in[i] op inout[i].
  void combine(RankState& state, const void* in, void* inout, std::int64_t first, std::int64_t count) const;
  void copy_elements(const void* from, void* to, std::int64_t first, std::int64_t count) const;
};

/// Room for `count` elements in the slot.
class Vector {
 public:
  Vector(RankState& state, const Reduction& reduction, std::int64_t count);
  /// Returns the origin of element 0, as a buffer argument of MPI means it. Aligned to 64 bytes.
  void* base() const { return base_; }

 private:
  Scratch memory_;
  void* base_;
};

/// Returns the number of elements that stay in the cache over several passes.
inline std::int64_t longest_stretch(const Reduction& reduction) {
  constexpr std::int64_t bytes = 16 * 1024;
  return std::max<std::int64_t>(1, bytes / std::max<std::int64_t>(1, reduction.type->extent()));
}
/// Calls visit(first, length) for stretches of up to longest_stretch() elements.
template <class Visit>
void for_each_stretch(const Reduction& reduction, std::int64_t count, const Visit& visit) {
  const std::int64_t longest = longest_stretch(reduction);
  for (std::int64_t first = 0; first < count; first += longest)
    visit(first, std::min(longest, count - first));
}

/// A partial result that grows by the parts of other ranks. The operation need not commute: a part belongs
/// either just below or just above the ranks that are in already. Data is copied between up to three buffers
/// only where the form of the operation (it overwrites the right operand) needs it.
class Partial {
 public:
  /// Starts with the value `input`, which is only read, unless it is `home` (MPI_IN_PLACE). `home`: a buffer
  /// for the result, or null, which allocates one when needed.
  Partial(RankState& state, const Reduction& reduction, std::int64_t count, const void* input, void* home)
      : state_(state), reduction_(reduction), count_(count), input_(input), home_(home), value_(input) {}

  const void* value() const { return value_; }
  /// Returns a buffer for the next part to be received. It is not the value's, and the caller may use it
  /// until then.
  void* room();
  /// Change the value of elements [first, first + count) to value op room() or room() op value. The value of
  /// other elements is lost.
  void join_above(std::int64_t first, std::int64_t count);
  void join_below(std::int64_t first, std::int64_t count);
  /// Copies these elements of the value to `to`.
  void copy_to(void* to, std::int64_t first, std::int64_t count) const;

  /// The rest of the interface that lb/collectives/reduce.hpp needs of a vector. The result belongs at
  /// `home`.
  std::int64_t count() const { return count_; }
  std::size_t bytes() const { return reduction_.bytes(count_); }
  Data value(std::int64_t first, std::int64_t count) const {
    return reduction_.elements(value_, first, count);
  }
  Data room(std::int64_t first, std::int64_t count) { return reduction_.elements(room(), first, count); }
  Data result(std::int64_t first, std::int64_t count) const {
    return reduction_.elements(home_, first, count);
  }
  void settle(std::int64_t first, std::int64_t count) const { copy_to(home_, first, count); }

 private:
  void* buffer(bool second);

  RankState& state_;
  const Reduction& reduction_;
  std::int64_t count_;
  const void* input_;
  void* home_;
  const void* value_;
  std::optional<Vector> first_, second_;
};

/// The whole algorithms of one rank, with the preconditions of movement.hpp. `input`: this rank's elements
/// (the result's own buffer for MPI_IN_PLACE). Results do not depend on the places of ranks, bit for bit:
/// ranks and sizes alone decide the order of combination, and all ranks that get a result get the same bits.
/// `named`: the root as the program names it, if that is another rank.
int run_reduce(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
               std::int64_t count, int root, int named = -1);
int run_allreduce(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
                  std::int64_t count);
int run_scan(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
             std::int64_t count);
int run_exscan(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
               std::int64_t count);

class Numbers;
/// `counts`: by rank; if it is null, each rank gets `count` elements.
int run_reduce_scatter(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
                       const Numbers& counts, std::int64_t count);

}  // namespace skein::vmpi
