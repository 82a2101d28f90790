// SPDX-License-Identifier: Apache-2.0
// Compares envelope and contents with the tables of MPI 4.1, section 5.1.13.
#include <doctest/doctest.h>

#include "runtime/vmpi/datatype/envelope.hpp"
#include "tests/unit/vmpi_datatype/type_pair.hpp"

using namespace skein::vmpi;

namespace {

std::pmr::memory_resource& memory() { return *std::pmr::new_delete_resource(); }
const Datatype& old() { return *predefined_datatype(MPI_INT); }

struct Contents {
  std::vector<int> ints;
  std::vector<std::int64_t> addresses, large_counts;
  std::vector<const Datatype*> types;
  bool operator==(const Contents&) const = default;
};

Contents contents_of(const Datatype& type) {
  const ContentSizes sizes = content_sizes(type);
  Contents c;
  c.ints.resize(static_cast<std::size_t>(sizes.ints));
  c.addresses.resize(static_cast<std::size_t>(sizes.addresses));
  c.large_counts.resize(static_cast<std::size_t>(sizes.large_counts));
  c.types.resize(static_cast<std::size_t>(sizes.types));
  get_contents(type, c.ints, c.addresses, c.large_counts, c.types);
  return c;
}

/// Makes a type with int and with MPI_Count arguments and compares the contents of both.
template <class Make>
void check(int combiner, const Contents& small, const Contents& large, Make&& make) {
  for (const bool is_large : {false, true}) {
    Datatype* out = nullptr;
    REQUIRE(make(MakeIn{memory(), is_large}, &out) == MPI_SUCCESS);
    const Owned type(out);
    CHECK(type->construction().combiner == combiner);
    CHECK(contents_of(*type) == (is_large ? large : small));
  }
}

}  // namespace

TEST_CASE("envelope: every constructor gives its arguments back") {
  const Datatype* o = &old();
  const std::vector<int> lengths{1, 2}, at{5, 9};
  check(MPI_COMBINER_DUP, {{}, {}, {}, {o}}, {{}, {}, {}, {o}},
        [](MakeIn in, Datatype** out) { return make_dup(in, old(), out); });
  check(MPI_COMBINER_CONTIGUOUS, {{7}, {}, {}, {o}}, {{}, {}, {7}, {o}},
        [](MakeIn in, Datatype** out) { return make_contiguous(in, 7, old(), out); });
  check(MPI_COMBINER_VECTOR, {{2, 3, 4}, {}, {}, {o}}, {{}, {}, {2, 3, 4}, {o}},
        [](MakeIn in, Datatype** out) { return make_vector(in, 2, 3, 4, old(), out); });
  check(MPI_COMBINER_HVECTOR, {{2, 3}, {40}, {}, {o}}, {{}, {}, {2, 3, 40}, {o}},
        [](MakeIn in, Datatype** out) { return make_hvector(in, 2, 3, 40, old(), out); });
  check(
      MPI_COMBINER_INDEXED, {{2, 1, 2, 5, 9}, {}, {}, {o}}, {{}, {}, {2, 1, 2, 5, 9}, {o}},
      [&](MakeIn in, Datatype** out) { return make_indexed(in, 2, lengths.data(), at.data(), old(), out); });
  check(
      MPI_COMBINER_HINDEXED, {{2, 1, 2}, {5, 9}, {}, {o}}, {{}, {}, {2, 1, 2, 5, 9}, {o}},
      [&](MakeIn in, Datatype** out) { return make_hindexed(in, 2, lengths.data(), at.data(), old(), out); });
  check(MPI_COMBINER_INDEXED_BLOCK, {{2, 3, 5, 9}, {}, {}, {o}}, {{}, {}, {2, 3, 5, 9}, {o}},
        [&](MakeIn in, Datatype** out) { return make_indexed_block(in, 2, 3, at.data(), old(), out); });
  check(MPI_COMBINER_HINDEXED_BLOCK, {{2, 3}, {5, 9}, {}, {o}}, {{}, {}, {2, 3, 5, 9}, {o}},
        [&](MakeIn in, Datatype** out) { return make_hindexed_block(in, 2, 3, at.data(), old(), out); });
  const Datatype* b = predefined_datatype(MPI_CHAR);
  const Datatype* const types[] = {o, b};
  check(MPI_COMBINER_STRUCT, {{2, 1, 2}, {5, 9}, {}, {o, b}}, {{}, {}, {2, 1, 2, 5, 9}, {o, b}},
        [&](MakeIn in, Datatype** out) { return make_struct(in, 2, lengths.data(), at.data(), types, out); });
  check(MPI_COMBINER_RESIZED, {{}, {-8, 32}, {}, {o}}, {{}, {}, {-8, 32}, {o}},
        [](MakeIn in, Datatype** out) { return make_resized(in, -8, 32, old(), out); });
}

TEST_CASE("envelope: arrays give their arguments back, not what they are lowered to") {
  const Datatype* o = &old();
  const std::vector<int> sizes{6, 7}, sub{2, 3}, at{1, 4};
  check(MPI_COMBINER_SUBARRAY, {{2, 6, 7, 2, 3, 1, 4, MPI_ORDER_C}, {}, {}, {o}},
        {{2, MPI_ORDER_C}, {}, {6, 7, 2, 3, 1, 4}, {o}}, [&](MakeIn in, Datatype** out) {
          return make_subarray(in, 2, sizes.data(), sub.data(), at.data(), MPI_ORDER_C, old(), out);
        });
  const int block = MPI_DISTRIBUTE_BLOCK, cyclic = MPI_DISTRIBUTE_CYCLIC, unset = MPI_DISTRIBUTE_DFLT_DARG;
  const std::vector<int> distributions{block, cyclic}, arguments{unset, 2}, grid{2, 3};
  check(MPI_COMBINER_DARRAY, {{6, 4, 2, 6, 7, block, cyclic, unset, 2, 2, 3, MPI_ORDER_FORTRAN}, {}, {}, {o}},
        {{6, 4, 2, block, cyclic, unset, 2, 2, 3, MPI_ORDER_FORTRAN}, {}, {6, 7}, {o}},
        [&](MakeIn in, Datatype** out) {
          return make_darray(in, 6, 4, 2, sizes.data(), distributions.data(), arguments.data(), grid.data(),
                             MPI_ORDER_FORTRAN, old(), out);
        });
}

TEST_CASE("envelope: named types have no contents, pairs included") {
  for (const BasicType& basic : basic_types()) {
    const Datatype& type = *predefined_datatype(basic.handle);
    CHECK(type.construction().combiner == MPI_COMBINER_NAMED);
    CHECK(contents_of(type) == Contents{});
  }
}

TEST_CASE("envelope: a Fortran type of chosen precision keeps what was asked for") {
  const BasicType& element = *predefined_datatype(MPI_REAL8)->basic();
  const Owned type(make_f90(memory(), MPI_COMBINER_F90_REAL, {12, 100}, element));
  CHECK(contents_of(*type) == Contents{{12, 100}, {}, {}, {}});
  CHECK(type->predefined());
  CHECK(type->size() == 8);
  CHECK(type->dense());
}
