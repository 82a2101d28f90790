// SPDX-License-Identifier: Apache-2.0
// A trace: what each object of a job did, in its own order, as a value that can be replayed elsewhere.
//
// After R. Keller Tesser et al., "Using Simulation to Evaluate and Tune the Performance of Dynamic Load
// Balancing of an Over-decomposed Geophysics Application", INRIA RR-9031 (2017): work instead of times, at
// the finest decomposition.
//
// An object is a rank, or an element of a native program. Its stream is a list of events. An event is
// something that the object did with others; what it computed before is the event's burst. So the processor
// time of an object is the sum of its bursts, and nothing of it depends on which PE it was, who else was
// there, or how long it waited. How long it did wait is kept beside (call_ns), for pictures only: no
// simulation reads it.
//
// A nonblocking call takes no time of its own: what it costs is part of the burst that follows.
//
// Which send a receive got follows from its partner and tag: of one sender, receiver, communicator and tag,
// the k-th send goes to the k-th receive that took one (MPI 4.1, 3.5).
//
// Nothing here reads a clock, prints or sends. Anything may be called from any thread, one object at a time.
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
  /// -- MPI programs. What the members of Event mean for each is said at the members.
  send,     // blocking, or, if `starts_request`, its start
  receive,  // blocking: from whom it came; if `starts_request`: from whom it was wanted
  matched,  // a nonblocking receive got this one: of one that wanted any source or tag before its wait, and
            /// of one that was freed, which has no wait, once it is complete. From `any`: the request, of a
            /// receive or a send, was cancelled, and there is no message
  wait,     // for `requests`, all of which are complete after it; a test that was successful is one, too
  collective,  // of `communicator`
  probe,       // that found a message, which stays where it is
  sync,        // a sync point
  file,        // a call that reads or writes
  sleep,
  region_begin,  // named by the program: MPI_Pcontrol(1, name)
  region_end,    // MPI_Pcontrol(-1, name)
  end,           // of the object; its burst is what came after the last event
  /// -- native programs. Objects are elements, and first of all the PEs themselves: what runs there outside
  /// of
  /// any element. An object executes one entry method after the other, each from `execute` to `finish`; the
  /// burst of `execute` is 0. Between two there may be `sync`, `end` and `split`.
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

/// Why an entry method runs, and so when it can begin.
enum class Cause : std::uint8_t {
  message,     // number `serial` of object `partner` has come: of its events call, broadcast and create,
               /// counted together from 0. One message may cause any number of executions, by any objects
  reduction,   // `serial` of array `communicator`: all its events contribute, by whichever objects, have been
  resumed,     // the LB step that follows the object's last sync is over
  quiescence,  // nothing else is under way
  begin,       // of the job
};

inline constexpr std::int32_t kAny = -1;  // partner or tag

/// One event. What is not said of a kind is zero.
struct Event {
  EventKind kind = EventKind::end;
  /// SendMode, Collective, FileCall or Cause, by the kind. sync of a native program: 1 if the element can be
  /// divided.
  std::uint8_t what = 0;
  /// A nonblocking send, receive or collective, or a persistent one's start: the object's next request.
  bool starts_request = false;
  /// Identity of a communicator: Communicator::id. Of a native program: of an array.
  std::uint32_t communicator = 0;
  /// send: receiver, receive and probe: sender, as object (rank of the world); `any` where so wanted, which a
  /// blocking one never shows: it has whom it got. collective: the root as object, or `any` without a root.
  /// execute: the object whose message is the cause. call: the object, or `any` where its sender does not
  /// know who it is: what the message causes tells. create, split: the object.
  std::int32_t partner = kAny;
  /// send, receive, probe: of the message. execute, call: the entry method, an index of Trace::names.
  /// collective: which of the communicator's persistent ones it starts, counted from 1 as all members make
  /// them; 0: none. sync of a native program: one more than the element's level; 0: it belongs to none.
  std::int32_t tag = 0;
  /// send, receive, file: of the message or transfer (of a receive that is complete: what came).
  /// collective: what this object puts in: the buffer of bcast (at all members), reductions and scans (of
  ///   reduce_scatter_block: for all members); what it sends in gather(v) and allgather(v) (to each, that is
  ///   once); what goes to or from each member in scatter and alltoall; what it gets in scatterv. alltoallv,
  ///   alltoallw, reduce_scatter, and scatterv at its root have `list` instead, allgatherv has both.
  /// sync: the memory in use: what moving the object would transfer.
  std::uint64_t bytes = 0;
  /// execute, contribute: see Cause and EventKind. sync of a native program: one more than the load that the
  /// element declares, in ns on a PE of speed 1; 0: it declares none.
  std::uint64_t serial = 0;
  /// wait: requests, each as the number of requests that the object started after it; matched: one such.
  /// region_begin, region_end: one index of Trace::names.
  /// collective: bytes to each member (allgatherv: from each), in the order of the communicator; of an
  ///   intercommunicator, of the other group.
  std::span<const std::uint64_t> list = {};

  /// -- times
  std::uint64_t burst_ns = 0;  // processor time of the object before the event, since its last one
  std::uint64_t call_ns =
      0;  // wall time from the call to its return; file and sleep: replayed as it is; execute:
          // what the element waited before it, told by simulated runs, 0 in recordings
  std::span<const std::int64_t> counters = {};  // over the burst, one for each of Header::counters
};

/// Members are objects, in the order of their ranks.
struct Communicator {
  std::uint32_t id = 0;  // the same for all members; 0 is the world, or no communicator
  std::vector<ObjectIndex> members;
  std::vector<ObjectIndex> others;  // of an intercommunicator: the remote group
};

/// What others had of the cores on which a job was recorded. All 0: nobody knows, as of a run that was cut
/// short.
struct Disturbance {
  std::uint64_t busy_ns = 0;    // what objects computed, by the clock
  std::uint64_t others_ns = 0;  // of it, for how long others had the core
  /// The bursts are without that. Else they have it, and it may be more: the system did not tell when a
  /// thread lost its processor.
  bool left_out = false;
  bool operator==(const Disturbance&) const = default;
};
/// A clause for who reads the recording's times, without a full stop. Empty where that was no more than what
/// clocks and interrupts differ by.
std::string to_text(const Disturbance& disturbance);

/// What the job was. All of it may be empty but objects.
struct Header {
  std::string program;  // with its arguments
  std::string options;  // of the run
  std::string machine;
  /// Only the ends of streams are there (--trace FILE:last=SECONDS), which do not begin at one time: to look
  /// at, and not to be replayed.
  bool ends_only = false;
  bool native = false;  // then objects 0 to pes - 1 are the PEs themselves, which never move
  std::uint32_t pes = 1;
  std::vector<PeIndex> placement;     // where each object was at first; of a native program's later ones:
                                      /// where it was made
  std::vector<std::string> counters;  // names, of Event::counters
  /// The names of objects: "Block[3,4]"; empty: ranks. In a native program an empty label is nobody's number.
  std::vector<std::string> labels;
  Disturbance disturbance;  // in files with the end, since it is known then

  bool is_nobody(ObjectIndex object) const {
    return native && object < labels.size() && labels[object].empty();
  }
  /// What of the job can move.
  const char* noun() const { return native ? "elements" : "ranks"; }
  /// In a native program: it is none of the PEs, which are objects, too.
  bool can_move(ObjectIndex object) const { return !native || (object >= pes && !is_nobody(object)); }
};

/// An LB step as it went in the recorded run.
struct RecordedStep {
  std::uint64_t time_ns = 0;  // since the start of the job, by its clock
  std::uint64_t took_ns = 0;
  std::string strategy;
  std::vector<std::pair<ObjectIndex, PeIndex>> moves;
};

/// Why a trace cannot be read or used. The text names the file, the object and the event where there are any,
/// the likely cause, and what to do.
struct TraceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A position in the stream of one object.
class Cursor {
 public:
  class Source;  // of lb/trace/
  explicit Cursor(std::unique_ptr<Source> source);
  Cursor(const Cursor& other);  // reads on from the same place
  Cursor(Cursor&&) noexcept;
  Cursor& operator=(Cursor&&) noexcept;
  ~Cursor();
  /// The next event, or null at the end of the stream. What it points to lasts until the next call. Streams
  /// that were cut short (a run that was killed) end without an event `end`.
  const Event* next();

 private:
  std::unique_ptr<Source> source_;
};

/// Streams in memory, as compact as in the file before compression: a few bytes an event, shared between
/// copies. A value: nothing of it changes once it was made.
class Trace {
 public:
  Trace();  // without objects
  std::size_t object_count() const;
  /// Those that can move: ranks, or elements, which are a native program's objects but for PEs and nobody.
  std::size_t movable_count() const;
  const Header& header() const;
  std::span<const Communicator> communicators() const;       // rising ids; 0 is the world
  const Communicator& communicator(std::uint32_t id) const;  // throws TraceError
  std::span<const std::string> names() const;                // regions and entry methods
  std::span<const RecordedStep> steps() const;
  bool complete() const;  // the run came to its end
  std::uint64_t event_count(ObjectIndex object) const;
  std::size_t memory_bytes() const;
  Cursor events(ObjectIndex object) const;

  struct Data;  // of lb/trace/
  explicit Trace(std::shared_ptr<const Data> data);
  const Data& data() const;

 private:
  std::shared_ptr<const Data> data_;
};

/// Makes a trace in memory: what importers, the coarsener, tests and synthetic programs use. (A run that is
/// recorded writes its file as it goes: trace_writer.hpp.)
class TraceBuilder {
 public:
  TraceBuilder(Header header, std::size_t objects);
  TraceBuilder(TraceBuilder&&) noexcept;
  ~TraceBuilder();
  /// The index of the name in Trace::names().
  std::uint32_t name(std::string_view text);
  /// Ids are the caller's, other than 0, which is the world of all objects.
  void add(Communicator communicator);
  void add(ObjectIndex object, const Event& event);
  void add(RecordedStep step);
  /// Throws TraceError where an event names an object, request, communicator or name that does not exist.
  Trace finish() &&;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reads a file. Throws TraceError for one that is no trace, newer, or corrupt. A file that ends in the
/// middle (a run that was killed, a disk that was full) gives what is whole; complete() tells.
Trace read_trace(const std::string& path);
/// Throws TraceError when the file cannot be written whole.
void write_trace(const Trace& trace, const std::string& path);

}  // namespace skein::trace
