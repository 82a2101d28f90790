// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "runtime/vmpi/handles.hpp"
#include "runtime/vmpi/p2p/request.hpp"

namespace skein::vmpi {

/// The requests of a rank that outlive the call which makes them. Lives in the slot.
///
/// Requests come and go once a message. So their room is kept, each room has its handle for good, and the
/// state of the request itself says whether its handle is valid: nothing else is written or read. A part of
/// the room, the places, is found by what a request does: see recurring.hpp.
class RequestTable {
 public:
  explicit RequestTable(std::pmr::memory_resource& memory) : chunks_(&memory) {}

  /// Room to construct a request in, which then must get the index.
  struct Room {
    Request* place;
    std::uint32_t index;
  };
  Room reserve() {
    if (!free_) [[unlikely]]
      return take_new();
    Request* const place = free_;
    free_ = place->listed.next;
    return {place, place->index};
  }
  void give_back(Request& request) {
    request.holder = Holder::nobody;
    request.active = false;
    if (is_place(request)) {
      request.comm = nullptr;  // so that no call finds it (recurring.hpp)
      return;
    }
    request.listed.next = free_;
    free_ = &request;
  }

  static constexpr unsigned place_bits = 6;
  static constexpr std::size_t places = std::size_t{1} << place_bits;
  /// Returns the first of two adjacent places, chosen by the upper bits of `number`. Each holds an active
  /// request, or the one that used it last.
  Request* pair_of_places(std::uint64_t number) {
    if (!places_) [[unlikely]]
      make_places();
    return &places_[2 * (number >> (64 - (place_bits - 1)))];
  }
  bool is_place(const Request& request) const {
    return static_cast<std::size_t>(&request - places_) < places && places_;
  }
  template <class F>
  void for_each_place(F f) const {
    for (std::size_t i = 0; places_ && i < places; ++i) f(places_[i]);
  }

  static MPI_Request handle_of(const Request& request) {
    return reinterpret_cast<MPI_Request>(
        static_cast<std::uintptr_t>(HandleKind::request) << kHandleIndexBits | request.index);
  }
  /// Returns nullptr for a handle of another kind, a predefined one, or one that was freed.
  Request* find(MPI_Request handle) const { return finder()(handle); }
  /// Finds several requests. Valid until a request is made.
  class Finder {
   public:
    Finder() = default;  ///< finds none
    Request* operator()(MPI_Request handle) const {
      Request* const found = room_of(handle);
      return found && found->holder == Holder::program ? found : nullptr;
    }
    /// Returns the room that a handle names, whoever holds the request in it.
    Request* room_of(MPI_Request handle) const {
      const std::size_t index =
          handle_value(handle) ^ (static_cast<std::uintptr_t>(HandleKind::request) << kHandleIndexBits);
      if (index >= made_) return nullptr;
      return chunks_[index / chunk_requests] + index % chunk_requests;
    }

   private:
    friend class RequestTable;
    Finder(Request* const* chunks, std::size_t made) : chunks_(chunks), made_(made) {}
    Request* const* chunks_ = nullptr;
    std::size_t made_ = 0;
  };
  Finder finder() const { return {chunks_.data(), made_}; }

  /// The recorder's data of a request (vmpi/record/). Kept even if nothing is recorded, so that recording
  /// does not change the memory that a rank uses.
  struct Recorded {
    std::uint32_t mark;
    std::uint32_t token;  ///< of its last start
  };
  Recorded& recorded(const Request& request) { return recorded_[request.index]; }
  /// Returns the recorder's data by index. Valid until a request is made.
  const Recorded* all_recorded() const { return recorded_; }

  /// Calls `f(request)` for each request that the program holds.
  template <class F>
  void for_each(F f) const {
    for (std::size_t i = 0; i < made_; ++i)
      if (at(i)->holder == Holder::program) f(*at(i));
  }

 private:
  static constexpr std::size_t chunk_requests = 32;
  static constexpr std::size_t chunk_bytes = chunk_requests * sizeof(Request);
  Request* at(std::size_t index) const { return chunks_[index / chunk_requests] + index % chunk_requests; }
  Room take_new();
  Request* take_chunks(std::size_t count);
  void make_places();

  std::pmr::vector<Request*> chunks_;
  Recorded* recorded_ = nullptr;  // one for each room
  std::size_t made_ = 0;          // rooms that have ever been taken
  Request* free_ = nullptr;       // linked by `listed.next`
  Request* places_ = nullptr;
};

}  // namespace skein::vmpi
