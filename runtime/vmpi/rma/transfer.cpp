// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/rma/transfer.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "runtime/load/traffic_log.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/vmpi/datatype/walk_blocks.hpp"
#include "runtime/vmpi/rma/messages.hpp"

namespace skein::vmpi {
namespace {

/// Bytes under way at most: a rank that puts without end would fill its PE's memory with messages.
constexpr std::uint64_t kMostBytesUnderWay = std::uint64_t{4} << 20;

constexpr char kWaiting[] = "for one-sided operations on a window";

int raise_range(const ApiCall& call, const Window& window, const Target& target, std::size_t bytes) {
  return raise(call, window.comm, MPI_ERR_RMA_RANGE,
               "%zu bytes at displacement %lld are not in the window of rank %d", bytes,
               static_cast<long long>(target.displacement), target.rank);
}

/// Returns true if all of the data is in attached memory, which may have gaps where the type has some.
bool attached(const Window& at, const Data& there) {
  const auto origin = reinterpret_cast<std::intptr_t>(there.buffer);
  bool all = true;
  for_each_block(
      *there.type, 0, static_cast<std::int64_t>(there.bytes), [&](std::int64_t offset, std::int64_t bytes) {
        all =
            all && inside(at, reinterpret_cast<std::byte*>(origin + offset), static_cast<std::size_t>(bytes));
      });
  return all;
}

/// Performs an operation on memory that this PE reaches.
void perform_here(Window& at, const Data& there, const OneSided& access) {
  switch (access.what) {
    case OneSided::What::put:
      return copy(access.origin, there, access.bytes);
    case OneSided::What::get:
      return copy(there, access.result, access.bytes);
    case OneSided::What::compare_and_swap:
      return compare_and_swap(at.owner->updating, there.contiguous(),
                              static_cast<const std::byte*>(access.compare), access.origin.contiguous(),
                              access.result.contiguous(), access.bytes);
    case OneSided::What::update:
      break;
  }
  const Place place{.data = &there};
  const std::byte* const operand = access.origin.contiguous();
  std::byte* const result = access.result.contiguous();
  const bool fetches = access.result.bytes > 0;
  if ((operand || access.origin.bytes == 0) && (result || !fetches))
    return update(at.owner->updating, access.update, place, operand, result, access.bytes);
  // Works in packed pieces of a few elements.
  const auto size = static_cast<std::size_t>(access.update.element->size());
  std::byte given[1024], before[1024];
  const std::size_t step = sizeof given / size * size;
  for (std::size_t offset = 0; offset < access.bytes; offset += step) {
    const std::size_t bytes = std::min(step, access.bytes - offset);
    if (access.origin.bytes) access.origin.pack(offset, given, bytes);
    update(at.owner->updating, access.update, place, access.origin.bytes ? given : nullptr,
           fetches ? before : nullptr, bytes, offset);
    if (fetches) access.result.unpack(offset, before, bytes);
  }
}

/// Makes parts of an operation, block by block, and sends each when it is full.
class Parts {
 public:
  Parts(Window& window, const Target& target, const OneSided& access, Transfer& transfer)
      : window_(window), access_(access), transfer_(transfer), rank_(window.comm->world_rank(target.rank)) {
    part_.to = &window.peer(target.rank);
    part_.transfer = &transfer;
    part_.displacement = target.displacement;
    part_.what = static_cast<Part::What>(access.what);
    part_.fetches = access.result.bytes > 0;
    std::size_t element = 1;
    if (access.what == OneSided::What::update) {
      part_.element = access.update.element->basic()->handle;
      part_.op = access.update.op->handle();
      element = static_cast<std::size_t>(access.update.element->size());
    }
    capacity_ = kPartBytes / element * element;
    element_ = element;
  }

  void add(std::int64_t offset, std::int64_t length) {
    auto left = static_cast<std::size_t>(length);
    while (left > 0) {
      const std::size_t taken = std::min(left, capacity_ - part_.bytes);
      blocks_[part_.blocks++] = {offset, static_cast<std::int64_t>(taken)};
      part_.bytes += static_cast<std::uint32_t>(taken);
      offset += static_cast<std::int64_t>(taken);
      left -= taken;
      // The two blocks that an element has at most stay together.
      const bool full = part_.bytes == capacity_ || part_.blocks + 2u >= kPartBlocks;
      if (full && part_.bytes % element_ == 0) flush();
    }
  }

  void flush() {
    if (part_.bytes == 0) return;
    std::byte message[kLongestPart];
    std::size_t size = 0;
    const auto append = [&](const void* bytes, std::size_t count) {
      memcpy(message + size, bytes, count);
      size += count;
    };
    append(&part_, sizeof part_);
    append(blocks_, part_.blocks * sizeof(WireBlock));
    if (access_.compare) append(access_.compare, part_.bytes);
    if (access_.origin.bytes) {
      access_.origin.pack(part_.position, message + size, part_.bytes);
      size += part_.bytes;
    }
    ++transfer_.left;
    window_.bytes_under_way += part_.bytes;
    send_part(rank_, message, size);
    part_.position += part_.bytes;
    part_.bytes = 0;
    part_.blocks = 0;
    if (window_.bytes_under_way > kMostBytesUnderWay)
      wait_until(window_, [&] { return window_.bytes_under_way <= kMostBytesUnderWay / 2; }, {kWaiting, {}});
  }

 private:
  Window& window_;
  const OneSided& access_;
  Transfer& transfer_;
  int rank_;
  std::size_t capacity_ = 0, element_ = 1;
  Part part_{};
  WireBlock blocks_[kPartBlocks];
};

/// Counts the end of a call that has sent its parts, or of a part that was answered.
void count_down(Transfer& transfer) {
  if (--transfer.left > 0) return;
  Window& window = *transfer.window;
  RankState& state = *window.owner;
  if (Request* const request = transfer.request) {
    request->error = transfer.error;
    complete(*request);
  } else if (window.failed == MPI_SUCCESS) {
    window.failed = transfer.error;
  }
  if (transfer.result.type) transfer.result.type->release();
  transfer.~Transfer();
  state.memory.deallocate(&transfer, sizeof(Transfer), alignof(Transfer));
  --window.transfers;
  wake(window);
}

void send_away(Window& window, const Target& target, const OneSided& access, Request* request) {
  auto& transfer = *new (window.owner->memory.allocate(sizeof(Transfer), alignof(Transfer)))
                       Transfer{&window, access.result, 1, request};
  if (transfer.result.type) transfer.result.type->retain();
  ++window.transfers;
  Parts parts(window, target, access, transfer);
  for_each_block(*access.target_type, 0, static_cast<std::int64_t>(access.bytes),
                 [&](std::int64_t offset, std::int64_t bytes) { parts.add(offset, bytes); });
  parts.flush();
  count_down(transfer);
}

}  // namespace

int perform(const ApiCall& call, Window& window, const Target& target, const OneSided& access,
            Request* request) {
  if (access.bytes == 0) {
    if (request) complete(*request);
    return MPI_SUCCESS;
  }
  const int world_rank = window.comm->world_rank(target.rank);
  if (load::traffic_wanted) call.state.rank.traffic.note(world_rank, access.bytes);
  if (sees_window(window, target.rank)) {
    Window& at = window.peer(target.rank);
    Data there{address_in(at, target.displacement), access.target_count, access.target_type, access.bytes};
    const Data::Span span = there.span();
    Reach how = reach(window, target.rank, span.begin, span.bytes);
    if (how == Reach::outside && at.flavor == MPI_WIN_FLAVOR_DYNAMIC && attached(at, there))
      how = Reach::direct;
    switch (how) {
      case Reach::direct:
        perform_here(at, there, access);
        if (request) complete(*request);
        return MPI_SUCCESS;
      case Reach::outside:
        if (request) {
          request->error = MPI_ERR_RMA_RANGE;
          complete(*request);
        }
        return raise_range(call, window, target, access.bytes);
      case Reach::message:
        break;
    }
  }
  send_away(window, target, access, request);
  return MPI_SUCCESS;
}

int complete_operations(const ApiCall& call, Window& window) {
  wait_until(window, [&] { return window.transfers == 0; }, {kWaiting, {}});
  // Reads from here on see the data that others wrote, and others see the data written here.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const int failed = window.failed;
  window.failed = MPI_SUCCESS;
  return failed == MPI_SUCCESS ? MPI_SUCCESS
                               : raise(call, window.comm, failed,
                                       "an operation of this epoch was outside of its target's window");
}

void part_is_over(Transfer& transfer, std::uint64_t position, std::size_t bytes, const std::byte* data,
                  std::size_t data_bytes, int error) {
  if (data_bytes > 0) transfer.result.unpack(position, data, data_bytes);
  if (transfer.error == MPI_SUCCESS) transfer.error = error;
  transfer.window->bytes_under_way -= bytes;
  count_down(transfer);
}

}  // namespace skein::vmpi
