// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/fortran/section_copies.hpp"

#include <cstring>
#include <new>

#include "runtime/vmpi/coll/api/nonblocking.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/p2p/start.hpp"
#include "runtime/vmpi/record/record.hpp"

namespace skein::vmpi::fortran {
namespace {

std::size_t size_of(const SectionCopy& copy) { return static_cast<std::size_t>(copy.section.bytes()); }

void write_back_all(const SectionCopy& copy) {
  const auto piece = static_cast<std::size_t>(copy.section.piece);
  const std::byte* from = copy.bytes;
  copy.section.for_each_piece([&](std::byte* place) {
    memcpy(place, from, piece);
    from += piece;
  });
}

void write_back_changed(const SectionCopy& copy) {
  const auto piece = static_cast<std::size_t>(copy.section.piece);
  std::size_t at = 0;
  copy.section.for_each_piece([&](std::byte* place) {
    if (memcmp(copy.bytes + at, copy.before + at, piece) != 0)
      for (std::size_t i = 0; i < piece; ++i)
        if (copy.bytes[at + i] != copy.before[at + i]) place[i] = copy.bytes[at + i];
    at += piece;
  });
}

}  // namespace

std::byte* SectionCopies::add(const Descriptor& descriptor, Side side, bool keeps) {
  auto& copy =
      *new (memory->allocate(sizeof(SectionCopy), alignof(SectionCopy))) SectionCopy(descriptor, side);
  const std::size_t bytes = size_of(copy);
  copy.bytes = static_cast<std::byte*>(memory->allocate(bytes));
  if (keeps && side == Side::out) copy.before = static_cast<std::byte*>(memory->allocate(bytes));
  of[count++] = &copy;
  return copy.bytes;
}

void SectionCopies::fill_in() {
  for (int i = 0; i < count; ++i) {
    const SectionCopy& copy = *of[i];
    const auto piece = static_cast<std::size_t>(copy.section.piece);
    std::byte* to = copy.bytes;
    copy.section.for_each_piece([&](const std::byte* place) {
      memcpy(to, place, piece);
      to += piece;
    });
    if (copy.before) memcpy(copy.before, copy.bytes, size_of(copy));
  }
}

void SectionCopies::write_back() {
  for (int i = 0; i < count; ++i)
    if (of[i]->side == Side::out) of[i]->before ? write_back_changed(*of[i]) : write_back_all(*of[i]);
}

SectionCopies& make_copies(std::pmr::memory_resource& memory) {
  return *new (memory.allocate(sizeof(SectionCopies), alignof(SectionCopies))) SectionCopies{&memory, 0, {}};
}

void free_copies(SectionCopies& copies) {
  std::pmr::memory_resource& memory = *copies.memory;
  for (int i = 0; i < copies.count; ++i) {
    SectionCopy* const copy = copies.of[i];
    const std::size_t bytes = size_of(*copy);
    memory.deallocate(copy->bytes, bytes);
    if (copy->before) memory.deallocate(copy->before, bytes);
    memory.deallocate(copy, sizeof(SectionCopy), alignof(SectionCopy));
  }
  memory.deallocate(&copies, sizeof(SectionCopies), alignof(SectionCopies));
}

MPI_Request follow_with_copies(MPI_Request handle, bool persistent, SectionCopies& copies) {
  ApiCall call("MPI_Start", Outside::is_allowed);
  RankState& state = call.state;
  Comm* const with = state.requests.find(handle)->comm;
  SectionCopies* const held = &copies;
  Request& request = new_collective_request(
      state, with ? *with : *find_comm(state, MPI_COMM_WORLD),
      [handle, persistent, held](Request& self) {
        ApiCall inner_call("MPI_Start", Outside::is_allowed);
        Request& inner = *self.owner->requests.find(handle);
        if (persistent) {
          held->fill_in();
          if (const int error = start(inner_call, inner); error != MPI_SUCCESS) return error;
        }
        if (!ready(inner)) wait_until_complete(inner, {"for an operation on an array section", {}});
        take_copy(inner);
        if (trace::recording) mark_of(self) = mark_of(inner);
        const int error = inner.error;
        MPI_Request ended = handle;
        retire(inner, &ended);
        held->write_back();
        return error;
      },
      [handle, persistent, held](RankState& owner) {
        if (Request* const inner = persistent ? owner.requests.find(handle) : nullptr)
          release_request(*inner);
        free_copies(*held);
      });
  leave_unrecorded(request);
  if (persistent)
    request.kept = Kept::persistent;
  else
    start_collective(request);
  return RequestTable::handle_of(request);
}

}  // namespace skein::vmpi::fortran
