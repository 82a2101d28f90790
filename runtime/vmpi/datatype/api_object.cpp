// SPDX-License-Identifier: Apache-2.0
// Functions on datatypes: commit, dup, free; size, extent, names, envelope and contents.
#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "runtime/vmpi/datatype/arguments.hpp"
#include "runtime/vmpi/datatype/construct.hpp"
#include "runtime/vmpi/datatype/envelope.hpp"
#include "runtime/vmpi/datatype/rank_types.hpp"

namespace skein::vmpi {
namespace {

template <class Integer>
int size(const char* function, MPI_Datatype datatype, Integer* result) {
  ApiCall call(function);
  SKEIN_GET(const Datatype*, type, get_any_type(call, datatype, type));
  *result = fit<Integer>(type->size());
  return MPI_SUCCESS;
}

/// MPI_Aint and MPI_Count are the same type here.
int extent(const char* function, MPI_Datatype datatype, std::int64_t* lb, std::int64_t* result) {
  ApiCall call(function);
  SKEIN_GET(const Datatype*, type, get_any_type(call, datatype, type));
  *lb = type->lb();
  *result = type->extent();
  return MPI_SUCCESS;
}

int true_extent(const char* function, MPI_Datatype datatype, std::int64_t* lb, std::int64_t* result) {
  ApiCall call(function);
  SKEIN_GET(const Datatype*, type, get_any_type(call, datatype, type));
  *lb = type->true_lb();
  *result = type->true_extent();
  return MPI_SUCCESS;
}

/// Checks that a type was made without MPI_Count arguments: functions with int arguments cannot describe
/// others.
int check_small(const ApiCall& call, const ContentSizes& sizes) {
  if (sizes.large_counts == 0) return MPI_SUCCESS;
  return raise(call, nullptr, MPI_ERR_TYPE, "the datatype was made with MPI_Count arguments: use %s_c",
               call.function);
}

struct Room {
  MPI_Count ints, addresses, large_counts, types;
};

int contents(const ApiCall& call, const Datatype& type, const Room& room, int* ints, std::int64_t* addresses,
             std::int64_t* large_counts, MPI_Datatype* types) {
  if (type.construction().combiner == MPI_COMBINER_NAMED)
    return raise(call, nullptr, MPI_ERR_TYPE, "%s is a named type and has no contents", type.basic()->name);
  const ContentSizes sizes = content_sizes(type);
  if (room.ints < sizes.ints || room.addresses < sizes.addresses || room.large_counts < sizes.large_counts ||
      room.types < sizes.types)
    return raise(
        call, nullptr, MPI_ERR_ARG,
        "the arrays are too short: the contents are %lld integers, %lld addresses, %lld large counts and "
        "%lld datatypes",
        static_cast<long long>(sizes.ints), static_cast<long long>(sizes.addresses),
        static_cast<long long>(sizes.large_counts), static_cast<long long>(sizes.types));
  const auto length = [](std::int64_t n) { return static_cast<std::size_t>(n); };
  std::vector<const Datatype*> inner(length(sizes.types));
  get_contents(type, {ints, length(sizes.ints)}, {addresses, length(sizes.addresses)},
               {large_counts, length(sizes.large_counts)}, inner);
  std::transform(inner.begin(), inner.end(), types,
                 [&](const Datatype* t) { return handle_for(call.state, *t); });
  return MPI_SUCCESS;
}

void copy_name(std::string_view name, char* out, int* length) {
  const std::size_t n = std::min<std::size_t>(name.size(), MPI_MAX_OBJECT_NAME - 1);
  std::memcpy(out, name.data(), n);
  out[n] = '\0';
  *length = static_cast<int>(n);
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Type_commit(MPI_Datatype* datatype) {
  ApiCall call("MPI_Type_commit");
  SKEIN_GET(const Datatype*, type, get_any_type(call, *datatype, type));
  if (!type->committed()) call.state.datatypes.find(*datatype)->commit();
  return MPI_SUCCESS;
}

int MPI_Type_dup(MPI_Datatype oldtype, MPI_Datatype* newtype) {
  ApiCall call("MPI_Type_dup");
  SKEIN_TRY(check_pointer(call, nullptr, newtype, "newtype"));
  SKEIN_GET(const Datatype*, old, get_any_type(call, oldtype, old));
  AttributeSet* copies = nullptr;
  if (const int error = copy_attributes(call.state, oldtype, type_attributes(call.state, oldtype), copies)) {
    *newtype = MPI_DATATYPE_NULL;
    return raise(call, nullptr, error, "an attribute's copy function has failed");
  }
  Datatype* made = nullptr;
  SKEIN_TRY(make_dup({call.state.memory}, *old, &made));
  *newtype = call.state.datatypes.add(made);
  if (copies != nullptr) rank_types(call.state).attributes[*newtype] = copies;
  return MPI_SUCCESS;
}

int MPI_Type_free(MPI_Datatype* datatype) {
  ApiCall call("MPI_Type_free");
  SKEIN_GET(const Datatype*, type, get_any_type(call, *datatype, type));
  if (type->predefined())
    return raise(call, nullptr, MPI_ERR_TYPE, "%s is predefined and cannot be freed", type->basic()->name);
  if (AttributeSet* attributes = type_attributes(call.state, *datatype)) {
    if (const int error = delete_attributes(call.state, *datatype, attributes))
      return raise(call, nullptr, error, "an attribute's delete function has failed");
    release_attributes(call.state, attributes);
    rank_types(call.state).attributes.erase(*datatype);
  }
  call.state.datatypes.remove(*datatype);
  type->release();
  *datatype = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}

int MPI_Type_extent(MPI_Datatype datatype, MPI_Aint* extent_out) {
  MPI_Aint lb = 0;
  return extent("MPI_Type_extent", datatype, &lb, extent_out);
}
int MPI_Type_lb(MPI_Datatype datatype, MPI_Aint* displacement) {
  MPI_Aint whole = 0;
  return extent("MPI_Type_lb", datatype, displacement, &whole);
}
int MPI_Type_ub(MPI_Datatype datatype, MPI_Aint* displacement) {
  MPI_Aint lb = 0, whole = 0;
  SKEIN_TRY(extent("MPI_Type_ub", datatype, &lb, &whole));
  *displacement = lb + whole;
  return MPI_SUCCESS;
}

int MPI_Type_get_envelope(MPI_Datatype datatype, int* num_integers, int* num_addresses, int* num_datatypes,
                          int* combiner) {
  ApiCall call("MPI_Type_get_envelope");
  SKEIN_GET(const Datatype*, type, get_any_type(call, datatype, type));
  const ContentSizes sizes = content_sizes(*type);
  SKEIN_TRY(check_small(call, sizes));
  *num_integers = fit<int>(sizes.ints);
  *num_addresses = fit<int>(sizes.addresses);
  *num_datatypes = fit<int>(sizes.types);
  *combiner = type->construction().combiner;
  return MPI_SUCCESS;
}

int MPI_Type_get_envelope_c(MPI_Datatype datatype, MPI_Count* num_integers, MPI_Count* num_addresses,
                            MPI_Count* num_large_counts, MPI_Count* num_datatypes, int* combiner) {
  ApiCall call("MPI_Type_get_envelope_c");
  SKEIN_GET(const Datatype*, type, get_any_type(call, datatype, type));
  const ContentSizes sizes = content_sizes(*type);
  *num_integers = sizes.ints;
  *num_addresses = sizes.addresses;
  *num_large_counts = sizes.large_counts;
  *num_datatypes = sizes.types;
  *combiner = type->construction().combiner;
  return MPI_SUCCESS;
}

int MPI_Type_get_contents(MPI_Datatype datatype, int max_integers, int max_addresses, int max_datatypes,
                          int array_of_integers[], MPI_Aint array_of_addresses[],
                          MPI_Datatype array_of_datatypes[]) {
  ApiCall call("MPI_Type_get_contents");
  SKEIN_GET(const Datatype*, type, get_any_type(call, datatype, type));
  SKEIN_TRY(check_small(call, content_sizes(*type)));
  return contents(call, *type, {max_integers, max_addresses, 0, max_datatypes}, array_of_integers,
                  array_of_addresses, nullptr, array_of_datatypes);
}

int MPI_Type_get_contents_c(MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses,
                            MPI_Count max_large_counts, MPI_Count max_datatypes, int array_of_integers[],
                            MPI_Aint array_of_addresses[], MPI_Count array_of_large_counts[],
                            MPI_Datatype array_of_datatypes[]) {
  ApiCall call("MPI_Type_get_contents_c");
  SKEIN_GET(const Datatype*, type, get_any_type(call, datatype, type));
  return contents(call, *type, {max_integers, max_addresses, max_large_counts, max_datatypes},
                  array_of_integers, array_of_addresses, array_of_large_counts, array_of_datatypes);
}

int MPI_Type_set_name(MPI_Datatype datatype, const char* type_name) {
  ApiCall call("MPI_Type_set_name");
  SKEIN_GET(const Datatype*, type, get_any_type(call, datatype, type));
  const std::string_view name = std::string_view(type_name).substr(0, MPI_MAX_OBJECT_NAME - 1);
  if (Datatype* own = call.state.datatypes.find(datatype))
    own->set_name(name);
  else
    rank_types(call.state).names.insert_or_assign(datatype, name);
  return MPI_SUCCESS;
}

int MPI_Type_get_name(MPI_Datatype datatype, char* type_name, int* resultlen) {
  ApiCall call("MPI_Type_get_name");
  if (datatype == MPI_DATATYPE_NULL) {
    copy_name("MPI_DATATYPE_NULL", type_name, resultlen);
    return MPI_SUCCESS;
  }
  SKEIN_GET(const Datatype*, type, get_any_type(call, datatype, type));
  const auto& given = rank_types(call.state).names;
  const auto found = given.find(datatype);
  copy_name(found == given.end() ? type->name() : std::string_view(found->second), type_name, resultlen);
  return MPI_SUCCESS;
}

}  // extern "C"

#include "mpi_forwards_extents.inc"
