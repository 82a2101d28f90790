// SPDX-License-Identifier: Apache-2.0
// Messages between PEs: inside a node through memory that they share, else over point-to-point calls of the
// MPI underneath. Only this file and pe_collectives.hpp know that MPI.
//
// There are two ways. An *active message* is short: a header and a few bytes, copied, delivered by calling a
// handler on the other PE; two messages from one PE to another are delivered in the order of their sending. A
// *bulk transfer* (bulk.hpp) is long: it goes from memory to memory, and both ends must name it by the same
// tag.
//
// All functions are for the PE's one thread, with the process's heap in force (fiber::RuntimeScope), and
// never switch. Handlers run inside poll(); they may send, and must not poll.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/net/lengths.hpp"
#include "runtime/net/nodes.hpp"

namespace skein::net {

/// Initialises the MPI underneath, whose processes become the PEs. Throws skein::Error.
void start(int* argc, char*** argv);
/// Starts on processes of a program that has initialised the MPI underneath: those of this communicator, an
/// MPI_Comm, become the PEs, and talk on communicators of their own. Null: all processes. Collective over
/// them. Throws skein::Error, on those that can know, before anything is begun.
void start_on(const void* communicator);
/// Sends active messages inside a node through memory that its PEs share (node_rings.hpp) from here on, where
/// that can be had. Collective, once, before the first message, with the descriptor channel open. Returns
/// true if they go there, the same on all PEs.
bool open_rings();
/// Waits for all PEs, releases everything; finalises the MPI underneath if start() initialised it. Another
/// start_on() may follow.
void finish();
/// Tells those who started this PE, before it ends by a fault, that it does so on purpose, and gives them a
/// while to read what it printed. Async-signal-safe.
void say_goodbye();
/// Ends all PEs at once. Callable from anywhere but signal handlers.
[[noreturn]] void take_down(int status);

using Handler = void(int from_pe, const std::byte* message, std::size_t bytes);
/// Tells if a kind of messages counts as traffic(); the runtime's own watching does not.
enum class Counted : bool { no, yes };
/// A kind of active messages: a constant at namespace scope. All PEs of a job run the same program, in which
/// it has the same number. `name`, which must outlive it, identifies it (message_counts.hpp).
class MessageKind {
 public:
  MessageKind(const char* name, Handler* handler, Counted counted = Counted::yes);
  std::uint32_t number() const { return number_; }

 private:
  std::uint32_t number_;
};

/// Sends header and payload, one behind the other, to the handler of that kind. Precondition: their sum is at
/// most kLongestMessage. Both may be reused on return.
void send(int pe, const MessageKind& kind, Bytes header, Bytes payload = {});

/// Returns the bytes of active messages for that PE that have not left this one: that PE takes in less than
/// it is sent.
std::size_t backlog(int pe);

/// Wakes that PE of this node, if it sleeps, so that it looks at what it watches (watched.hpp). Cheap where
/// it cannot sleep. Precondition: the rings are open.
void wake(int pe);

/// Copies what a rank on that PE of this node sends, like memcpy(). That PE may copy a part if it has nothing
/// to do: both must map both buffers at these addresses.
void copy_from(int pe, std::byte* to, const std::byte* from, std::size_t bytes);

/// Delivers arrived messages, completes transfers, and calls the functions of watched things that have
/// happened. Returns true if anything happened.
bool poll();
/// Polls, but delivers at most one active message from another PE, and looks a little longer for it: for a
/// caller that has nothing else to do. Looking for a second message would delay the answer to the first.
bool poll_one();

/// Waits a while for something to happen, without burning a processor that others could use
/// (runtime/net/idle_wait.hpp). Makes the upcall `idle`. Call it after a poll without success.
void idle();
/// Notes that something has happened that no poll reports: the next idle() begins a new wait.
void end_idle_wait();

/// Counts for the detection of quiescence: active messages and bulk transfers begun here, and delivered or
/// completed here.
struct Traffic {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  std::uint64_t bulk_active = 0;  ///< transfers under way at this end
};
Traffic traffic();
/// Counts the traffic between the first `pes` PEs apart from here on, too: the others may be lost. Called on
/// all PEs, with the same `pes`, before anything is sent.
void count_apart(int pes);
/// Returns the traffic between the PEs that are counted apart. Called on one of them.
Traffic traffic_apart();

}  // namespace skein::net
