// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/coll/api/block_arguments.hpp"

namespace skein::vmpi {
namespace {

int check_counts(const ApiCall& call, Comm& comm, const BlockArguments& arguments, int pieces) {
  if (arguments.counts.null())
    return raise(call, &comm, MPI_ERR_ARG, "the array of counts is a null pointer");
  if (arguments.displacements.null())
    return raise(call, &comm, MPI_ERR_ARG, "the array of displacements is a null pointer");
  for (int i = 0; i < pieces; ++i)
    if (arguments.counts[i] < 0)
      return raise(call, &comm, MPI_ERR_COUNT, "count number %d is %lld", i,
                   static_cast<long long>(arguments.counts[i]));
  return MPI_SUCCESS;
}

/// Checks for a null buffer. Null is the start of absolute addresses: those in a type that is not predefined,
/// or the displacements of an array with types, which are in bytes.
int check_buffer(const ApiCall& call, Comm& comm, const Blocks& blocks, int pieces) {
  if (blocks.buffer != nullptr) return MPI_SUCCESS;
  for (int i = 0; i < pieces; ++i) {
    const Datatype& type = blocks.types ? *blocks.types[i] : *blocks.type;
    const bool absolute = !type.predefined() || (blocks.types && blocks.displacements[i] != 0);
    if (blocks.counts[i] > 0 && !absolute && type.size() > 0)
      return raise_null_buffer(call, &comm, blocks.counts[i]);
  }
  return MPI_SUCCESS;
}

/// Gets the types of pieces. Algorithms do not read types with a count of zero, which become MPI_BYTE.
int get_types(const ApiCall& call, Comm& comm, const BlockArguments& arguments, int pieces,
              const Datatype** types) {
  for (int i = 0; i < pieces; ++i) {
    types[i] = predefined_datatype(MPI_BYTE);
    if (arguments.counts[i] > 0) SKEIN_TRY(get_type(call, &comm, arguments.datatypes[i], types[i]));
  }
  return MPI_SUCCESS;
}

}  // namespace

int get_part(const ApiCall& call, Comm& comm, const void* buffer, MPI_Count count, MPI_Datatype datatype,
             Data& data) {
  if (buffer == MPI_IN_PLACE) return raise(call, &comm, MPI_ERR_BUFFER, "MPI_IN_PLACE does not belong here");
  return get_data(call, &comm, buffer, count, datatype, data);
}

int get_blocks(const ApiCall& call, Comm& comm, const BlockArguments& arguments, int pieces, Blocks& blocks) {
  blocks.buffer = const_cast<void*>(arguments.buffer);
  if (!arguments.counted) {
    Data first;
    SKEIN_TRY(get_part(call, comm, arguments.buffer, arguments.count, arguments.datatype, first));
    blocks.type = first.type;
    blocks.count = arguments.count;
    return MPI_SUCCESS;
  }
  if (arguments.buffer == MPI_IN_PLACE)
    return raise(call, &comm, MPI_ERR_BUFFER, "MPI_IN_PLACE does not belong here");
  SKEIN_TRY(check_counts(call, comm, arguments, pieces));
  blocks.counts = arguments.counts;
  blocks.displacements = arguments.displacements;
  if (!arguments.typed) {
    SKEIN_TRY(get_type(call, &comm, arguments.datatype, blocks.type));
    return check_buffer(call, comm, blocks, pieces);
  }
  SKEIN_TRY(check_pointer(call, &comm, arguments.datatypes, "the array of datatypes"));
  const std::size_t bytes = static_cast<std::size_t>(pieces) * sizeof(Datatype*);
  auto** const types = static_cast<const Datatype**>(call.state.memory.allocate(bytes, alignof(Datatype*)));
  blocks.types = types;
  int error = get_types(call, comm, arguments, pieces, types);
  if (error == MPI_SUCCESS) error = check_buffer(call, comm, blocks, pieces);
  if (error != MPI_SUCCESS) {
    free_types(call.state, blocks, pieces);
    blocks.types = nullptr;  // callers release what they got before
  }
  return error;
}

void free_types(RankState& state, const Blocks& blocks, int pieces) {
  if (!blocks.types) return;
  state.memory.deallocate(const_cast<const Datatype**>(blocks.types),
                          static_cast<std::size_t>(pieces) * sizeof(Datatype*), alignof(Datatype*));
}

}  // namespace skein::vmpi
