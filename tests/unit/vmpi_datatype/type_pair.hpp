// SPDX-License-Identifier: Apache-2.0
// Datatypes made twice, by the engine and by the oracle, from the same random choices.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "runtime/vmpi/datatype/construct.hpp"
#include "tests/unit/vmpi_datatype/typemap_oracle.hpp"

namespace skein::vmpi {

/// Owns one reference to a datatype.
class Owned {
 public:
  Owned() = default;
  explicit Owned(const Datatype* type) : type_(type) {}
  Owned(const Owned& other) : type_(other.type_) {
    if (type_ != nullptr) type_->retain();
  }
  Owned(Owned&& other) noexcept : type_(other.type_) { other.type_ = nullptr; }
  Owned& operator=(Owned other) {
    std::swap(type_, other.type_);
    return *this;
  }
  ~Owned() {
    if (type_ != nullptr) type_->release();
  }
  const Datatype& operator*() const { return *type_; }
  const Datatype* operator->() const { return type_; }
  const Datatype* get() const { return type_; }

 private:
  const Datatype* type_ = nullptr;
};

/// Calls make(Datatype**), which returns an error class and must succeed. Returns the datatype, committed.
template <class Make>
Owned made(Make&& make) {
  Datatype* type = nullptr;
  const int status = make(&type);
  REQUIRE(status == MPI_SUCCESS);
  type->commit();
  return Owned(type);
}

struct TypePair {
  Owned type;
  oracle::Typemap map;
};

/// Random types, nested to some depth, small enough to write out in full.
class RandomTypes {
 public:
  RandomTypes(std::uint32_t seed, std::pmr::memory_resource& memory) : random_(seed), memory_(memory) {}

  TypePair next(int depth) {
    if (depth == 0) return basic();
    for (;;) {
      TypePair made = derived(depth);
      if (made.map.entries.size() <= 3000) return made;
    }
  }

  std::int64_t number(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }

 private:
  using Numbers = std::vector<std::int64_t>;

  TypePair basic() {
    struct Choice {
      MPI_Datatype handle;
      std::int64_t size, alignment;
    };
    const Choice choices[] = {{MPI_CHAR, 1, 1},   {MPI_SHORT, 2, 2},         {MPI_INT, 4, 4},
                              {MPI_DOUBLE, 8, 8}, {MPI_LONG_DOUBLE, 16, 16}, {MPI_C_FLOAT_COMPLEX, 8, 4},
                              {MPI_BYTE, 1, 1}};
    if (number(0, 9) == 0) {  // struct {short; int;}
      oracle::Typemap pair;
      pair.entries = {{oracle::Entry::data, 0, 2, 2}, {oracle::Entry::data, 4, 4, 4}};
      return {Owned(predefined_datatype(MPI_SHORT_INT)), pair};
    }
    const Choice& c = choices[number(0, 6)];
    return {Owned(predefined_datatype(c.handle)), oracle::Typemap::basic(c.size, c.alignment)};
  }

  TypePair marker(MPI_Datatype handle, oracle::Entry::What what) {
    return {Owned(predefined_datatype(handle)), {{{what, 0, 0, 1}}}};
  }

  Numbers numbers(std::int64_t count, std::int64_t low, std::int64_t high) {
    Numbers list;
    for (std::int64_t i = 0; i < count; ++i) list.push_back(number(low, high));
    return list;
  }

  TypePair derived(int depth) {
    const MakeIn in{memory_};
    const TypePair old = next(depth - 1);
    const Datatype& type = *old.type;
    const std::int64_t count = number(0, 4), length = number(0, 3);
    const std::int64_t span = std::abs(old.map.extent()) * 3 + 8;  // markers can make extents negative
    Datatype* out = nullptr;
    int status = MPI_SUCCESS;
    oracle::Typemap map;
    switch (number(0, 9)) {
      case 0:
        status = make_contiguous(in, count, type, &out);
        map = oracle::Typemap::contiguous(count, old.map);
        break;
      case 1: {
        const std::int64_t stride = number(-3, 5);
        status = make_vector(in, count, length, stride, type, &out);
        map = oracle::Typemap::vector(count, length, stride, old.map);
        break;
      }
      case 2: {
        const std::int64_t stride = number(-span, span);
        status = make_hvector(in, count, length, stride, type, &out);
        map = oracle::Typemap::hvector(count, length, stride, old.map);
        break;
      }
      case 3: {
        const Numbers lengths = numbers(count, 0, 3), at = numbers(count, -4, 6);
        status = make_indexed(in, count, lengths.data(), at.data(), type, &out);
        map = oracle::Typemap::indexed(lengths, at, old.map);
        break;
      }
      case 4: {
        const Numbers lengths = numbers(count, 0, 3), at = numbers(count, -span, span);
        status = make_hindexed(in, count, lengths.data(), at.data(), type, &out);
        map = oracle::Typemap::hindexed(lengths, at, old.map);
        break;
      }
      case 5: {
        const Numbers lengths(static_cast<std::size_t>(count), length), at = numbers(count, -4, 6);
        status = make_indexed_block(in, count, length, at.data(), type, &out);
        map = oracle::Typemap::indexed(lengths, at, old.map);
        break;
      }
      case 6: {
        const Numbers lengths(static_cast<std::size_t>(count), length), at = numbers(count, -span, span);
        status = make_hindexed_block(in, count, length, at.data(), type, &out);
        map = oracle::Typemap::hindexed(lengths, at, old.map);
        break;
      }
      case 7: {
        const Numbers lengths = numbers(count, 0, 2), at = numbers(count, -span, span);
        std::vector<TypePair> fields;
        std::vector<const Datatype*> types;
        std::vector<oracle::Typemap> maps;
        for (std::int64_t i = 0; i < count; ++i) {
          const std::int64_t choice = number(0, 9);
          fields.push_back(choice == 0   ? marker(MPI_LB, oracle::Entry::lb_marker)
                           : choice == 1 ? marker(MPI_UB, oracle::Entry::ub_marker)
                           : i % 2 == 0  ? old
                                         : next(depth - 1));
          types.push_back(fields.back().type.get());
          maps.push_back(fields.back().map);
        }
        status = make_struct(in, count, lengths.data(), at.data(), types.data(), &out);
        map = oracle::Typemap::structure(lengths, at, maps);
        break;
      }
      case 8: {
        const std::int64_t lb = number(-8, 8), extent = number(0, span);
        status = make_resized(in, lb, extent, type, &out);
        map = oracle::Typemap::resized(lb, extent, old.map);
        break;
      }
      default:
        status = make_dup(in, type, &out);
        map = old.map;
        break;
    }
    REQUIRE(status == MPI_SUCCESS);
    return {Owned(out), map};
  }

  std::mt19937 random_;
  std::pmr::memory_resource& memory_;
};

}  // namespace skein::vmpi
