// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/transport.hpp"

#include <mpi.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "runtime/base/check.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/upcalls.hpp"
#include "runtime/net/bulk.hpp"
#include "runtime/net/descriptor_channel.hpp"
#include "runtime/net/exchanges.hpp"
#include "runtime/net/idle_wait.hpp"
#include "runtime/net/job_clock.hpp"
#include "runtime/net/message_buffers.hpp"
#include "runtime/net/message_counts.hpp"
#include "runtime/net/mpi_process.hpp"
#include "runtime/net/node_calls.hpp"
#include "runtime/net/node_rings.hpp"
#include "runtime/net/node_watch.hpp"
#include "runtime/net/nodes.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/program_mpi.hpp"
#include "runtime/net/sends_under_way.hpp"
#include "runtime/net/starter_link.hpp"
#include "runtime/net/watched.hpp"

namespace skein::net {

namespace {

constexpr int kMessageTag = 1;
constexpr int kPostedReceives = 32;

struct alignas(64) KindEntry {
  Handler* deliver = nullptr;
  Counted counted = Counted::yes;
  const char* name = nullptr;
  MessageCount count;
};
/// The kinds of messages of this program, by number.
struct KindTable {
  std::array<KindEntry, 128> entries;
  std::uint32_t size = 0;
  std::span<KindEntry> all() { return std::span(entries).first(size); }
};
constinit KindTable kinds;  // constinit, as static objects make kinds

struct MessageTraffic {
  std::uint64_t sent = 0, received = 0;
};

struct Transport {
  MPI_Comm comm = MPI_COMM_NULL;
  /// Receives are posted in ring order, so messages fill them in that order: only the oldest needs testing.
  std::unique_ptr<MessageBuffer[]> receive_buffers;
  MPI_Request receives[kPostedReceives];
  int oldest_receive = 0;
  int delivered = 0;                 // buffers before the oldest that are not posted
  unsigned from_rings_in_a_row = 0;  // consecutive messages that poll_one() found
  SendsUnderWay sends_under_way;
  MessageBuffers buffers;
  std::vector<std::pair<int, std::unique_ptr<MessageBuffer>>> to_self;
  std::array<MessageTraffic, 2> messages;  // with PEs that are counted apart, and with the others
  IdleWait idle_wait;
  NodeRings rings;
};
Transport transport;
static_assert(kBytesOfFirstLine == sizeof(RingCell::bytes));

void post_receive(int i) {
  SKEIN_MPI_CALL(MPI_Irecv(transport.receive_buffers[i].bytes, sizeof(MessageBuffer::bytes), MPI_BYTE,
                           MPI_ANY_SOURCE, kMessageTag, transport.comm, &transport.receives[i]));
}

void deliver(int from_pe, std::uint32_t number, const std::byte* bytes, std::size_t size) {
  KindEntry& kind = kinds.entries[number];
  transport.messages[is_other(from_pe)].received += kind.counted == Counted::yes;
  if (from_pe != world.pe) kind.count.note_received(size);
  kind.deliver(from_pe, bytes, size);
}
void deliver(int from_pe, const std::byte* bytes) {
  WireHeader wire;
  memcpy(&wire, bytes, sizeof wire);
  deliver(from_pe, wire.handler, bytes + sizeof wire, wire.bytes);
}

/// Posts the buffers of delivered messages again, in ring order.
void post_delivered() {
  for (; transport.delivered > 0; --transport.delivered)
    post_receive((transport.oldest_receive - transport.delivered + kPostedReceives) % kPostedReceives);
}

/// Delivers received messages. Posts their buffers again only when nothing else arrives: by then the answer
/// to a message, if there is one, is under way.
bool poll_receives(int most) {
  bool any = false;
  for (; most > 0 && transport.delivered < kPostedReceives / 2; --most) {
    int arrived = 0;
    MPI_Status status;
    SKEIN_MPI_CALL(MPI_Test(&transport.receives[transport.oldest_receive], &arrived, &status));
    if (!arrived) break;
    const int i = transport.oldest_receive;
    transport.oldest_receive = (transport.oldest_receive + 1) % kPostedReceives;
    ++transport.delivered;
    deliver(status.MPI_SOURCE, transport.receive_buffers[i].bytes);
    any = true;
  }
  if (!any || transport.delivered >= kPostedReceives / 2) post_delivered();
  return any;
}

bool poll_self() {
  if (transport.to_self.empty()) return false;
  std::vector<std::pair<int, std::unique_ptr<MessageBuffer>>> now;
  now.swap(transport.to_self);
  for (auto& [pe, buffer] : now) {
    deliver(pe, buffer->bytes);
    transport.buffers.give_back(std::move(buffer));
  }
  return true;
}

/// Returns true if messages may come through MPI: not for a PE alone, which keeps what it sends itself.
bool some_come_by_mpi() { return transport.rings.are_open() ? world.nodes > 1 : world.pes > 1; }

void deliver_from_ring(int from_pe, std::uint32_t number, const std::byte* bytes, std::size_t size) {
  deliver(from_pe, number, bytes, size);
}

bool poll_at_most(int count) {
  check_nodes();
  if (transport.sends_under_way.any()) transport.sends_under_way.reap(transport.buffers);
  bool any = poll_self();
  any |= transport.rings.poll(count, deliver_from_ring);
  if (some_come_by_mpi()) any |= poll_receives(count);
  any |= poll_bulk();
  any |= poll_watched();
  if (any) transport.idle_wait.restart();
  return any;
}

void start_on_processes() {
  world = {};
  SKEIN_MPI_CALL(MPI_Comm_rank(mpi_process.pes, &world.pe));
  own_pe = world.pe;
  SKEIN_MPI_CALL(MPI_Comm_size(mpi_process.pes, &world.pes));
  SKEIN_MPI_CALL(MPI_Comm_dup(mpi_process.pes, &transport.comm));
  learn_nodes();
  start_job_clock();
  // Other processes of the program may have jobs of their own meanwhile.
  const long processes =
      std::max(static_cast<long>(world.machine_pes), static_cast<long>(processes_of_node()));
  const long cores = std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L);
  world.pes_per_core = static_cast<int>((processes + cores - 1) / cores);
  transport.idle_wait.set_pes_per_core(world.pes_per_core);
  SKEIN_MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, &world.pes_per_core, 1, MPI_INT, MPI_MAX, mpi_process.pes));
  transport.receive_buffers = std::make_unique_for_overwrite<MessageBuffer[]>(kPostedReceives);
  for (int i = 0; i < kPostedReceives; ++i) post_receive(i);
  start_bulk();
  start_node_watch();
}

void tell_counts() {
  std::vector<NamedCount> named;
  for (const KindEntry& kind : kinds.all()) named.push_back({kind.name, kind.count});
  write_message_counts(named);
}

/// Resets what start_on_processes() does not set.
void forget_messages() {
  for (KindEntry& kind : kinds.all()) kind.count = {};
  transport.buffers.clear();
  transport.to_self.clear();
  transport.oldest_receive = transport.delivered = 0;
  transport.messages = {};
}

}  // namespace

void start(int* argc, char*** argv) {
  initialise_mpi(argc, argv);
  start_on_processes();
}

void start_on(const void* communicator) {
  join_processes(communicator ? *static_cast<const MPI_Comm*>(communicator) : MPI_COMM_WORLD);
  start_on_processes();
}

void finish() {
  // A receive may be cancelled only when no message can come: after the barrier all PEs are past their last
  // send.
  while (transport.sends_under_way.any()) transport.sends_under_way.reap(transport.buffers);
  stop_node_watch();
  tell_counts();
  SKEIN_MPI_CALL(MPI_Barrier(transport.comm));
  close_node_watch();
  post_delivered();
  for (MPI_Request& request : transport.receives) {
    SKEIN_MPI_CALL(MPI_Cancel(&request));
    SKEIN_MPI_CALL(MPI_Wait(&request, MPI_STATUS_IGNORE));
  }
  transport.rings.close();
  SKEIN_CHECK(!program_has_mpi() || traffic().bulk_active == 0,
              "%llu bulk transfers are under way at the end of the job",
              static_cast<unsigned long long>(traffic().bulk_active));
  close_node_calls();
  close_rounds();
  close_exchanges();
  close_descriptor_channel();
  finish_bulk();
  forget_messages();
  SKEIN_MPI_CALL(MPI_Comm_free(&transport.comm));
  leave_processes();
}

namespace {

/// Gives printed output a while to be read, and to be passed on by its readers: it may still be in pipes to
/// the launcher, and MPICH's drops it when told of an abort.
void let_output_drain() {
  constexpr int patience_ms = 1000, passing_on_ms = 50;
  if (prints_directly()) return;
  bool to_launcher = false;
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat its;
    if (fstat(descriptor, &its) != 0 || !S_ISFIFO(its.st_mode)) continue;
    to_launcher = true;
    int unread = 0;
    for (int waited = 0; waited < patience_ms; ++waited) {
      if (ioctl(descriptor, FIONREAD, &unread) != 0 || unread == 0) break;
      usleep(1000);
    }
  }
  if (to_launcher) usleep(passing_on_ms * 1000);
}

}  // namespace

void say_goodbye() {
  leave_starter();
  leave_by_link();
  let_output_drain();
}

void take_down(int status) {
  leave_starter();
  leave_by_link();
  int up = 0, processes = 1;
  MPI_Initialized(&up);
  if (up) MPI_Comm_size(MPI_COMM_WORLD, &processes);
  if (up && processes > 1) {
    let_output_drain();
    MPI_Abort(MPI_COMM_WORLD, status);
  }
  _exit(status);
}

bool open_rings() {
  transport.rings.open();
  transport.rings.want_waking(world.shares_cores());
  return transport.rings.are_open();
}

std::size_t backlog(int pe) {
  return transport.rings.reach(pe) ? transport.rings.backlog(pe)
                                   : transport.sends_under_way.to(pe) * sizeof(MessageBuffer);
}

void wake(int pe) { transport.rings.wake(pe); }

void copy_from(int pe, std::byte* to, const std::byte* from, std::size_t bytes) {
  if (transport.rings.reach(pe))
    transport.rings.copy_from(pe, to, from, bytes);
  else
    memcpy(to, from, bytes);
}

MessageKind::MessageKind(const char* name, Handler* handler, Counted counted) : number_(kinds.size++) {
  SKEIN_CHECK(number_ < kinds.entries.size(), "%s is one kind of messages too many", name);
  kinds.entries[number_] = {handler, counted, name, {}};
}

void send(int pe, const MessageKind& kind, Bytes header, Bytes payload) {
  const std::size_t bytes = header.size + payload.size;
  SKEIN_CHECK(bytes <= kLongestMessage, "active message of %zu bytes", bytes);
  KindEntry& entry = kinds.entries[kind.number()];
  transport.messages[is_other(pe)].sent += entry.counted == Counted::yes;
  if (pe != world.pe) entry.count.note_sent(bytes);
  if (transport.rings.reach(pe))
    return transport.rings.send(pe, kind.number(), header.data, header.size, payload.data, payload.size);
  std::unique_ptr<MessageBuffer> buffer = transport.buffers.take();
  const WireHeader wire{kind.number(), static_cast<std::uint32_t>(bytes)};
  memcpy(buffer->bytes, &wire, sizeof wire);
  memcpy(buffer->bytes + sizeof wire, header.data, header.size);
  if (payload.size) memcpy(buffer->bytes + sizeof wire + header.size, payload.data, payload.size);
  if (pe == world.pe) {
    transport.to_self.emplace_back(pe, std::move(buffer));
    return;
  }
  MPI_Request request;
  SKEIN_MPI_CALL(MPI_Isend(buffer->bytes, static_cast<int>(sizeof wire + bytes), MPI_BYTE, pe, kMessageTag,
                           transport.comm, &request));
  int complete = 0;
  SKEIN_MPI_CALL(MPI_Test(&request, &complete, MPI_STATUS_IGNORE));
  if (complete) {
    transport.buffers.give_back(std::move(buffer));
    return;
  }
  transport.sends_under_way.add(pe, request, std::move(buffer));
}

bool poll() { return poll_at_most(std::numeric_limits<int>::max()); }

bool poll_one() {
  // A stream of messages through rings must not keep all else waiting.
  constexpr unsigned from_rings_alone = 16;
  if (++transport.from_rings_in_a_row < from_rings_alone && transport.rings.poll_one(deliver_from_ring)) {
    transport.idle_wait.restart();
    return true;
  }
  transport.from_rings_in_a_row = 0;
  return poll_at_most(1);
}

void idle() {
  if (transport.rings.help_to_copy()) return transport.idle_wait.restart();
  if (upcalls.idle) upcalls.idle();
  progress_bulk();
  transport.idle_wait.wait([](std::int64_t ns) { transport.rings.sleep(ns); });
}

void end_idle_wait() { transport.idle_wait.restart(); }

void count_apart(int pes) { world.pes_apart = pes; }

Traffic traffic_apart() {
  const BulkTraffic bulk = bulk_traffic(false);
  return {transport.messages[0].sent + bulk.begun, transport.messages[0].received + bulk.completed_receives,
          bulk.active};
}

Traffic traffic() {
  const Traffic apart = traffic_apart();
  const BulkTraffic bulk = bulk_traffic(true);
  return {apart.sent + transport.messages[1].sent + bulk.begun,
          apart.received + transport.messages[1].received + bulk.completed_receives,
          apart.bulk_active + bulk.active};
}

}  // namespace skein::net
