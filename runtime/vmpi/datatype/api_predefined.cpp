// SPDX-License-Identifier: Apache-2.0
// Finding predefined types: by size, by Fortran's precision and range, by the parts of a pair.
#include <algorithm>
#include <span>

#include "runtime/base/check.hpp"
#include "runtime/vmpi/datatype/arguments.hpp"
#include "runtime/vmpi/datatype/rank_types.hpp"

namespace skein::vmpi {
namespace {

/// A kind of gfortran's on x86-64: selected_real_kind and selected_int_kind choose from these, least first.
struct Kind {
  int precision;  ///< decimal digits; unused for integers
  int range;      ///< decimal exponent
  MPI_Datatype type;
};

const Kind real_kinds[] = {
    {6, 37, MPI_REAL4}, {15, 307, MPI_REAL8}, {18, 4931, MPI_LONG_DOUBLE}, {33, 4931, MPI_REAL16}};
const Kind complex_kinds[] = {{6, 37, MPI_COMPLEX8},
                              {15, 307, MPI_COMPLEX16},
                              {18, 4931, MPI_C_LONG_DOUBLE_COMPLEX},
                              {33, 4931, MPI_COMPLEX32}};
const Kind integer_kinds[] = {{0, 2, MPI_INTEGER1},
                              {0, 4, MPI_INTEGER2},
                              {0, 9, MPI_INTEGER4},
                              {0, 18, MPI_INTEGER8},
                              {0, 38, MPI_INTEGER16}};

/// Makes a parameterised type. MPI_UNDEFINED, which is negative, sets no requirement.
int create_f90(const char* function, int combiner, std::span<const Kind> kinds, int precision, int range,
               MPI_Datatype* newtype) {
  ApiCall call(function);
  SKEIN_TRY(check_pointer(call, nullptr, newtype, "newtype"));
  const bool integer = combiner == MPI_COMBINER_F90_INTEGER;
  if ((precision == MPI_UNDEFINED || integer) && range == MPI_UNDEFINED)
    return raise(call, nullptr, MPI_ERR_ARG, "neither a precision nor a range is given");
  const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                 [&](const Kind& k) { return precision <= k.precision && range <= k.range; });
  if (kind == kinds.end())
    return raise(call, nullptr, MPI_ERR_ARG, "no kind has precision %d and range %d", precision, range);

  auto& known = rank_types(call.state).f90;
  const auto [entry, is_new] = known.try_emplace({combiner, precision, range}, MPI_DATATYPE_NULL);
  if (is_new) {
    std::vector<std::int64_t> arguments{range};
    if (!integer) arguments.insert(arguments.begin(), precision);
    const BasicType& element = *predefined_datatype(kind->type)->basic();
    entry->second = call.state.datatypes.add(make_f90(call.state.memory, combiner, arguments, element));
  }
  *newtype = entry->second;
  return MPI_SUCCESS;
}

const MPI_Datatype sized_types[] = {MPI_INTEGER1,  MPI_INTEGER2,  MPI_INTEGER4, MPI_INTEGER8,
                                    MPI_INTEGER16, MPI_REAL4,     MPI_REAL8,    MPI_REAL16,
                                    MPI_COMPLEX8,  MPI_COMPLEX16, MPI_COMPLEX32};

bool belongs(TypeClass type_class, int wanted) {
  switch (wanted) {
    case MPI_TYPECLASS_INTEGER:
      return type_class == TypeClass::fortran_integer;
    case MPI_TYPECLASS_REAL:
      return type_class == TypeClass::floating;
    case MPI_TYPECLASS_COMPLEX:
      return type_class == TypeClass::complex;
    default:
      return false;
  }
}

}  // namespace
}  // namespace skein::vmpi

using namespace skein::vmpi;

extern "C" {

int MPI_Type_create_f90_real(int p, int r, MPI_Datatype* newtype) {
  return create_f90("MPI_Type_create_f90_real", MPI_COMBINER_F90_REAL, real_kinds, p, r, newtype);
}
int MPI_Type_create_f90_complex(int p, int r, MPI_Datatype* newtype) {
  return create_f90("MPI_Type_create_f90_complex", MPI_COMBINER_F90_COMPLEX, complex_kinds, p, r, newtype);
}
int MPI_Type_create_f90_integer(int r, MPI_Datatype* newtype) {
  return create_f90("MPI_Type_create_f90_integer", MPI_COMBINER_F90_INTEGER, integer_kinds, 0, r, newtype);
}

int MPI_Type_match_size(int typeclass, int size, MPI_Datatype* datatype) {
  ApiCall call("MPI_Type_match_size");
  for (const MPI_Datatype handle : sized_types) {
    const BasicType& basic = *predefined_datatype(handle)->basic();
    if (belongs(basic.type_class, typeclass) && basic.size == size) {
      *datatype = handle;
      return MPI_SUCCESS;
    }
  }
  return raise(call, nullptr, MPI_ERR_ARG, "no type of class %d has %d bytes", typeclass, size);
}

int MPI_Type_get_value_index(MPI_Datatype value_type, MPI_Datatype index_type, MPI_Datatype* pair_type) {
  ApiCall call("MPI_Type_get_value_index");
  SKEIN_GET(const Datatype*, checked, get_any_type(call, value_type, checked));
  SKEIN_TRY(get_any_type(call, index_type, checked));
  *pair_type = MPI_DATATYPE_NULL;  // the answer for combinations that no predefined pair has
  for (const BasicType& basic : basic_types()) {
    if (basic.type_class != TypeClass::pair) continue;
    const PairParts parts = pair_parts(basic);
    if (parts.value == value_type && parts.index == index_type) *pair_type = basic.handle;
  }
  return MPI_SUCCESS;
}

}  // extern "C"
