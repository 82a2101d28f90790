// SPDX-License-Identifier: Apache-2.0
// Creates all Datatype objects, and derives their properties from their constructions.
#pragma once

#include <memory_resource>

#include "runtime/vmpi/datatype/datatype.hpp"

namespace skein::vmpi {

class DatatypeMaker {
 public:
  explicit DatatypeMaker(std::pmr::memory_resource& memory);
  ~DatatypeMaker();
  DatatypeMaker(const DatatypeMaker&) = delete;
  DatatypeMaker& operator=(const DatatypeMaker&) = delete;

  Construction& construction() { return type_->construction_; }
  /// Adds an inner type, with a reference of its own.
  void add_inner(const Datatype& inner);
  /// Takes over the caller's reference.
  void set_lowered(const Datatype* lowered) { type_->construction_.lowered = lowered; }
  void make_scalar(const BasicType& basic);
  void make_pair(const BasicType& basic, const Datatype& value, const Datatype& index);
  void set_predefined() { type_->predefined_ = true; }
  /// Ends the counting of references: the type stays for ever.
  void set_immortal() { type_->immortal_ = true; }

  /// Derives size, bounds and signature from the construction. Returns MPI_ERR_ARG if a bound or the size is
  /// beyond 2^62.
  [[nodiscard]] int summarise();
  /// Returns the type. Called after summarise() has succeeded, or after make_scalar() or make_pair().
  Datatype* release();
  /// Calls summarise() and release(); on MPI_SUCCESS *out is the type.
  [[nodiscard]] int finish(Datatype** out);

  /// Sets explicit bounds, in place of those that summarise() found.
  static void set_bounds(Datatype& type, std::int64_t lb, std::int64_t ub);
  static void destroy(const Datatype* type);

 private:
  Datatype* type_;
};

}  // namespace skein::vmpi
