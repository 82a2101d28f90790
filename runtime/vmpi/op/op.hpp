// SPDX-License-Identifier: Apache-2.0
// Reduction operations: the predefined ones (MPI 4.1, section 6.9) and those of the program. A program's
// operation lives in its rank's slot and is counted; the predefined ones are static data of the launcher.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>

#include "runtime/vmpi/datatype/basic.hpp"
#include "runtime/vmpi/datatype/datatype.hpp"

namespace skein::vmpi {

enum class OpCode : std::uint8_t {
  sum,
  min,
  max,
  prod,
  band,
  bor,
  bxor,
  land,
  lor,
  lxor,
  minloc,
  maxloc,
  replace,
  no_op,
  user
};

/// A reduction function of the program, in one of the three forms that bindings give it.
struct UserFunction {
  enum class Form : std::uint8_t {
    c,        ///< MPI_User_function
    c_large,  ///< MPI_User_function_c
    fortran   ///< subroutine(invec, inoutvec, len, datatype), both counts and handles being INTEGER
  };
  Form form = Form::c;
  void (*address)() = nullptr;
};

class Op {
 public:
  constexpr Op(OpCode code, MPI_Op handle) : handle_(handle), code_(code) {}
  Op(const Op&) = delete;
  Op& operator=(const Op&) = delete;

  OpCode code() const { return code_; }
  bool predefined() const { return code_ != OpCode::user; }
  /// All predefined ones are, MPI_REPLACE and MPI_NO_OP excepted.
  bool commutative() const { return commutative_; }
  /// The ABI's constant; MPI_OP_NULL for a program's.
  MPI_Op handle() const { return handle_; }
  const UserFunction& function() const { return function_; }

  void retain() const {
    if (!predefined()) ++references_;
  }
  /// The last reference frees a program's operation. Nothing happens to predefined ones.
  void release() const;

 private:
  friend Op* make_user_op(std::pmr::memory_resource&, UserFunction, bool);

  MPI_Op handle_;
  UserFunction function_;
  std::pmr::memory_resource* memory_ = nullptr;
  mutable std::int64_t references_ = 1;
  OpCode code_;
  bool commutative_ = code_ != OpCode::replace && code_ != OpCode::no_op;
};

/// The predefined operation behind a handle constant, or null.
const Op* predefined_op(MPI_Op handle);

/// A program's operation, with one reference.
Op* make_user_op(std::pmr::memory_resource& memory, UserFunction function, bool commutative);

/// Whether `op` may reduce data of `type` in a collective call or MPI_Reduce_local: always for a program's
/// operation; for a predefined one by the standard's table of operations and groups of types, to which
/// MPI_CHAR is added as an integer, because programs use it and MPICH takes it. MPI_REPLACE and MPI_NO_OP are
/// for one-sided communication only.
bool reduction_allowed(const Op& op, const Datatype& type);

/// inout[i] = in[i] op inout[i] for elements side by side.
using Kernel = void (*)(const void* in, void* inout, std::int64_t count);
/// What a predefined operation does with a named type that it may reduce (reduction_allowed()); of all others
/// null.
Kernel kernel_of(const Op& op, const Datatype& type);

/// What a rank tells others of its reduction, a byte: equal for operations and types that make the same of
/// the same elements.
using ReductionNumber = std::uint8_t;
inline constexpr ReductionNumber kOwnOperation = 1;  ///< any of the program
inline constexpr ReductionNumber kFirstPredefined = 2;
/// Precondition: reduction_allowed().
ReductionNumber number_of(const Op& op, const Datatype& type);
/// The number of what kernel_of() gave.
[[gnu::cold]] ReductionNumber number_of(Kernel kernel);
/// "MPI_SUM of MPI_INT".
std::string text_of(ReductionNumber number);

/// inout[i] = in[i] op inout[i] for `count` instances of `type`. The buffers do not overlap and are aligned
/// as the type's elements. `handle` is what the program knows the type by: its function gets it. Callable
/// from anywhere, does not switch.
///
/// Preconditions: reduction_allowed(op, type), or op is MPI_REPLACE or MPI_NO_OP on a committed type. For a
/// program's operation the rank's own heap must be in force, because its function may allocate.
void reduce(const Op& op, const void* in, void* inout, std::int64_t count, const Datatype& type,
            MPI_Datatype handle);

/// The loop for an operation on a representation, or null where there is no such arithmetic. It does not ask
/// whether the standard allows it.
Kernel find_kernel(OpCode code, Rep rep);

}  // namespace skein::vmpi
