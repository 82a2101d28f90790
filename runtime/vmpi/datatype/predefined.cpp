// SPDX-License-Identifier: Apache-2.0
// The predefined datatypes, as static objects of the launcher: their addresses are the same on every PE, so
// types in slots may point to them.
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>

#include "runtime/base/check.hpp"
#include "runtime/vmpi/datatype/datatype.hpp"
#include "runtime/vmpi/datatype/maker.hpp"

namespace skein::vmpi {

constinit detail::NamedTypes detail::named{};

namespace {

/// The memory of the table below: handed out once, never given back. It is static so that the objects have
/// launcher addresses; a heap would place them differently in each process.
class StaticMemory final : public std::pmr::memory_resource {
 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    used_ = (used_ + alignment - 1) / alignment * alignment;
    SKEIN_CHECK(used_ + bytes <= bytes_.size(), "predefined datatypes need more than %zu bytes",
                bytes_.size());
    void* p = bytes_.data() + used_;
    used_ += bytes;
    return p;
  }
  void do_deallocate(void*, std::size_t, std::size_t) override {}
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  alignas(64) std::array<std::byte, 64 * 1024> bytes_{};
  std::size_t used_ = 0;
};

class Table {
 public:
  Table() {
    for (const BasicType& basic : basic_types())
      if (basic.type_class != TypeClass::pair) add_scalar(basic);
    for (const BasicType& basic : basic_types())
      if (basic.type_class == TypeClass::pair) add_pair(basic);
  }

  const Datatype* bound_marker(MPI_Datatype handle) const {
    if (handle == MPI_LB) return lb_marker_;
    return handle == MPI_UB ? ub_marker_ : nullptr;
  }

 private:
  void add_scalar(const BasicType& basic) {
    DatatypeMaker maker(memory_);
    maker.make_scalar(basic);
    finish(maker, basic);
  }

  void add_pair(const BasicType& basic) {
    const PairParts parts = pair_parts(basic);
    DatatypeMaker maker(memory_);
    maker.make_pair(basic, *predefined_datatype(parts.value), *predefined_datatype(parts.index));
    finish(maker, basic);
  }

  void finish(DatatypeMaker& maker, const BasicType& basic) {
    maker.set_predefined();
    maker.set_immortal();
    Datatype* type = maker.release();
    type->set_name(basic.name);
    type->commit();
    if (basic.handle == MPI_LB)
      lb_marker_ = type;
    else if (basic.handle == MPI_UB)
      ub_marker_ = type;
    else
      add_named(*type, reinterpret_cast<std::uintptr_t>(basic.handle) - detail::kFirstNamedType);
  }

  static void add_named(const Datatype& type, std::size_t index) {
    detail::named.types[index] = &type;
    if (type.dense() && type.layout().root.offset == 0)
      detail::named.block_sizes[index] = static_cast<std::uint8_t>(type.size());
  }

  StaticMemory memory_;
  const Datatype* lb_marker_ = nullptr;
  const Datatype* ub_marker_ = nullptr;
};

Table predefined_table;

}  // namespace

const Datatype* detail::bound_marker(MPI_Datatype handle) { return predefined_table.bound_marker(handle); }

Datatype* make_f90(std::pmr::memory_resource& memory, int combiner, std::vector<std::int64_t> args,
                   const BasicType& element) {
  DatatypeMaker maker(memory);
  maker.make_scalar(element);
  Construction& c = maker.construction();
  c.combiner = combiner;
  c.args.assign(args.begin(), args.end());
  maker.set_predefined();
  Datatype* type = maker.release();
  type->commit();
  return type;
}

}  // namespace skein::vmpi
