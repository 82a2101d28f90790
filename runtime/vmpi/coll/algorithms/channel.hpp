// SPDX-License-Identifier: Apache-2.0
// The port of lb/collectives/ to data: the messages of one collective call, and memory that moves with the
// rank.
//
// Everything here is used on a rank's fiber. Functions that wait may switch, and the rank may be on another
// PE when they return; so memory that must outlive them comes from Scratch, which is in the slot.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/load/all_pairs.hpp"
#include "runtime/vmpi/coll/meeting/claim.hpp"
#include "runtime/vmpi/comm/comm.hpp"
#include "runtime/vmpi/p2p/p2p.hpp"
#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// Logs the messages of the running rank in a call in which each rank sends to each other, together
/// (load/all_pairs.hpp). `bytes_to(i)`: size of the message to rank i.
template <class BytesTo>
void log_together(const Comm& comm, RankState& state, BytesTo bytes_to) {
  if (!load::traffic_wanted || comm.leaders_of) return;
  load::AllPairs all(comm.world_rank(comm.rank));
  for (int i = 0; i < comm.size(); ++i)
    if (i != comm.rank) all.add(comm.world_rank(i), bytes_to(i));
  all.log(state.rank.traffic);
}

class Batch;

/// The messages of one collective call. Its tag tells calls under way apart. Within a call, messages
/// between two ranks are received in the order they were sent.
class Channel {
 public:
  using Part = Data;

  /// `waiting` is the reason that the deadlock report gives; it takes a rank of the communicator (%d).
  Channel(Comm& comm, int tag, const char* waiting) : Channel(comm, tag, {waiting, {-1, 0}}) {}
  /// `with_root`: a text with two numbers (%d): the root of the collective as the program names it, which is
  /// negative if there is none, then a rank of the communicator.
  Channel(Comm& comm, int tag, WaitReason with_root)
      : comm_(comm), state_(current_state()), waiting_(with_root), tag_(tag) {}
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// Sets the claim (meeting/claim.hpp) that the messages carry, and that arriving messages must carry. Until
  /// then they carry none.
  void says(trace::Collective call, const Claim& claim = {}) { says(short_word_of(call, claim)); }
  void says(std::uint16_t word) { said_ = settings.checking ? 0 : word; }

  /// Returns true if so many ranks share each PE that the total number of messages counts more than the
  /// number of messages that follow one another. The same on all members; no result may depend on it.
  bool is_crowded() const;

  int rank() const { return comm_.rank; }
  int size() const { return comm_.size(); }
  /// Return the rank `distance` above or below this one, around the end.
  int above(int distance) const { return (rank() + distance) % size(); }
  int below(int distance) const { return (rank() - distance + size()) % size(); }

  void send(int to, const Data& data);
  void receive(int from, const Data& data);
  void exchange(int to, const Data& outgoing, int from, const Data& incoming);
  /// Makes a batch of up to `capacity` messages.
  Batch batch(std::size_t capacity);

  /// Returns the first error of any receive so far. Algorithms go on after an error, so that no other rank is
  /// left waiting.
  int error() const { return error_; }
  void note(int error) {
    if (error_ == MPI_SUCCESS) error_ = error;
  }
  /// Notes that a piece from rank `from` is longer or shorter than its place.
  [[gnu::cold]] void note_other_length(int from, std::size_t bytes, std::size_t room);

  /// Logs the messages of this call together, for algorithms in which each rank sends to each other.
  template <class BytesTo>
  void log_together(BytesTo bytes_to) {
    logs_each_ = false;
    vmpi::log_together(comm_, state_, bytes_to);
  }

  RankState& state() const { return state_; }

 private:
  friend class Batch;
  Request send_to(int to, const Data& data) const;
  Request receive_from(int from, const Data& data) const;
  void finish(Request& request, int peer);
  void note(const Request& request) {
    // Both sides of a collective know the length.
    const bool is_short = request.kind == RequestKind::receive && request.pattern.source >= 0 &&
                          request.received.bytes < request.data.bytes;
    const bool is_unlike = request.said != 0 && request.said != said_;
    if (request.error != MPI_SUCCESS || is_short || is_unlike) [[unlikely]]
      note_failed(request);
  }
  [[gnu::cold]] void note_failed(const Request& request);
  int in_program(int rank) const;
  WaitReason reason(int peer) const;

  Comm& comm_;
  RankState& state_;
  WaitReason waiting_;  // values[0]: the root, or a negative number
  int tag_;
  std::uint16_t said_ = 0;
  bool logs_each_ = true;
  int error_ = MPI_SUCCESS;
};

/// Memory from the slot for the time of a scope, aligned to 64 bytes, which it ensures itself: the slot's
/// heap has small blocks at hand, but none aligned to more than 16.
class Scratch {
 public:
  Scratch(RankState& state, std::size_t bytes)
      : memory_(state.memory),
        bytes_(bytes + alignment - least_alignment),
        block_(static_cast<std::byte*>(memory_.allocate(bytes_, least_alignment))) {}
  ~Scratch() { memory_.deallocate(block_, bytes_, least_alignment); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::byte* data() const { return block_ + (-reinterpret_cast<std::uintptr_t>(block_) & (alignment - 1)); }

 private:
  static constexpr std::size_t alignment = 64, least_alignment = 16;
  std::pmr::memory_resource& memory_;
  std::size_t bytes_;
  std::byte* block_;
};

/// Several messages at once: up to `capacity` are started, then waited for together.
class Batch {
 public:
  Batch(Channel& channel, std::size_t capacity);
  void send(int to, const Data& data);
  void receive(int from, const Data& data);
  /// Waits for all messages and empties the batch.
  void wait();

 private:
  /// Returns room for another request.
  void* next();

  Channel& channel_;
  Scratch memory_;
  [[maybe_unused]] std::size_t capacity_;  // for a SKEIN_DCHECK
  std::size_t started_ = 0;
};

inline Batch Channel::batch(std::size_t capacity) { return Batch(*this, capacity); }

/// Data as one block of bytes: in its place, if it is contiguous, else in a packed copy.
class Packed {
 public:
  enum class Use { input, output };
  Packed(Channel& channel, const Data& data, Use use);
  std::byte* bytes() const { return bytes_; }
  /// Puts the bytes where the data belongs. For outputs.
  void unpack() const;

 private:
  Data data_;
  Scratch copy_;
  std::byte* bytes_;
};

/// Copies a rank's own part as if by a message to itself.
void copy_own(Channel& channel, const Data& from, const Data& to);

}  // namespace skein::vmpi
