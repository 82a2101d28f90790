// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/fortran/section.hpp"

#include <algorithm>
#include <vector>

#include "runtime/vmpi/datatype/construct.hpp"
#include "runtime/vmpi/datatype/typemap.hpp"

namespace skein::vmpi::fortran {

Section::Section(const Descriptor& descriptor) : base(descriptor.base), piece(descriptor.span) {
  for (int i = 0; i < descriptor.rank; ++i) {
    const std::int64_t extent = std::max<std::int64_t>(descriptor.dimensions[i].extent(), 0);
    const std::int64_t step = descriptor.dimensions[i].stride * descriptor.span;
    if (extent == 1) continue;
    if (rank == 0 && step == piece)
      piece *= extent;
    else
      dimensions[rank++] = {extent, step};
  }
}

std::int64_t Section::pieces() const {
  std::int64_t count = 1;
  for (int i = 0; i < rank; ++i) count *= dimensions[i].extent;
  return count;
}

std::int64_t Section::offset_of(std::int64_t index) const {
  std::int64_t offset = 0;
  for (int i = 0; i < rank; ++i) {
    offset += index % dimensions[i].extent * dimensions[i].step;
    index /= dimensions[i].extent;
  }
  return offset;
}

Reach reach_of(const Section& section, std::int64_t count, const Datatype& type) {
  if (count <= 0 || type.size() == 0) return Reach::first_piece;
  std::int64_t last;  // may be negative
  if (__builtin_mul_overflow(count - 1, type.extent(), &last)) return Reach::beyond;
  const std::int64_t begin = type.true_lb() + std::min<std::int64_t>(last, 0);
  const std::int64_t end = type.true_lb() + type.true_extent() + std::max<std::int64_t>(last, 0);
  if (begin < 0 || end > section.bytes()) return Reach::beyond;
  return end <= section.piece ? Reach::first_piece : Reach::section;
}

namespace {

/// Holds the references of types while others are made of them.
class Made {
 public:
  explicit Made(std::pmr::memory_resource& memory) : in_{memory, true} {}
  ~Made() {
    for (const Datatype* type : types_) type->release();
  }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;

  /// Adds a type made by `make(in, &out)`. Returns null if that fails, or has failed before.
  template <class Make>
  const Datatype* add(const Make& make) {
    if (error_ != MPI_SUCCESS) return nullptr;
    Datatype* made = nullptr;
    error_ = make(in_, &made);
    if (error_ != MPI_SUCCESS) return nullptr;
    types_.push_back(made);
    return made;
  }
  /// Hands the last type to the caller, committed.
  int take(Datatype** out) {
    if (error_ != MPI_SUCCESS) return error_;
    *out = types_.back();
    types_.pop_back();
    (*out)->commit();
    return MPI_SUCCESS;
  }

 private:
  MakeIn in_;
  int error_ = MPI_SUCCESS;
  std::vector<Datatype*> types_;
};

/// The parts of a type, in the order of its typemap.
struct Parts {
  std::vector<std::int64_t> lengths, displacements;
  std::vector<const Datatype*> types;

  void add(const Datatype* type, std::int64_t displacement, std::int64_t length) {
    if (!types.empty() && types.back() == type && type->extent() == type->size() &&
        displacements.back() + lengths.back() * type->size() == displacement) {
      lengths.back() += length;
      return;
    }
    types.push_back(type);
    displacements.push_back(displacement);
    lengths.push_back(length);
  }
  int make(MakeIn in, Datatype** out) const {
    const auto count = static_cast<std::int64_t>(types.size());
    const bool of_one_type =
        std::ranges::all_of(types, [&](const Datatype* type) { return type == types[0]; });
    return of_one_type ? make_hindexed(in, count, lengths.data(), displacements.data(), *types[0], out)
                       : make_struct(in, count, lengths.data(), displacements.data(), types.data(), out);
  }
};

/// Returns the number of instances that fill a piece exactly, one behind the other, or 0 if none does.
std::int64_t count_in_piece(const Section& section, const Datatype& type) {
  const bool within =
      type.extent() > 0 && type.true_lb() >= 0 && type.true_lb() + type.true_extent() <= type.extent();
  return within && section.piece % type.extent() == 0 ? section.piece / type.extent() : 0;
}

/// Adds a type with `each` instances in each piece: vectors of vectors, one level for each dimension, and a
/// rest.
void add_by_piece(Made& made, const Section& section, std::int64_t count, const Datatype& type,
                  std::int64_t each) {
  const Datatype* levels[Descriptor::largest_rank + 1];
  levels[0] = each == 1
                  ? &type
                  : made.add([&](MakeIn in, Datatype** out) { return make_contiguous(in, each, type, out); });
  const auto vector = [&](int dimension, std::int64_t length) {
    return made.add([&](MakeIn in, Datatype** out) {
      return make_hvector(in, length, 1, section.dimensions[dimension].step, *levels[dimension], out);
    });
  };
  std::int64_t size = 1, left = count / each;
  int top = 0;
  for (; top < section.rank && size * section.dimensions[top].extent <= left; ++top) {
    if (!levels[top]) return;
    size *= section.dimensions[top].extent;
    levels[top + 1] = vector(top, section.dimensions[top].extent);
  }
  Parts parts;
  std::int64_t offset = 0;
  for (int i = top; i >= 0 && levels[i]; --i) {
    const std::int64_t whole = left / size;
    if (whole > 0) {
      parts.add(whole == 1 ? levels[i] : vector(i, whole), offset, 1);
      if (!parts.types.back()) return;
      left -= whole * size;
      offset += i < section.rank ? whole * section.dimensions[i].step : 0;
    }
    if (i > 0) size /= section.dimensions[i - 1].extent;
  }
  if (count % each > 0) parts.add(&type, offset, count % each);
  made.add([&](MakeIn in, Datatype** out) { return parts.make(in, out); });
}

/// Adds any typemap, run by run. An element that is not in one piece goes as bytes.
void add_by_element(Made& made, const Section& section, std::int64_t count, const Datatype& type) {
  Parts parts;
  const auto place = [&](std::int64_t at) {
    return section.offset_of(at / section.piece) + at % section.piece;
  };
  for_each_run(type, 0, count, type.extent(), [&](const BasicType& basic, std::int64_t at, std::int64_t n) {
    if (basic.size == 0) return;
    const std::int64_t size = basic.size;
    const Datatype* const element = predefined_datatype(basic.handle);
    for (const std::int64_t end = at + n * size; at < end;) {
      const std::int64_t room = section.piece - at % section.piece, whole = std::min(room, end - at) / size;
      if (whole > 0) {
        parts.add(element, place(at), whole);
        at += whole * size;
        continue;
      }
      for (std::int64_t left = size; left > 0;) {
        const std::int64_t bytes = std::min(left, section.piece - at % section.piece);
        parts.add(predefined_datatype(MPI_BYTE), place(at), bytes);
        at += bytes;
        left -= bytes;
      }
    }
  });
  made.add([&](MakeIn in, Datatype** out) { return parts.make(in, out); });
}

}  // namespace

int make_section_type(std::pmr::memory_resource& memory, const Section& section, std::int64_t count,
                      const Datatype& type, Datatype** out) {
  Made made(memory);
  if (const std::int64_t each = count_in_piece(section, type); each > 0)
    add_by_piece(made, section, count, type, each);
  else
    add_by_element(made, section, count, type);
  return made.take(out);
}

}  // namespace skein::vmpi::fortran
