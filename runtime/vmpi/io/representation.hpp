// SPDX-License-Identifier: Apache-2.0
// The form of data in a file (MPI 4.1, 14.5): "native" and "internal" as in memory, "external32" as MPI
// defines it, or a form made by functions of the program (MPI_Register_datarep).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>

#include "runtime/vmpi/api.hpp"
#include "runtime/vmpi/datatype/datatype.hpp"
#include "runtime/vmpi/p2p/data.hpp"

namespace skein::vmpi {

struct RankState;

/// A representation that the program registered. In the slot, until the rank ends.
struct RegisteredRepresentation {
  explicit RegisteredRepresentation(std::pmr::memory_resource* memory) : name(memory) {}
  std::pmr::string name;
  MPI_Datarep_conversion_function* read = MPI_CONVERSION_FN_NULL;
  MPI_Datarep_conversion_function* write = MPI_CONVERSION_FN_NULL;
  MPI_Datarep_conversion_function_c* read_large = MPI_CONVERSION_FN_NULL_C;
  MPI_Datarep_conversion_function_c* write_large = MPI_CONVERSION_FN_NULL_C;
  MPI_Datarep_extent_function* extent = nullptr;
  void* extra = nullptr;
};

struct Representation {
  enum class Kind : std::uint8_t { native, internal, external32, registered };
  Kind kind = Kind::native;
  const RegisteredRepresentation* registered = nullptr;

  /// Returns true if the file has the bytes of memory.
  bool as_in_memory() const { return kind == Kind::native || kind == Kind::internal; }
  std::string_view name() const;
};

/// Returns false if there is no representation of that name.
[[nodiscard]] bool find_representation(const RankState& state, std::string_view name, Representation& out);

/// Makes `type` with the sizes and extents of its elements in the file. Displacements that count elements
/// grow or shrink with these; displacements in bytes stay, as the program has asked MPI_File_get_type_extent.
/// `out` is committed, with a reference for the caller. Returns an MPI error class.
[[nodiscard]] int lay_out_in_file(RankState& state, const Representation& representation,
                                  const Datatype& type, const Datatype*& out);

/// Returns the bytes of data in the file, for a registered representation by its function. Negative: the
/// function failed.
std::int64_t bytes_in_file(RankState& state, const Representation& representation, const Data& data);
/// Convert data to and from the form of the file. `size`: bytes of this form that were read, which at the end
/// of the file may be fewer; the rest of the data stays unchanged. `moved`: bytes of memory. Return an MPI
/// error class. Precondition: not as_in_memory(). Called from a fiber of the rank; may call functions of the
/// program.
[[nodiscard]] int to_file_form(RankState& state, const Representation& representation, const Data& data,
                               std::byte* out);
[[nodiscard]] int from_file_form(RankState& state, const Representation& representation, const Data& data,
                                 const std::byte* in, std::size_t size, std::size_t& moved);

}  // namespace skein::vmpi
