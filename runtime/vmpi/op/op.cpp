// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/op/op.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <new>
#include <span>
#include <vector>

#include "runtime/base/check.hpp"
#include "runtime/vmpi/datatype/packer.hpp"

namespace skein::vmpi {
namespace {

const Op predefined_ops[] = {
    {OpCode::sum, MPI_SUM},         {OpCode::min, MPI_MIN},       {OpCode::max, MPI_MAX},
    {OpCode::prod, MPI_PROD},       {OpCode::band, MPI_BAND},     {OpCode::bor, MPI_BOR},
    {OpCode::bxor, MPI_BXOR},       {OpCode::land, MPI_LAND},     {OpCode::lor, MPI_LOR},
    {OpCode::lxor, MPI_LXOR},       {OpCode::minloc, MPI_MINLOC}, {OpCode::maxloc, MPI_MAXLOC},
    {OpCode::replace, MPI_REPLACE}, {OpCode::no_op, MPI_NO_OP},
};

constexpr std::uintptr_t kFirstOp = 0x20;  // MPI_OP_NULL
/// The predefined operations; null for unused handles.
const std::array<const Op*, 0x20> ops_by_handle = [] {
  std::array<const Op*, 0x20> table{};
  for (const Op& op : predefined_ops) table[reinterpret_cast<std::uintptr_t>(op.handle()) - kFirstOp] = &op;
  return table;
}();

/// Returns true if an operation takes a group of types, by the standard's table.
bool group_allowed(OpCode code, TypeClass group) {
  const bool integer = group == TypeClass::c_integer;
  const bool any_integer =
      integer || group == TypeClass::fortran_integer || group == TypeClass::multi_language;
  switch (code) {
    case OpCode::max:
    case OpCode::min:
      return any_integer || group == TypeClass::floating;
    case OpCode::sum:
    case OpCode::prod:
      return any_integer || group == TypeClass::floating || group == TypeClass::complex;
    case OpCode::land:
    case OpCode::lor:
    case OpCode::lxor:
      // The standard excludes the multi-language types here; other MPIs and programs do not.
      return integer || group == TypeClass::logical || group == TypeClass::multi_language;
    case OpCode::band:
    case OpCode::bor:
    case OpCode::bxor:
      return any_integer || group == TypeClass::byte;
    case OpCode::minloc:
    case OpCode::maxloc:
      return group == TypeClass::pair;
    case OpCode::replace:
    case OpCode::no_op:
    case OpCode::user:
      return false;
  }
  return false;
}

constexpr const char* kOpNames[] = {"MPI_SUM",  "MPI_MIN",  "MPI_MAX",    "MPI_PROD",
                                    "MPI_BAND", "MPI_BOR",  "MPI_BXOR",   "MPI_LAND",
                                    "MPI_LOR",  "MPI_LXOR", "MPI_MINLOC", "MPI_MAXLOC"};

struct Numbered {
  Kernel kernel = nullptr;  // null if the standard does not allow it
  ReductionNumber number = 0;
};
/// Indexed by the code of the operation.
using KernelsOfType = std::array<Numbered, std::size(predefined_ops)>;

struct Kernels {
  std::span<const BasicType> types = basic_types();
  std::vector<KernelsOfType> of_type;  // by index in `types`
  struct Different {
    Kernel kernel;
    const char* op;
    const BasicType* type;  // one of its types; of C or Fortran alone, if there is one
  };
  std::vector<Different> different;  // by number, from kFirstPredefined on

  Kernels() {
    for (const BasicType& basic : types) {
      const TypeClass group = basic.handle == MPI_CHAR ? TypeClass::c_integer : basic.type_class;
      KernelsOfType& kernels = of_type.emplace_back();
      for (const Op& op : predefined_ops)
        if (const Kernel kernel =
                group_allowed(op.code(), group) ? find_kernel(op.code(), basic.rep) : nullptr)
          kernels[static_cast<std::size_t>(op.code())] = {kernel, number_of(kernel, op, basic)};
    }
  }
  ReductionNumber find(Kernel kernel) const {
    const auto found = std::ranges::find(different, kernel, &Different::kernel);
    return static_cast<ReductionNumber>(kFirstPredefined + (found - different.begin()));
  }
  ReductionNumber number_of(Kernel kernel, const Op& op, const BasicType& type) {
    const ReductionNumber number = find(kernel);
    const std::size_t place = number - kFirstPredefined;
    if (place == different.size())
      different.push_back({kernel, kOpNames[static_cast<std::size_t>(op.code())], &type});
    else if (different[place].type->type_class == TypeClass::multi_language)
      different[place].type = &type;
    SKEIN_CHECK(different.size() < 0x100 - kFirstPredefined, "a byte numbers no more operations");
    return number;
  }
};
const Kernels kernels;

const Numbered& numbered(const Op& op, const BasicType& basic) {
  const auto row = static_cast<std::size_t>(&basic - kernels.types.data());
  return kernels.of_type[row][static_cast<std::size_t>(op.code())];
}

void call(const UserFunction& function, const void* in, void* inout, std::int64_t count, std::int64_t extent,
          MPI_Datatype handle) {
  void* from = const_cast<void*>(in);  // as the standard's prototypes want it
  if (function.form == UserFunction::Form::c_large) {
    MPI_Count length = count;
    reinterpret_cast<MPI_User_function_c*>(function.address)(from, inout, &length, &handle);
    return;
  }
  // The other forms count with int: longer vectors take several calls.
  for (std::int64_t first = 0; first < count; first += INT_MAX) {
    int length = static_cast<int>(std::min<std::int64_t>(count - first, INT_MAX));
    void* a = static_cast<std::byte*>(from) + first * extent;
    void* b = static_cast<std::byte*>(inout) + first * extent;
    if (function.form == UserFunction::Form::c) {
      reinterpret_cast<MPI_User_function*>(function.address)(a, b, &length, &handle);
    } else {
      int integer_handle = static_cast<int>(reinterpret_cast<std::intptr_t>(handle));
      reinterpret_cast<void (*)(void*, void*, int*, int*)>(function.address)(a, b, &length, &integer_handle);
    }
  }
}

}  // namespace

void Op::release() const {
  if (predefined()) return;
  SKEIN_CHECK(references_ > 0, "operation %p released too often", static_cast<const void*>(this));
  if (--references_ > 0) return;
  std::pmr::memory_resource* memory = memory_;
  Op* self = const_cast<Op*>(this);
  self->~Op();
  memory->deallocate(self, sizeof(Op), alignof(Op));
}

const Op* predefined_op(MPI_Op handle) {
  const std::uintptr_t place = reinterpret_cast<std::uintptr_t>(handle) - kFirstOp;
  return place < ops_by_handle.size() ? ops_by_handle[place] : nullptr;
}

Op* make_user_op(std::pmr::memory_resource& memory, UserFunction function, bool commutative) {
  Op* op = new (memory.allocate(sizeof(Op), alignof(Op))) Op(OpCode::user, MPI_OP_NULL);
  op->function_ = function;
  op->commutative_ = commutative;
  op->memory_ = &memory;
  return op;
}

bool reduction_allowed(const Op& op, const Datatype& type) {
  return !op.predefined() || kernel_of(op, type) != nullptr;
}

Kernel kernel_of(const Op& op, const Datatype& type) {
  const BasicType* const basic = type.basic();
  if (!basic || !op.predefined()) return nullptr;
  return numbered(op, *basic).kernel;
}

ReductionNumber number_of(const Op& op, const Datatype& type) {
  return op.predefined() ? numbered(op, *type.basic()).number : kOwnOperation;
}
ReductionNumber number_of(Kernel kernel) { return kernel ? kernels.find(kernel) : kOwnOperation; }

std::string text_of(ReductionNumber number) {
  if (number < kFirstPredefined) return "an operation of the program";
  const Kernels::Different& one = kernels.different[number - kFirstPredefined];
  return std::string(one.op) + " of " + one.type->name;
}

void reduce(const Op& op, const void* in, void* inout, std::int64_t count, const Datatype& type,
            MPI_Datatype handle) {
  switch (op.code()) {
    case OpCode::user:
      return call(op.function(), in, inout, count, type.extent(), handle);
    case OpCode::replace:
      copy_typed(in, count, type, inout, count, type);
      return;
    case OpCode::no_op:
      return;
    default: {
      const Kernel kernel = kernel_of(op, type);
      SKEIN_CHECK(kernel != nullptr, "operation %d on %s", static_cast<int>(op.code()), type.basic()->name);
      kernel(in, inout, count);
    }
  }
}

}  // namespace skein::vmpi
