// SPDX-License-Identifier: Apache-2.0
// MPI datatypes. A Datatype is immutable but for its name, its commitment and its count of references. It
// lives in its rank's slot with everything it owns, so it moves with the rank; the predefined ones are static
// data of the launcher. All functions are callable from anywhere and never switch.
//
// Counts, sizes and displacements are 64 bits everywhere. Typemaps and extents follow MPI 4.1, section 5.1.
#pragma once

#include <array>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/vmpi/datatype/basic.hpp"
#include "runtime/vmpi/datatype/layout.hpp"
#include "runtime/vmpi/datatype/signature.hpp"

namespace skein::vmpi {

/// Where the data of a type lies, in bytes from its origin.
///   true_lb = min of the displacements, true_ub = max of (displacement + size) over the typemap
///   lb = true_lb, and ub = true_ub rounded up so that alignment divides ub - lb, where not given explicitly:
///   by MPI_Type_create_resized, by a constructor defined through it, or by MPI_LB or MPI_UB, here or inside.
struct Bounds {
  std::int64_t lb = 0, ub = 0;
  std::int64_t true_lb = 0, true_ub = 0;
  std::int64_t alignment = 1;
  bool lb_marked = false, ub_marked = false;
};

/// What a type was made from: the arguments in the order of the function's parameters, arrays flattened,
/// handles excepted. It serves MPI_Type_get_contents and, read as a typemap, everything else (typemap.hpp).
struct Construction {
  explicit Construction(std::pmr::memory_resource* memory) : args(memory), inner(memory) {}

  int combiner = MPI_COMBINER_NAMED;
  bool large = false;  ///< made by the function with MPI_Count arguments
  std::pmr::vector<std::int64_t> args;
  std::pmr::vector<const Datatype*> inner;  ///< each holds a reference
  /// Subarrays and distributed arrays, as simpler types say it; holds a reference.
  const Datatype* lowered = nullptr;
};

class Datatype {
 public:
  Datatype(const Datatype&) = delete;
  Datatype& operator=(const Datatype&) = delete;

  std::int64_t size() const { return signature_.bytes; }
  std::int64_t lb() const { return bounds_.lb; }
  std::int64_t extent() const { return bounds_.ub - bounds_.lb; }
  std::int64_t true_lb() const { return bounds_.true_lb; }
  std::int64_t true_extent() const { return bounds_.true_ub - bounds_.true_lb; }
  const Bounds& bounds() const { return bounds_; }
  const Signature& signature() const { return signature_; }

  /// The named type (also behind MPI_Type_create_f90_*), or null for a derived type.
  const BasicType* basic() const { return basic_; }
  /// A single basic element, or a marker: named and no pair.
  bool scalar() const { return basic_ != nullptr && basic_->type_class != TypeClass::pair; }
  /// Cannot be freed.
  bool predefined() const { return predefined_; }
  const Construction& construction() const { return construction_; }

  bool committed() const { return committed_; }
  /// Compiles the layout, in memory of the type's own resource. Committing twice does nothing.
  void commit();
  /// Only for committed types.
  const Layout& layout() const { return layout_; }
  /// One instance is a single block of bytes, at true_lb(). Only for committed types.
  bool contiguous() const { return layout_.root.block(); }
  /// Any number of instances is a single block. Only for committed types.
  bool dense() const { return dense_; }

  std::string_view name() const { return name_; }
  void set_name(std::string_view name) { name_ = name; }

  void retain() const {
    if (!immortal_) ++references_;
  }
  /// Drops one reference; the last one frees the type and drops its references to inner types. Nothing
  /// happens to predefined types of the launcher.
  void release() const {
    if (!immortal_) release_counted();
  }

 private:
  friend class DatatypeMaker;
  explicit Datatype(std::pmr::memory_resource* memory)
      : construction_(memory), layout_(memory), name_(memory), memory_(memory) {}
  ~Datatype() = default;
  void release_counted() const;

  Bounds bounds_;
  Signature signature_;
  const BasicType* basic_ = nullptr;
  Construction construction_;
  Layout layout_;
  std::pmr::string name_;
  std::pmr::memory_resource* memory_;
  mutable std::int64_t references_ = 1;
  bool committed_ = false;
  bool dense_ = false;
  bool predefined_ = false;
  bool immortal_ = false;  ///< static data of the launcher: not counted
};

namespace detail {
inline constexpr std::uintptr_t kFirstNamedType = 0x200;  // MPI_DATATYPE_NULL
/// Those of the ABI, by handle.
struct NamedTypes {
  std::array<const Datatype*, 0x100> types;  ///< null where there is none
  /// The bytes of an element, if any number of them is one block that begins where the first does; else 0.
  std::array<std::uint8_t, 0x100> block_sizes;
};
extern NamedTypes named;
/// MPI_LB and MPI_UB, which the ABI lacks; null for others.
const Datatype* bound_marker(MPI_Datatype handle);
}  // namespace detail

/// The predefined type behind a handle constant, or null: for MPI_DATATYPE_NULL, and for handles of other
/// types.
inline const Datatype* predefined_datatype(MPI_Datatype handle) {
  const auto index = reinterpret_cast<std::uintptr_t>(handle) - detail::kFirstNamedType;
  return index < detail::named.types.size() ? detail::named.types[index] : detail::bound_marker(handle);
}

/// The bytes of an element, if the handle is that of a predefined type of which any number is one block that
/// begins where the first does; else 0. Messages of such a type need no look at the type.
inline std::size_t block_size_of_named(MPI_Datatype handle) {
  const auto index = reinterpret_cast<std::uintptr_t>(handle) - detail::kFirstNamedType;
  return index < detail::named.block_sizes.size() ? detail::named.block_sizes[index] : 0;
}

/// A type that stands for `element` under an MPI_COMBINER_F90_* combiner with the given arguments.
/// Predefined.
Datatype* make_f90(std::pmr::memory_resource& memory, int combiner, std::vector<std::int64_t> args,
                   const BasicType& element);

}  // namespace skein::vmpi
