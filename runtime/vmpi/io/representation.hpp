// SPDX-License-Identifier: Apache-2.0
// How data look in a file (MPI 4.1, 14.5): "native" and "internal" as in memory, "external32" as MPI defines
// it, or as functions of the program make them (MPI_Register_datarep).
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

/// One that the program registered. In the slot, until the rank ends.
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

  /// The bytes of memory are those of the file.
  bool as_in_memory() const { return kind == Kind::native || kind == Kind::internal; }
  std::string_view name() const;
};

/// False if there is none of that name.
[[nodiscard]] bool find_representation(const RankState& state, std::string_view name, Representation& out);

/// `type` with the sizes and extents that its elements have in the file: displacements that count elements
/// grow or shrink with them, those that count bytes are the program's, who asked MPI_File_get_type_extent.
/// Committed; the caller gets a reference. An MPI error class.
[[nodiscard]] int lay_out_in_file(RankState& state, const Representation& representation,
                                  const Datatype& type, const Datatype*& out);

/// Bytes that data have in the file. Of a registered representation its function is asked. Negative: it
/// failed.
std::int64_t bytes_in_file(RankState& state, const Representation& representation, const Data& data);
/// Data to and from their form in the file, which `size` bytes of are there (reading may have come to the end
/// of the file: then a part of the data stays as it was). An MPI error class. `moved`: bytes of memory.
/// Precondition: not as_in_memory(). From a fiber of the rank; functions of the program may be called.
[[nodiscard]] int to_file_form(RankState& state, const Representation& representation, const Data& data,
                               std::byte* out);
[[nodiscard]] int from_file_form(RankState& state, const Representation& representation, const Data& data,
                                 const std::byte* in, std::size_t size, std::size_t& moved);

}  // namespace skein::vmpi
