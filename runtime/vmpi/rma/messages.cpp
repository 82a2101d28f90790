// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/rma/messages.hpp"

#include <array>
#include <cstring>

#include "runtime/base/check.hpp"
#include "runtime/net/transport.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/vmpi/rma/lock.hpp"
#include "runtime/vmpi/rma/reach.hpp"
#include "runtime/vmpi/rma/update.hpp"

namespace skein::vmpi {
namespace {

struct ReplyHeader {
  Transfer* transfer;
  std::uint64_t position;
  std::uint32_t bytes;  ///< of the part
  int error;
};
net::Handler on_control, on_part, on_reply;
const net::MessageKind control_message("rma-control", on_control);
const net::MessageKind part_message("rma-part", on_part);
const net::MessageKind reply_message("rma-reply", on_reply);

static_assert(kLongestPart <= net::kLongestMessage &&
              sizeof(ReplyHeader) + kPartBytes <= net::kLongestMessage);

void answer(const Control& message) {
  tell_rank(
      message.to->comm->world_rank(message.rank),
      {.to = message.from, .from = message.to, .rank = message.to->rank(), .what = Control::What::answered});
}

/// Takes a message at the PE of its window.
void take(const Control& message) {
  Window& window = *message.to;
  switch (message.what) {
    case Control::What::want_lock:
      return ask_for_lock(window, {message.from, window.comm->world_rank(message.rank), message.exclusive});
    case Control::What::lock_granted:
      window.lock_granted = true;
      return wake(window);
    case Control::What::return_lock:
      return release_lock(window, message.exclusive);
    case Control::What::lock_was_returned:
      return grant_locks(window);
    case Control::What::posted:
      window.posted_by.push_back(message.rank);
      return wake(window);
    case Control::What::completed:
      ++window.completed_by;
      return wake(window);
    case Control::What::answered:
      --window.unanswered;
      return wake(window);
  }
}

bool is_answered(Control::What what) {
  return what == Control::What::return_lock || what == Control::What::lock_was_returned;
}

void on_control(int, const std::byte* bytes, std::size_t) {
  Control message;
  memcpy(&message, bytes, sizeof message);
  take(message);
  if (is_answered(message.what)) answer(message);
}

// ---- operations at the target

/// A part that has come: its blocks as they are in the target's memory, and its data.
struct Arrived {
  Part part;
  std::array<Block, kPartBlocks> blocks;
  const std::byte* data;
};

/// Reads a message. Returns false if some of its part is outside of the window.
bool read(const std::byte* message, Arrived& out) {
  memcpy(&out.part, message, sizeof out.part);
  const Part& part = out.part;
  const std::byte* const origin = address_in(*part.to, part.displacement);
  const std::byte* next = message + sizeof part;
  bool good = true;
  for (std::size_t i = 0; i < part.blocks; ++i, next += sizeof(WireBlock)) {
    WireBlock block;
    memcpy(&block, next, sizeof block);
    const auto at = reinterpret_cast<std::intptr_t>(origin) + block.offset;
    out.blocks[i] = {reinterpret_cast<std::byte*>(at), static_cast<std::size_t>(block.bytes)};
    good = good && inside(*part.to, out.blocks[i].at, out.blocks[i].bytes);
  }
  out.data = next;
  return good;
}

/// Performs a part. `before`: gets the old data, if the part fetches.
void perform(const Arrived& arrived, std::byte* before) {
  const Part& part = arrived.part;
  const Place place{nullptr, arrived.blocks.data(), part.blocks};
  std::atomic<std::uint32_t>& lock = part.to->owner->updating;
  switch (part.what) {
    case Part::What::put:
      return place.scatter(0, arrived.data, part.bytes);
    case Part::What::get:
      return place.gather(0, before, part.bytes);
    case Part::What::compare_and_swap:
      return compare_and_swap(lock, arrived.blocks[0].at, arrived.data, arrived.data + part.bytes, before,
                              part.bytes);
    case Part::What::update: {
      const Op* const op = predefined_op(part.op);
      return update(lock, {op, predefined_datatype(part.element)}, place,
                    op->code() == OpCode::no_op ? nullptr : arrived.data, part.fetches ? before : nullptr,
                    part.bytes);
    }
  }
}

void on_part(int from_pe, const std::byte* message, std::size_t) {
  Arrived arrived;
  std::byte before[kPartBytes];
  const bool good = read(message, arrived);
  const Part& part = arrived.part;
  if (good) perform(arrived, before);
  const ReplyHeader header{part.transfer, part.position, part.bytes, good ? MPI_SUCCESS : MPI_ERR_RMA_RANGE};
  net::send(from_pe, reply_message, {&header, sizeof header},
            {before, good && part.fetches ? part.bytes : 0});
}

void on_reply(int, const std::byte* message, std::size_t bytes) {
  ReplyHeader header;
  memcpy(&header, message, sizeof header);
  part_is_over(*header.transfer, header.position, header.bytes, message + sizeof header,
               bytes - sizeof header, header.error);
}

}  // namespace

void tell(Window& window, int rank, const Control& message) {
  const int world_rank = window.comm->world_rank(rank);
  if (is_answered(message.what) && !pe::is_here(world_rank)) ++window.unanswered;
  tell_rank(world_rank, message);
}

void tell_rank(int world_rank, const Control& message) {
  if (pe::is_here(world_rank))
    take(message);
  else
    net::send(pe::pe_of(world_rank), control_message, {&message, sizeof message});
}

void send_part(int world_rank, const std::byte* message, std::size_t bytes) {
  net::send(pe::pe_of(world_rank), part_message, {message, bytes});
}

}  // namespace skein::vmpi
