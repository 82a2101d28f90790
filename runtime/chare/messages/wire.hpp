// SPDX-License-Identifier: Apache-2.0
// Messages of any length between PEs: short ones as active messages, long ones announced by one. Messages to
// the own PE are received at once, inside post().
#pragma once

#include <cstring>
#include <string>
#include <type_traits>

#include "skein/chare/array_base.hpp"

namespace skein::chare {

/// The kinds of messages between PEs.
enum class Kind : std::uint32_t {
  call,            // of an element's entry method
  location,        // the place of an element
  element,         // an element that moves
  elements,        // elements that an LB step moves
  broadcast_wish,  // to PE 0, which numbers broadcasts
  broadcast,
  insertion_request,  // up the tree to PE 0, which knows the reductions
  insertion_grant,    // down the tree
  insertion,
  new_array_wish,  // to PE 0
  new_array,
  seed,           // of a chare of no array
  partial,        // of a reduction, to PE 0
  end_of_family,  // to PE 0
  function,
  batch,       // of aggregated calls
  future_set,  // to the PE that made the future
  future_request,
  detector_counts,    // to the PE that began the detector
  detector_question,  // from the PE that began it
  detector_over,
  quiescence_wish,    // to PE 0
  lb_step_wish,       // to PE 0
  synchronizes_wish,  // to PE 0
  synchronizes,
  read_only,
  node_table,              // to the PE that holds tables for its node
  node_tables_ready,       // from that PE to the others of the node
  section_part,            // of a tree, from the root
  section_close,           // of a tree's version, from the root
  section_broadcast_wish,  // to the root
  section_release,         // to the root
  section_broadcast,
  section_moved,  // to the root
  section_partial,
  timer_cancel,  // to the PE where it was set
  count
};

/// Receives a message inside a poll: must neither run entry methods nor poll.
using Receiver = void (*)(int from_pe, Bytes message);
/// Receives a message that may come with blocks. For a kind with a Receiver as well, only messages with
/// blocks come here.
using BlockReceiver = void (*)(int from_pe, Bytes message, pup::Blocks&& blocks);
/// Registers a receiver, at namespace scope: `const Receives locations(Kind::location, on_location);`
struct Receives {
  Receives(Kind kind, Receiver receiver);
  Receives(Kind kind, BlockReceiver receiver);
};

void post(int pe, Kind kind, Bytes header, Bytes rest = {});
/// Sends a message with blocks, which are sent from their own memory.
void post(int pe, Kind kind, Bytes header, Bytes rest, pup::Blocks blocks);
/// Sends from PE 0 to all, itself included, down the tree over all PEs. Receivers of such messages call
/// pass_down(), once for each.
void post_to_all(Kind kind, Bytes header, Bytes rest = {});
void pass_down(Kind kind, Bytes message);

template <class T>
Bytes bytes_of(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  return {reinterpret_cast<const std::byte*>(&value), sizeof value};
}
/// Reads the T at the front of `bytes`, and cuts it off.
template <class T>
T unpack_front(Bytes& bytes) {
  T value;
  memcpy(&value, bytes.data(), sizeof value);
  bytes = bytes.subspan(sizeof value);
  return value;
}

/// Returns "Cell::take of Cell{0}".
std::string target_of(const Destination& destination);

// Messages to other PEs that are too long for an active message, or that come with blocks. One active message
// announces each. Inside a node it names places in shared blocks (shared_blocks.hpp), which hold the rest.
// Otherwise, or where these are full, the rest goes in bulk.

void post_long(int pe, Kind kind, Bytes header, Bytes rest, pup::Blocks blocks);
/// Receives a message that has arrived as a whole, inside a poll. In recorded jobs it begins with a ticket.
void receive_message(Kind kind, int from_pe, Bytes message, pup::Blocks&& blocks);

}  // namespace skein::chare
