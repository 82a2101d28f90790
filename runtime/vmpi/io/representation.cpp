// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/io/representation.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "runtime/vmpi/coll/algorithms/channel.hpp"
#include "runtime/vmpi/datatype/construct.hpp"
#include "runtime/vmpi/datatype/external32.hpp"
#include "runtime/vmpi/datatype/rank_types.hpp"
#include "runtime/vmpi/datatype/typemap.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {
namespace {

using Kind = Representation::Kind;

struct ItemSize {
  int error = MPI_SUCCESS;
  std::int64_t bytes = 0;
};

/// Returns the bytes of one element in the file.
ItemSize size_of_element(RankState& state, const Representation& representation, const Datatype& type) {
  if (representation.kind == Kind::external32) return {MPI_SUCCESS, external32_size(type)};
  MPI_Aint extent = 0;
  ProgramScope program(state.rank);
  const RegisteredRepresentation& its = *representation.registered;
  const int error = its.extent(type.basic()->handle, &extent, its.extra);
  return {error == MPI_SUCCESS || extent >= 0 ? error : MPI_ERR_CONVERSION, extent};
}

/// Returns the bytes of one `type` in the file.
ItemSize size_of_item(RankState& state, const Representation& representation, const Datatype& type) {
  if (type.scalar()) return size_of_element(state, representation, type);
  ItemSize sum;
  for_each_run(type, [&](const BlockRun& run) {
    const ItemSize inner = size_of_item(state, representation, *run.inner);
    sum.error = inner.error;
    sum.bytes += run.count * run.blocklength * inner.bytes;
    return inner.error == MPI_SUCCESS;
  });
  return sum;
}

/// Inner types of a type in the making: their references are released at the end.
class Inner {
 public:
  ~Inner() {
    for (const Datatype* type : types_) type->release();
  }
  void add(const Datatype* type) { types_.push_back(type); }
  const Datatype* const* data() const { return types_.data(); }
  const Datatype& first() const { return *types_.front(); }
  Inner() = default;
  Inner(const Inner&) = delete;
  Inner& operator=(const Inner&) = delete;

 private:
  std::vector<const Datatype*> types_;
};

class LayOut {
 public:
  LayOut(RankState& state, const Representation& representation)
      : state_(state), representation_(representation) {}

  int make(const Datatype& type, Datatype*& out) {
    const Construction& c = type.construction();
    if (type.basic()) return block(type, out);
    Inner inner;
    for (const Datatype* of : c.inner) {
      Datatype* made = nullptr;
      if (const int error = make(*of, made); error != MPI_SUCCESS) return error;
      inner.add(made);
    }
    return construct(c, inner, out);
  }

 private:
  /// Makes a named type, also a pair, of the bytes that it has in the file.
  int block(const Datatype& type, Datatype*& out) {
    const ItemSize size = size_of_item(state_, representation_, type);
    if (size.error != MPI_SUCCESS) return size.error;
    return make_contiguous(in(), size.bytes, *predefined_datatype(MPI_BYTE), &out);
  }

  int construct(const Construction& c, const Inner& inner, Datatype*& out) const {
    const auto at = [&](std::int64_t i) { return IntView(c.args.data() + i); };
    const auto& args = c.args;
    switch (c.combiner) {
      case MPI_COMBINER_DUP:
        return make_dup(in(), inner.first(), &out);
      case MPI_COMBINER_RESIZED:
        return make_resized(in(), args[0], args[1], inner.first(), &out);
      case MPI_COMBINER_CONTIGUOUS:
        return make_contiguous(in(), args[0], inner.first(), &out);
      case MPI_COMBINER_VECTOR:
        return make_vector(in(), args[0], args[1], args[2], inner.first(), &out);
      case MPI_COMBINER_HVECTOR:
        return make_hvector(in(), args[0], args[1], args[2], inner.first(), &out);
      case MPI_COMBINER_INDEXED:
        return make_indexed(in(), args[0], at(1), at(1 + args[0]), inner.first(), &out);
      case MPI_COMBINER_HINDEXED:
        return make_hindexed(in(), args[0], at(1), at(1 + args[0]), inner.first(), &out);
      case MPI_COMBINER_INDEXED_BLOCK:
        return make_indexed_block(in(), args[0], args[1], at(2), inner.first(), &out);
      case MPI_COMBINER_HINDEXED_BLOCK:
        return make_hindexed_block(in(), args[0], args[1], at(2), inner.first(), &out);
      case MPI_COMBINER_STRUCT:
        return make_struct(in(), args[0], at(1), at(1 + args[0]), inner.data(), &out);
      case MPI_COMBINER_SUBARRAY: {
        const std::int64_t n = args[0];
        return make_subarray(in(), static_cast<int>(n), at(1), at(1 + n), at(1 + 2 * n),
                             static_cast<int>(args.back()), inner.first(), &out);
      }
      case MPI_COMBINER_DARRAY:
        return darray(c, inner.first(), out);
      default:
        return MPI_ERR_UNSUPPORTED_DATAREP;
    }
  }

  int darray(const Construction& c, const Datatype& old, Datatype*& out) const {
    const auto n = static_cast<int>(c.args[2]);
    const std::vector<int> small(c.args.begin() + 3 + n, c.args.end());  // kinds, arguments, grid, order
    return make_darray(in(), static_cast<int>(c.args[0]), static_cast<int>(c.args[1]), n,
                       IntView(c.args.data() + 3), small.data(), small.data() + n, small.data() + 2 * n,
                       small.back(), old, &out);
  }

  MakeIn in() const { return {state_.memory, true}; }

  RankState& state_;
  const Representation& representation_;
};

/// A handle for a type, to pass to a function of the program.
class TypeHandle {
 public:
  TypeHandle(RankState& state, const Datatype& type) : state_(state), handle_(handle_for(state, type)) {}
  ~TypeHandle() {
    if (Datatype* const own = state_.datatypes.find(handle_); own && !own->predefined()) {
      state_.datatypes.remove(handle_);
      own->release();
    }
  }
  TypeHandle(const TypeHandle&) = delete;
  TypeHandle& operator=(const TypeHandle&) = delete;
  MPI_Datatype get() const { return handle_; }

 private:
  RankState& state_;
  MPI_Datatype handle_;
};

int convert(RankState& state, MPI_Datarep_conversion_function* small,
            MPI_Datarep_conversion_function_c* large, const Data& data, std::int64_t count,
            std::byte* in_file, void* extra) {
  if (count > INT32_MAX && !large) return MPI_ERR_CONVERSION;
  const TypeHandle type(state, *data.type);
  ProgramScope program(state.rank);
  return large ? large(data.buffer, type.get(), count, in_file, 0, extra)
               : small(data.buffer, type.get(), static_cast<int>(count), in_file, 0, extra);
}

/// Returns the number of bytes of the first elements of one `type` that are complete in `size` bytes of
/// external32.
struct Whole {
  std::int64_t external = 0, native = 0;  ///< bytes
};
Whole whole_elements(const Datatype& type, std::int64_t size) {
  Whole whole;
  for_each_run(type, 0, 1, type.extent(), [&](const BasicType& basic, std::int64_t, std::int64_t n) {
    const std::int64_t fit = (size - whole.external) / basic.external32_size;
    const std::int64_t taken = std::min(n, fit);
    whole.external += taken * basic.external32_size;
    whole.native += taken * basic.size;
    if (taken < n) size = whole.external;
  });
  return whole;
}

int from_external32(RankState& state, const Data& data, const std::byte* in, std::size_t size,
                    std::size_t& moved) {
  const std::int64_t item = external32_size(*data.type);
  const std::int64_t items = static_cast<std::int64_t>(size) / item;
  unpack_external32(data.buffer, items, *data.type, in);
  moved = static_cast<std::size_t>(items * data.type->size());
  if (items == data.count) return MPI_SUCCESS;
  const Whole rest = whole_elements(*data.type, static_cast<std::int64_t>(size) - items * item);
  if (rest.external == 0) return MPI_SUCCESS;
  // The rest of the last item stays unchanged.
  std::byte* const last = static_cast<std::byte*>(data.buffer) + items * data.type->extent();
  const Scratch both(state, static_cast<std::size_t>(item));
  (void)pack_external32(last, 1, *data.type, both.data());
  memcpy(both.data(), in + items * item, static_cast<std::size_t>(rest.external));
  unpack_external32(last, 1, *data.type, both.data());
  moved += static_cast<std::size_t>(rest.native);
  return MPI_SUCCESS;
}

}  // namespace

std::string_view Representation::name() const {
  switch (kind) {
    case Kind::native:
      return "native";
    case Kind::internal:
      return "internal";
    case Kind::external32:
      return "external32";
    case Kind::registered:
      break;
  }
  return registered->name;
}

bool find_representation(const RankState& state, std::string_view name, Representation& out) {
  for (const Kind kind : {Kind::native, Kind::internal, Kind::external32}) {
    out = {kind, nullptr};
    if (out.name() == name) return true;
  }
  for (const RegisteredRepresentation* one : state.representations) {
    out = {Kind::registered, one};
    if (one->name == name) return true;
  }
  return false;
}

int lay_out_in_file(RankState& state, const Representation& representation, const Datatype& type,
                    const Datatype*& out) {
  if (representation.as_in_memory()) {
    type.retain();
    out = &type;
    return MPI_SUCCESS;
  }
  Datatype* made = nullptr;
  const int error = LayOut(state, representation).make(type, made);
  if (error != MPI_SUCCESS) return error;
  made->commit();
  out = made;
  return MPI_SUCCESS;
}

std::int64_t bytes_in_file(RankState& state, const Representation& representation, const Data& data) {
  if (representation.as_in_memory()) return static_cast<std::int64_t>(data.bytes);
  const ItemSize item = size_of_item(state, representation, *data.type);
  return item.error == MPI_SUCCESS ? item.bytes * data.count : -1;
}

int to_file_form(RankState& state, const Representation& representation, const Data& data, std::byte* out) {
  if (data.bytes == 0) return MPI_SUCCESS;
  if (representation.kind == Kind::external32)
    return pack_external32(data.buffer, data.count, *data.type, out);
  const RegisteredRepresentation& its = *representation.registered;
  if (its.write || its.write_large)
    return convert(state, its.write, its.write_large, data, data.count, out, its.extra);
  data.pack(0, out, data.bytes);
  return MPI_SUCCESS;
}

int from_file_form(RankState& state, const Representation& representation, const Data& data,
                   const std::byte* in, std::size_t size, std::size_t& moved) {
  moved = 0;
  if (data.bytes == 0 || size == 0) return MPI_SUCCESS;
  if (representation.kind == Kind::external32) return from_external32(state, data, in, size, moved);
  const RegisteredRepresentation& its = *representation.registered;
  if (!its.read && !its.read_large) {
    moved = std::min(size, data.bytes);
    data.unpack(0, in, moved);
    return MPI_SUCCESS;
  }
  const ItemSize item = size_of_item(state, representation, *data.type);
  if (item.error != MPI_SUCCESS) return item.error;
  const std::int64_t items = item.bytes > 0 ? static_cast<std::int64_t>(size) / item.bytes : data.count;
  moved = static_cast<std::size_t>(items * data.type->size());
  return convert(state, its.read, its.read_large, data, items, const_cast<std::byte*>(in), its.extra);
}

}  // namespace skein::vmpi
