// SPDX-License-Identifier: Apache-2.0
// A trace: the events of each object of a job, in its own order, as a value that can be replayed elsewhere.
//
// After R. Keller Tesser et al., "Using Simulation to Evaluate and Tune the Performance of Dynamic Load
// Balancing of an Over-decomposed Geophysics Application", INRIA RR-9031 (2017): a trace holds work instead
// of times, at the finest decomposition.
//
// An object is a rank, or an element of a native program. Its stream is a list of events. An event is
// something that the object did with others; the computing before it is the event's burst. So the processor
// time of an object is the sum of its bursts, and does not depend on its PE, on other objects there, or on
// the time that it waited. Waiting times are kept too (call_ns), for pictures only: no simulation reads them.
//
// A nonblocking call takes no time of its own: its cost is part of the burst that follows.
//
// The send that a receive got follows from its partner and tag: of one sender, receiver, communicator and
// tag, the k-th send goes to the k-th receive that took one (MPI 4.1, 3.5).
//
// Nothing here reads a clock, prints or sends. Functions may be called from any thread, one object at a time.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace skein::trace {

using ObjectIndex = std::uint32_t;
using PeIndex = std::uint32_t;

inline constexpr std::uint32_t kFormatVersion = 2;

enum class EventKind : std::uint8_t {
  /// -- MPI programs. The members of Event say what they mean for each kind.
  send,     // blocking, or, if `starts_request`, its start
  receive,  // blocking: its sender; if `starts_request`: the sender that it asked for
  /// The message of a nonblocking receive. For a receive from any source or with any tag it stands before the
  /// wait; for a freed request, which has no wait, after completion. From `any`: the request, of a receive or
  /// a send, was cancelled, and there is no message.
  matched,
  wait,        // for `requests`, all of which are complete after it; also a successful test
  collective,  // of `communicator`
  probe,       // found a message, which stays where it is
  sync,        // a sync point
  file,        // a call that reads or writes
  sleep,
  region_begin,  // named by the program: MPI_Pcontrol(1, name)
  region_end,    // MPI_Pcontrol(-1, name)
  end,           // of the object; its burst is the computing after the last event
  /// -- native programs. Objects are the PEs themselves, for code that runs outside of any element, and then
  /// the elements. An object executes one entry method after the other, each from `execute` to `finish`; the
  /// burst of `execute` is 0. Between two of them there may be `sync`, `end` and `split`.
  execute,     // an entry method begins; `what` is the Cause
  call,        // a message to one object, to run an entry method there
  broadcast,   // a message to all elements of an array, or to some of them
  contribute,  // to reduction `serial` of array `communicator`
  create,      // a message that makes object `partner`
  split,       // object `partner` is split off in an LB step, and has `bytes`
  finish,      // the entry method that began last is over
};

enum class SendMode : std::uint8_t { standard, synchronous, buffered, ready };

enum class Collective : std::uint8_t {
  barrier,
  bcast,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  alltoallw,
  reduce,
  allreduce,
  reduce_scatter_block,
  reduce_scatter,
  scan,
  exscan,
  create_comm,  // communicators are made by agreement of all members
};

enum class FileCall : std::uint8_t { read, write, other };

/// The cause of an entry method's execution, which decides when it can begin.
enum class Cause : std::uint8_t {
  /// Message `serial` of object `partner` has come: its events call, broadcast and create, counted together
  /// from 0. One message may cause any number of executions, by any objects.
  message,
  reduction,   // `serial` of array `communicator`: all objects have made their contributions to it
  resumed,     // the LB step that follows the object's last sync is over
  quiescence,  // nothing else is under way
  begin,       // of the job
};

inline constexpr std::int32_t kAny = -1;  // partner or tag

/// One event. Members that name no meaning for a kind are zero for it.
struct Event {
  EventKind kind = EventKind::end;
  /// SendMode, Collective, FileCall or Cause, depending on the kind. sync of a native program: 1 if the
  /// element can be divided.
  std::uint8_t what = 0;
  /// True if the event starts the object's next request: a nonblocking send, receive or collective, or the
  /// start of a persistent one.
  bool starts_request = false;
  /// The Communicator::id of a communicator. In a native program: the id of an array.
  std::uint32_t communicator = 0;
  /// An object (rank of the world). send: the receiver. receive, probe: the sender, or `any` if the program
  /// asked for any; a blocking one always has the actual sender. collective: the root, or `any` without a
  /// root. execute: the object whose message is the cause. call: the receiver, or `any` if the sender does
  /// not know it: the executions that the message causes tell. create, split: the object.
  std::int32_t partner = kAny;
  /// send, receive, probe: the tag of the message. execute, call: the entry method, an index of Trace::names.
  /// collective: the number of the communicator's persistent collective that it starts, counted from 1 in the
  /// order in which all members make them; 0: none. sync of a native program: the element's level plus 1; 0:
  /// no level.
  std::int32_t tag = 0;
  /// send, receive, file: bytes of the message or transfer (of a complete receive: those that came).
  /// collective: bytes that this object puts in: the buffer of bcast (at all members), reductions and scans
  ///   (of reduce_scatter_block: for all members); those it sends in gather(v) and allgather(v) (to each,
  ///   that is once); those to or from each member in scatter and alltoall; those it gets in scatterv.
  ///   alltoallv, alltoallw, reduce_scatter, and scatterv at its root have `list` instead, allgatherv has
  ///   both.
  /// sync: the memory in use, which moving the object would transfer.
  std::uint64_t bytes = 0;
  /// execute, contribute: see Cause and EventKind. sync of a native program: the load that the element
  /// declares, in ns on a PE of speed 1, plus 1; 0: it declares none.
  std::uint64_t serial = 0;
  /// wait: requests, each as the number of requests that the object started after it; matched: one request.
  /// region_begin, region_end: one index of Trace::names.
  /// collective: bytes to each member (allgatherv: from each), in the order of the communicator; of an
  ///   intercommunicator, of the other group.
  std::span<const std::uint64_t> list = {};

  /// -- times
  std::uint64_t burst_ns = 0;  // processor time of the object before the event, since its last one
  /// Wall time from the call to its return. file, sleep: it is replayed as it is. execute: the time that the
  /// element waited before it, in simulated runs; 0 in recordings.
  std::uint64_t call_ns = 0;
  std::span<const std::int64_t> counters = {};  // of the burst, one for each of Header::counters
};

/// Members are objects, in the order of their ranks.
struct Communicator {
  std::uint32_t id = 0;  // the same for all members; 0 is the world, or no communicator
  std::vector<ObjectIndex> members;
  std::vector<ObjectIndex> others;  // of an intercommunicator: the remote group
};

/// The share that other processes had of the cores on which a job was recorded. All 0: unknown, as for a run
/// that was cut short.
struct Disturbance {
  std::uint64_t busy_ns = 0;    // computing of objects, by the clock
  std::uint64_t others_ns = 0;  // the part of it in which other processes had the core
  /// True if the bursts leave others_ns out. Else they include it, and it may be more: the system did not
  /// tell when a thread lost its processor.
  bool left_out = false;
  bool operator==(const Disturbance&) const = default;
};
/// Returns a clause for readers of the recording's times, without a full stop. Empty if the disturbance is
/// within the differences of clocks and interrupts.
std::string to_text(const Disturbance& disturbance);

/// The job that was recorded. All members may be empty.
struct Header {
  std::string program;  // with its arguments
  std::string options;  // of the run
  std::string machine;
  /// True if the trace has only the ends of streams (--trace FILE:last=SECONDS). They do not begin at one
  /// time, so the trace can be looked at, but not replayed.
  bool ends_only = false;
  bool native = false;  // then objects 0 to pes - 1 are the PEs themselves, which never move
  std::uint32_t pes = 1;
  std::vector<PeIndex> placement;     // PE of each object at first, or where a native program made it later
  std::vector<std::string> counters;  // names, of Event::counters
  /// The names of objects: "Block[3,4]"; empty: ranks. In a native program an empty label marks an index that
  /// belongs to no object.
  std::vector<std::string> labels;
  Disturbance disturbance;  // at the end of files, since it is known only then

  bool is_nobody(ObjectIndex object) const {
    return native && object < labels.size() && labels[object].empty();
  }
  /// Returns the name of the objects that can move.
  const char* noun() const { return native ? "elements" : "ranks"; }
  /// Returns true if the object can move: PEs, which are objects of native programs, cannot.
  bool can_move(ObjectIndex object) const { return !native || (object >= pes && !is_nobody(object)); }
};

/// An LB step of the recorded run.
struct RecordedStep {
  std::uint64_t time_ns = 0;  // since the start of the job, by its clock
  std::uint64_t took_ns = 0;
  std::string strategy;
  std::vector<std::pair<ObjectIndex, PeIndex>> moves;
};

/// The reason why a trace cannot be read or used. The text names the file, the object and the event where
/// there are any, the likely cause, and what to do.
struct TraceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A position in the stream of one object.
class Cursor {
 public:
  class Source;  // of lb/trace/
  explicit Cursor(std::unique_ptr<Source> source);
  Cursor(Cursor&&) noexcept;
  Cursor& operator=(Cursor&&) noexcept;
  ~Cursor();
  /// Returns the next event, or null at the end of the stream. The event lasts until the next call. Streams
  /// that were cut short (a run that was killed) end without an event `end`.
  const Event* next();
  /// Returns a cursor that reads on from the position of this one. Its events are its own.
  Cursor copy() const;

 private:
  std::unique_ptr<Source> source_;
};

/// Streams in memory, as compact as in the file before compression: a few bytes an event, shared between
/// copies. A trace is a value: it never changes after it was made.
class Trace {
 public:
  Trace();  // without objects
  std::size_t object_count() const;
  /// Returns the number of objects that can move: ranks, or elements, that is a native program's objects
  /// without PEs and unused indices.
  std::size_t movable_count() const;
  const Header& header() const;
  std::span<const Communicator> communicators() const;       // rising ids; 0 is the world
  const Communicator& communicator(std::uint32_t id) const;  // throws TraceError
  std::span<const std::string> names() const;                // regions and entry methods
  std::span<const RecordedStep> steps() const;
  bool complete() const;  // true if the run came to its end
  std::uint64_t event_count(ObjectIndex object) const;
  std::size_t memory_bytes() const;
  Cursor events(ObjectIndex object) const;

  struct Data;  // of lb/trace/
  explicit Trace(std::shared_ptr<const Data> data);
  const Data& data() const;

 private:
  std::shared_ptr<const Data> data_;
};

/// Makes a trace in memory, for importers, the coarsener, tests and synthetic programs. (A run that is
/// recorded writes its file as it goes: trace_writer.hpp.)
class TraceBuilder {
 public:
  TraceBuilder(Header header, std::size_t objects);
  TraceBuilder(TraceBuilder&&) noexcept;
  ~TraceBuilder();
  /// Returns the index of the name in Trace::names().
  std::uint32_t name(std::string_view text);
  /// Adds a communicator. The caller chooses its id, except 0, which is the world of all objects.
  void add(Communicator communicator);
  void add(ObjectIndex object, const Event& event);
  void add(RecordedStep step);
  /// Returns the trace. Throws TraceError if an event names an object, request, communicator or name that
  /// does not exist.
  Trace finish() &&;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads a file. Throws TraceError if the file is no trace, newer, or corrupt. A file that ends in the middle
/// (a run that was killed, a disk that was full) gives its whole part; complete() is false then.
Trace read_trace(const std::string& path);
/// Writes the trace. Throws TraceError if the file cannot be written whole.
void write_trace(const Trace& trace, const std::string& path);

}  // namespace skein::trace
