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

/// A reduction function of the program, in one of the three forms of the bindings.
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
  /// Returns true for all predefined operations except MPI_REPLACE and MPI_NO_OP.
  bool commutative() const { return commutative_; }
  /// Returns the ABI's constant, or MPI_OP_NULL for a program's operation.
  MPI_Op handle() const { return handle_; }
  const UserFunction& function() const { return function_; }

  void retain() const {
    if (!predefined()) ++references_;
  }
  /// Drops a reference; the last one frees a program's operation. Has no effect on predefined ones.
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

/// Returns the predefined operation of a handle constant, or null.
const Op* predefined_op(MPI_Op handle);

/// Makes a program's operation, with one reference.
Op* make_user_op(std::pmr::memory_resource& memory, UserFunction function, bool commutative);

/// Returns true if `op` may reduce data of `type` in a collective call or MPI_Reduce_local: always for a
/// program's operation; for a predefined one by the standard's table of operations and groups of types, to
/// which MPI_CHAR is added as an integer, because programs use it and MPICH takes it. MPI_REPLACE and
/// MPI_NO_OP are for one-sided communication only.
bool reduction_allowed(const Op& op, const Datatype& type);

/// Sets inout[i] = in[i] op inout[i] for elements side by side.
using Kernel = void (*)(const void* in, void* inout, std::int64_t count);
/// Returns the kernel of a predefined operation on a named type that it may reduce (reduction_allowed()),
/// else null.
Kernel kernel_of(const Op& op, const Datatype& type);

/// A byte by which ranks compare their reductions: equal for operations and types that give the same result
/// for the same elements.
using ReductionNumber = std::uint8_t;
inline constexpr ReductionNumber kOwnOperation = 1;  ///< any operation of the program
inline constexpr ReductionNumber kFirstPredefined = 2;
/// Precondition: reduction_allowed().
ReductionNumber number_of(const Op& op, const Datatype& type);
/// Returns the number of a kernel that kernel_of() gave.
[[gnu::cold]] ReductionNumber number_of(Kernel kernel);
/// Returns a number as text, for example "MPI_SUM of MPI_INT".
std::string text_of(ReductionNumber number);

/// Sets inout[i] = in[i] op inout[i] for `count` instances of `type`. The buffers do not overlap, and are
/// aligned for the type's elements. `handle`: the program's handle of the type, which its function gets.
/// Callable from anywhere, does not switch.
///
/// Preconditions: reduction_allowed(op, type), or op is MPI_REPLACE or MPI_NO_OP on a committed type. For a
/// program's operation the rank's own heap must be in force, because its function may allocate.
void reduce(const Op& op, const void* in, void* inout, std::int64_t count, const Datatype& type,
            MPI_Datatype handle);

/// Returns the loop of an operation on a representation, or null if the operation has none. Does not test
/// whether the standard allows it.
Kernel find_kernel(OpCode code, Rep rep);

}  // namespace skein::vmpi
