// SPDX-License-Identifier: Apache-2.0
// Vectors under a reduction operation, as the algorithms see them: elements that are instances of the call's
// type, which may be derived when the operation is the program's.
#pragma once

#include <algorithm>
#include <optional>

#include "runtime/vmpi/coll/algorithms/channel.hpp"
#include "runtime/vmpi/op/op.hpp"

namespace skein::vmpi {

/// What to do with the elements. Trivially copyable.
struct Reduction {
  const Op* op = nullptr;
  const Datatype* type = nullptr;
  MPI_Datatype handle = MPI_DATATYPE_NULL;  ///< what the program knows the type by
  Kernel kernel = nullptr;                  ///< kernel_of(): the elements are side by side then

  ReductionNumber number() const { return number_of(*op, *type); }
  /// Whether copies of elements are copies of bytes: without padding in them, which is the program's.
  bool is_dense() const { return kernel && type->size() == type->extent(); }
  std::byte* element(void* base, std::int64_t i) const {
    return static_cast<std::byte*>(base) + i * type->extent();
  }
  Data elements(const void* base, std::int64_t first, std::int64_t count) const {
    return make_data(element(const_cast<void*>(base), first), count, *type);
  }
  std::size_t bytes(std::int64_t count) const { return static_cast<std::size_t>(count * type->size()); }
  /// What `count` elements take from the origin of the first on; 0 where some of it lies before that.
  std::size_t span(std::int64_t count) const {
    if (type->true_lb() < 0 || type->extent() < type->true_lb() + type->true_extent()) return 0;
    return static_cast<std::size_t>(count * type->extent());
  }
  /// inout[i] = in[i] op inout[i].
  void combine(RankState& state, const void* in, void* inout, std::int64_t first, std::int64_t count) const;
  void copy_elements(const void* from, void* to, std::int64_t first, std::int64_t count) const;
};

/// Room for `count` elements in the slot.
class Vector {
 public:
  Vector(RankState& state, const Reduction& reduction, std::int64_t count);
  /// Where element 0 has its origin, as a buffer argument of MPI means it. Aligned to 64 bytes.
  void* base() const { return base_; }

 private:
  Scratch memory_;
  void* base_;
};

/// Elements that several passes over them keep in the cache.
inline std::int64_t longest_stretch(const Reduction& reduction) {
  constexpr std::int64_t bytes = 16 * 1024;
  return std::max<std::int64_t>(1, bytes / std::max<std::int64_t>(1, reduction.type->extent()));
}
/// visit(first, length), of stretches of so many elements.
template <class Visit>
void for_each_stretch(const Reduction& reduction, std::int64_t count, const Visit& visit) {
  const std::int64_t longest = longest_stretch(reduction);
  for (std::int64_t first = 0; first < count; first += longest)
    visit(first, std::min(longest, count - first));
}

/// A partial result that grows by the parts of other ranks. The operation need not commute: a part belongs
/// either just below or just above the ranks that are in already. Between up to three buffers nothing is
/// copied but where the operation's form (the right operand is overwritten) asks for it.
class Partial {
 public:
  /// Starts as `input`, which is read only, unless it is `home` (MPI_IN_PLACE). `home`: a buffer for the
  /// result, or null to have one allocated when needed.
  Partial(RankState& state, const Reduction& reduction, std::int64_t count, const void* input, void* home)
      : state_(state), reduction_(reduction), count_(count), input_(input), home_(home), value_(input) {}

  const void* value() const { return value_; }
  /// A buffer for what is received next: not the value's, and for anything the caller likes until then.
  void* room();
  /// The value of elements [first, first + count) becomes value op room(), or room() op value. Of other
  /// elements the value is lost.
  void join_above(std::int64_t first, std::int64_t count);
  void join_below(std::int64_t first, std::int64_t count);
  /// Puts these elements of the value into `to`.
  void copy_to(void* to, std::int64_t first, std::int64_t count) const;

  /// What the algorithms of lb/collectives/reduce.hpp ask of a vector besides. The result belongs at `home`.
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

/// The whole algorithm of one rank, as in movement.hpp. `input` is where this rank's elements are (the
/// result's own buffer for MPI_IN_PLACE). All are bitwise the same on whatever PEs the ranks are: the order
/// of combination follows from ranks and sizes alone, and where several ranks get a result, it is the same
/// bits on all of them. `named`: the root as the program names it, where that is another rank.
int run_reduce(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
               std::int64_t count, int root, int named = -1);
int run_allreduce(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
                  std::int64_t count);
int run_scan(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
             std::int64_t count);
int run_exscan(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
               std::int64_t count);

class Numbers;
/// `counts` by rank; where it is null, every rank gets `count` elements.
int run_reduce_scatter(Comm& comm, int tag, const Reduction& reduction, const void* input, void* result,
                       const Numbers& counts, std::int64_t count);

}  // namespace skein::vmpi
