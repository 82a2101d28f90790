// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/fortran/sections.hpp"

#include <new>

#include "runtime/vmpi/datatype/rank_types.hpp"
#include "runtime/vmpi/fortran/section.hpp"
#include "runtime/vmpi/fortran/section_copies.hpp"
#include "runtime/vmpi/fortran/section_types.hpp"
#include "runtime/vmpi/p2p/arguments.hpp"
#include "runtime/vmpi/p2p/partitioned.hpp"

namespace skein::vmpi::fortran {
namespace {

constexpr const char* kTooShort =
    "the count and the datatype reach beyond the array section that is passed as the buffer";
constexpr const char* kHasGaps = "an array section with gaps cannot be memory for MPI: pass a whole array";
constexpr const char* kIsACopy =
    "gfortran passes a copy that is freed when this call returns, because the buffer is an expression, or a "
    "component or a substring of array elements: pass an array or a section of one, or call the blocking "
    "form";

SectionTypes& types_of(RankState& state) {
  if (!state.section_types)
    state.section_types =
        new (state.memory.allocate(sizeof(SectionTypes), alignof(SectionTypes))) SectionTypes(state.memory);
  return *state.section_types;
}

}  // namespace

Sections::~Sections() {
  for (int i = 0; i < types_made_; ++i) (void)MPI_Type_free(&types_[i]);
  const fiber::RuntimeScope runtime;
  if (copies_) free_copies(*copies_);
}

bool Sections::is_refused(const Descriptor& buffer, Side side) {
  const bool can_be_copied = use_ == Use::call || (use_ == Use::request && side == Side::in);
  if (!can_be_copied && is_temporary(buffer)) why_not_ = kIsACopy;
  return why_not_ != nullptr;
}

TypedBuffer Sections::typed(const Descriptor& buffer, Side side, MPI_Count count, MPI_Fint datatype) {
  TypedBuffer typed{buffer_of(buffer.base), count, handle_of<MPI_Datatype>(datatype)};
  if (is_refused(buffer, side)) return typed;
  if (use_ != Use::call && is_temporary(buffer)) {
    typed.buffer = copied(buffer, side);
    return typed;
  }
  if (fortran::in_one_piece(buffer)) return typed;
  const fiber::RuntimeScope runtime;
  RankState& state = current_state();
  const Section section(buffer);
  const Datatype* const type = find_type(state, typed.type);
  if (!type || !type->committed()) return typed;
  switch (reach_of(section, count, *type)) {
    case Reach::first_piece:
      return typed;
    case Reach::beyond:
      why_not_ = kTooShort;
      return typed;
    case Reach::section:
      break;
  }
  Datatype* made = nullptr;
  if (types_of(state).get(section, count, typed.type, *type, &made) != MPI_SUCCESS) {
    why_not_ = kTooShort;
    return typed;
  }
  typed.type = types_[types_made_++] = state.datatypes.add(made);
  typed.count = 1;
  return typed;
}

TypedBuffer Sections::partitioned(const Descriptor& buffer, Side side, int partitions, MPI_Count count,
                                  MPI_Fint datatype) {
  MPI_Count all;
  if (__builtin_mul_overflow(count, partitions, &all)) {
    why_not_ = kTooShort;
    all = 0;
  }
  return typed(buffer, side, all, datatype);
}

void* Sections::element(const Descriptor& buffer, MPI_Fint datatype) {
  if (is_refused(buffer, Side::out)) return nullptr;
  const Section section(buffer);
  const Datatype* const type = find_type(current_state(), handle_of<MPI_Datatype>(datatype));
  if (section.rank > 0 && type && type->committed() && reach_of(section, 1, *type) != Reach::first_piece)
    why_not_ = kTooShort;
  return buffer_of(buffer.base);
}

void* Sections::copied(const Descriptor& buffer, Side side) {
  if (is_refused(buffer, side)) return nullptr;
  const bool stays = use_ == Use::call ? fortran::in_one_piece(buffer) : stays_in_one_piece(buffer);
  if (stays) return buffer_of(buffer.base);
  const fiber::RuntimeScope runtime;
  if (!copies_) copies_ = &make_copies(current_state().memory);
  std::byte* const copy = copies_->add(buffer, side, use_ != Use::call);
  copies_->fill_in();
  return copy;
}

void* Sections::in_one_piece(const Descriptor& buffer, Side side) {
  if (!is_refused(buffer, side) && !fortran::in_one_piece(buffer)) why_not_ = kHasGaps;
  return buffer_of(buffer.base);
}

int init_partitioned(const char* function, Side side, int partitions, const TypedBuffer& all, int peer,
                     int tag, MPI_Comm comm, MPI_Request* request) {
  const RequestKind kind =
      side == Side::in ? RequestKind::partitioned_send : RequestKind::partitioned_receive;
  return vmpi::init_partitioned(function, kind, partitions, {all.buffer, all.count, all.type, peer, tag},
                                comm, request);
}

void Sections::finish(MPI_Request* request) {
  if (!copies_) return;
  const fiber::RuntimeScope runtime;
  if (!request) return copies_->write_back();
  SectionCopies& copies = *copies_;
  copies_ = nullptr;
  *request = follow_with_copies(*request, use_ == Use::persistent, copies);
}

}  // namespace skein::vmpi::fortran
