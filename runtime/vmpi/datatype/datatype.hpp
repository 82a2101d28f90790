// SPDX-License-Identifier: Apache-2.0
// MPI datatypes. A Datatype is immutable except for its name, its commitment and its reference count. It
// lives in its rank's slot with everything it owns, so it moves with the rank; the predefined ones are static
// data of the launcher. All functions are callable from anywhere and never switch.
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

/// The bounds of a type's data, in bytes from its origin.
///   true_lb = min of the displacements, true_ub = max of (displacement + size) over the typemap
///   lb = true_lb, and ub = true_ub rounded up so that alignment divides ub - lb, unless given explicitly:
///   by MPI_Type_create_resized, by a constructor defined through it, or by MPI_LB or MPI_UB, here or inside.
struct Bounds {
  std::int64_t lb = 0, ub = 0;
  std::int64_t true_lb = 0, true_ub = 0;
  std::int64_t alignment = 1;
  bool lb_marked = false, ub_marked = false;
};

/// The construction of a type: the constructor's arguments in the order of its parameters, with arrays
/// flattened and without handles. MPI_Type_get_contents returns it and, read as a typemap (typemap.hpp), it
/// serves everything else.
struct Construction {
  explicit Construction(std::pmr::memory_resource* memory) : args(memory), inner(memory) {}

  int combiner = MPI_COMBINER_NAMED;
  bool large = false;  ///< made by the function with MPI_Count arguments
  std::pmr::vector<std::int64_t> args;
  std::pmr::vector<const Datatype*> inner;  ///< each holds a reference
  /// For subarrays and distributed arrays, the type in terms of simpler types; holds a reference.
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

  /// Returns the named type (also behind MPI_Type_create_f90_*), or null for a derived type.
  const BasicType* basic() const { return basic_; }
  /// Returns true for a single basic element or a marker: a named type that is no pair.
  bool scalar() const { return basic_ != nullptr && basic_->type_class != TypeClass::pair; }
  /// Returns true for types that cannot be freed.
  bool predefined() const { return predefined_; }
  const Construction& construction() const { return construction_; }

  bool committed() const { return committed_; }
  /// Compiles the layout, in memory of the type's own resource. Committing twice does nothing.
  void commit();
  /// Precondition: committed.
  const Layout& layout() const { return layout_; }
  /// Returns true if one instance is a single block of bytes, at true_lb(). Precondition: committed.
  bool contiguous() const { return layout_.root.block(); }
  /// Returns true if any number of instances is a single block. Precondition: committed.
  bool dense() const { return dense_; }

  std::string_view name() const { return name_; }
  void set_name(std::string_view name) { name_ = name; }

  void retain() const {
    if (!immortal_) ++references_;
  }
  /// Drops one reference; the last one frees the type and drops its references to inner types. Has no effect
  /// on predefined types of the launcher.
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
  bool immortal_ = false;  ///< static data of the launcher, whose references are not counted
};

namespace detail {
inline constexpr std::uintptr_t kFirstNamedType = 0x200;  // MPI_DATATYPE_NULL
/// The named types of the ABI, by handle.
struct NamedTypes {
  std::array<const Datatype*, 0x100> types;  ///< null for unused handles
  /// The bytes of an element, if any number of elements is one block that begins where the first does; else
  /// 0.
  std::array<std::uint8_t, 0x100> block_sizes;
};
extern NamedTypes named;
/// Returns the type of MPI_LB or MPI_UB, which the ABI lacks; null for other handles.
const Datatype* bound_marker(MPI_Datatype handle);
}  // namespace detail

/// Returns the predefined type of a handle constant, or null for MPI_DATATYPE_NULL and for handles of other
/// types.
inline const Datatype* predefined_datatype(MPI_Datatype handle) {
  const auto index = reinterpret_cast<std::uintptr_t>(handle) - detail::kFirstNamedType;
  return index < detail::named.types.size() ? detail::named.types[index] : detail::bound_marker(handle);
}

/// Returns the bytes of an element, if the handle is that of a predefined type of which any number of
/// elements is one block that begins where the first does; else 0. Messages of these types do not read the
/// type.
inline std::size_t block_size_of_named(MPI_Datatype handle) {
  const auto index = reinterpret_cast<std::uintptr_t>(handle) - detail::kFirstNamedType;
  return index < detail::named.block_sizes.size() ? detail::named.block_sizes[index] : 0;
}

/// Makes a type that stands for `element` under an MPI_COMBINER_F90_* combiner with the given arguments. It
/// is predefined.
Datatype* make_f90(std::pmr::memory_resource& memory, int combiner, std::vector<std::int64_t> args,
                   const BasicType& element);

}  // namespace skein::vmpi
