// SPDX-License-Identifier: Apache-2.0
// A partial result that grows below and above, with an operation that does not commute: x -> a x + b
// composed, modulo 2^64, compared with a plain fold in rank order.
#include <doctest/doctest.h>

#include <cstdint>
#include <deque>
#include <random>
#include <vector>

#include "runtime/vmpi/coll/algorithms/reduction.hpp"
#include "runtime/vmpi/datatype/rank_types.hpp"
#include "runtime/vmpi/op/api_op.hpp"
#include "tests/unit/rank_here.hpp"

using namespace skein::vmpi;
using skein::test::RankHere;

namespace {

/// The function x -> a x + b.
struct Affine {
  std::uint64_t a, b;
  bool operator==(const Affine&) const = default;
};

/// Applies the left operand first: right(left(x)).
Affine then(const Affine& left, const Affine& right) {
  return {left.a * right.a, left.b * right.a + right.b};
}

void compose(void* in, void* inout, int* count, MPI_Datatype*) {
  const auto* const left = static_cast<const Affine*>(in);
  auto* const right = static_cast<Affine*>(inout);
  for (int i = 0; i < *count; ++i) right[i] = then(left[i], right[i]);
}

constexpr std::size_t length = 9;
using Values = std::vector<Affine>;

/// The reduction of a rank that owns the type and the operation.
class Composition {
 public:
  Composition() {
    REQUIRE(MPI_Type_contiguous(2, MPI_UINT64_T, &type_) == MPI_SUCCESS);
    REQUIRE(MPI_Type_commit(&type_) == MPI_SUCCESS);
    REQUIRE(MPI_Op_create(compose, 0, &op_) == MPI_SUCCESS);
    value.op = find_op(rank.state(), op_);
    value.type = find_type(rank.state(), type_);
    value.handle = type_;
  }
  RankHere rank;
  Reduction value;

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  MPI_Op op_ = MPI_OP_NULL;
};

Values draw(std::mt19937_64& random) {
  Values values(length);
  for (Affine& value : values) value = {random() | 1, random()};
  return values;
}

Values folded(const std::deque<Values>& parts) {
  Values result = parts.front();
  for (std::size_t part = 1; part < parts.size(); ++part)
    for (std::size_t i = 0; i < length; ++i) result[i] = then(result[i], parts[part][i]);
  return result;
}

/// Joins seven parts, below or above by the bits of `sides`, to a partial result that has `home` or not.
void check(Composition& composition, unsigned sides, bool home, bool in_place) {
  std::mt19937_64 random(sides);
  std::deque<Values> parts{draw(random)};
  const Values original = parts.front();
  Values input = original, own(length);
  Partial partial(composition.rank.state(), composition.value, length, input.data(),
                  in_place ? input.data()
                  : home   ? own.data()
                           : nullptr);
  for (int join = 0; join < 7; ++join) {
    const Values part = draw(random);
    composition.value.copy_elements(part.data(), partial.room(), 0, length);
    if (sides >> join & 1) {
      partial.join_above(0, length);
      parts.push_back(part);
    } else {
      partial.join_below(0, length);
      parts.push_front(part);
    }
  }
  Values result(length);
  partial.copy_to(result.data(), 0, length);
  CHECK(result == folded(parts));
  if (!in_place) CHECK(input == original);
}

}  // namespace

TEST_CASE("Partial: whatever the order of joining, the parts are combined in rank order; the input stays") {
  Composition composition;
  for (unsigned sides = 0; sides < 128; ++sides) {
    CAPTURE(sides);
    check(composition, sides, false, false);
    check(composition, sides, true, false);
    check(composition, sides, true, true);
  }
}

TEST_CASE("Partial: joining a span leaves what lies outside it out of the operation") {
  Composition composition;
  std::mt19937_64 random(3);
  const Values input = draw(random), part = draw(random);
  Partial partial(composition.rank.state(), composition.value, length, input.data(), nullptr);
  composition.value.copy_elements(part.data(), partial.room(), 0, length);
  partial.join_above(2, 4);
  Values result(length, Affine{0, 0});
  partial.copy_to(result.data(), 2, 4);
  for (std::size_t i = 0; i < length; ++i)
    CHECK(result[i] == (i < 2 || i >= 6 ? Affine{0, 0} : then(input[i], part[i])));
}
