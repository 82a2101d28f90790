// SPDX-License-Identifier: Apache-2.0
// An array as the library knows it, without the types of its elements and indices. Each PE has one for each
// array of the job; ArrayOf (array_of.hpp) completes it.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "skein/chare/message.hpp"

namespace skein {

/// The PE that runs this, and how many there are.
int this_pe();
int pe_count();

}  // namespace skein

namespace skein::chare {

using Bytes = std::span<const std::byte>;

/// A partial result of a reduction, on its way to the root. Implemented in reduction.hpp.
class Partial {
 public:
  virtual ~Partial() = default;
  virtual void merge(Bytes packed) = 0;
  virtual std::vector<std::byte> pack() const = 0;
};
/// A kind of reduction: an operation and the type of its values.
struct ReducerInfo {
  const char* name;
  std::unique_ptr<Partial> (*unpack)(Bytes packed);
  std::uint32_t number = 0;
};
ReducerInfo register_reducer(ReducerInfo info, ReducerInfo* where);

/// A function of one packed value, for callbacks.
struct FunctionInfo {
  void (*call)(Bytes packed);
  std::uint32_t number = 0;
};
FunctionInfo register_function(FunctionInfo info, FunctionInfo* where);

/// Where a result goes: to an element's entry method, to that of all elements or of a section's members, or to
/// a function on a PE.
struct Destination {
  enum class Kind : std::uint32_t { none, element, all, section, function };
  static constexpr std::size_t longest_index = 48;
  Kind kind = Kind::none;
  std::uint32_t array = 0;
  std::uint32_t target = 0;  ///< number of the entry method or function
  std::int32_t pe = 0;       ///< for a function
  std::uint32_t index_bytes = 0;
  std::byte index[longest_index] = {};  ///< of a section: its name
};
void deliver(const Destination& destination, Bytes packed);

/// Who contributed, for messages about it.
struct Contributor {
  static constexpr std::uint32_t no_entry = ~std::uint32_t{0};
  std::uint32_t entry = no_entry;
  std::uint32_t index_bytes = 0;  ///< 0: the index is too long
  std::byte index[Destination::longest_index] = {};
};

/// A reduction that this PE has contributions to.
struct OpenReduction {
  std::uint32_t number = 0;
  std::uint32_t contributions = 0;  ///< since the last were sent to the root
  const ReducerInfo* reducer = nullptr;
  std::unique_ptr<Partial> partial;
  Destination destination;
  Contributor first;
};

/// Whether contributions are kept apart until all are there, and combined in the order of the indices, so
/// that the result does not depend on where elements are and when they contribute.
extern bool ordered_reductions;
void add_in_order(OpenReduction& reduction, const Element& element, Bytes value);

class ArrayBase {
 public:
  ArrayBase(std::uint32_t number, std::string name) : number_(number), name_(std::move(name)) {}
  virtual ~ArrayBase() = default;
  ArrayBase(const ArrayBase&) = delete;
  ArrayBase& operator=(const ArrayBase&) = delete;

  std::uint32_t number() const { return number_; }
  const std::string& name() const { return name_; }
  /// Those on this PE. During a broadcast, null where one has left.
  std::vector<Element*>& elements() { return elements_; }
  std::size_t live() const { return live_; }
  std::size_t at_sync = 0;     ///< of its elements here
  std::size_t unfinished = 0;  ///< of its elements here

  // ---- by index, packed as its bytes
  virtual void receive(int origin, const EntryInfo& entry, Bytes index, Bytes arguments) = 0;
  /// Where an element is after so many moves; negative: it exists no more.
  virtual void learn(Bytes index, int pe, std::uint32_t moves) = 0;
  /// Whether this PE must be told of its moves: it is the home, or remembers another place.
  virtual bool cares(Bytes index) = 0;
  enum class Tell : bool { nobody, home };
  virtual void arrive(Bytes state, Tell tell) = 0;
  virtual std::string text(Bytes index) const = 0;
  /// Where the element is as far as this PE knows, or its home; negative: the index is outside the array.
  virtual int believed_pe(Bytes index) const = 0;
  /// Indices in their order, or in that of their bytes if they have none.
  virtual bool before(Bytes a, Bytes b) const = 0;

  // ---- by element
  virtual Bytes index_of(const Element& element) const = 0;
  /// Because of what its class lacks, or null.
  virtual const char* cannot_move() const = 0;
  virtual std::size_t packed_size(Element& element) = 0;
  /// Takes the element from this PE. `moving_to` is where its place is now.
  virtual std::vector<std::byte> depart(Element& element, int moving_to) = 0;
  virtual void destroy(Element& element) = 0;
  virtual void resume(Element& element) = 0;
  /// Frees a gone element whose last message was taken from the queue.
  virtual void bury(Element& element) = 0;

  /// Calls without an element, as far as this PE knows: how many, and lines that say so.
  virtual std::size_t waiting() const = 0;
  virtual void describe_waiting(std::vector<std::string>& lines) const = 0;

  // ---- broadcasts: numbered by PE 0, so that all PEs run them in one order
  struct PastBroadcast {
    const EntryInfo* entry;
    std::vector<std::byte> arguments;
  };
  std::uint32_t broadcasts_queued = 0;  ///< those that have come here, and
  std::uint32_t broadcasts_run = 0;     ///< those of them that have run, or run now
  std::deque<PastBroadcast> past;       ///< the latest; the last has number broadcasts_queued - 1
  bool broadcasting = false;

  // ---- reductions
  std::vector<std::unique_ptr<OpenReduction>> open;
  OpenReduction& open_reduction(Element& element, const ReducerInfo& reducer, const Destination& destination);
  void flush(OpenReduction& reduction);

 protected:
  void enlist(Element& element);
  void delist(Element& element);

 private:
  friend void compact(ArrayBase& array);
  std::uint32_t number_;
  std::string name_;
  std::vector<Element*> elements_;
  std::size_t live_ = 0;
};

ArrayBase& array_number(std::uint32_t number);

/// How a program's arrays are made on every PE.
struct ArrayInfo {
  std::unique_ptr<ArrayBase> (*make)(std::uint32_t number, Bytes description);
  void (*populate)(ArrayBase& array, Bytes description);
  std::uint32_t number = 0;
};
ArrayInfo register_array(ArrayInfo info, ArrayInfo* where);
std::uint32_t create_array(const ArrayInfo& info, std::span<const std::byte> description,
                           std::uint64_t elements);

// ---- messages to other PEs
void send_call(int pe, std::uint32_t array, const EntryInfo& entry, int origin, Bytes index, Bytes arguments);
void send_location(int pe, std::uint32_t array, Bytes index, int where, std::uint32_t moves);
void send_element(int pe, std::uint32_t array, Bytes state);
/// An element has come that has not had all broadcasts that have run here.
void enqueue_catching_up(Element& element);
void broadcast_call(std::uint32_t array, const EntryInfo& entry, Bytes arguments);
/// Calls `create` on the PE with the number of the first reduction that counts the element, 4 bytes, and
/// `packed` behind.
void insert_element(std::uint32_t array, int pe, const FunctionInfo& create, Bytes packed);
/// To the root of reductions: an element ends, whose next contribution would have been this one.
void send_end_of_element(std::uint32_t array, std::uint32_t contributions);

/// Whether this sync point, the `count`-th of an element, is an LB step.
bool sync_point_is_step(std::uint32_t count);
void note_traffic(const Element& from, std::uint32_t array, Bytes index, std::size_t bytes);
extern bool traffic_wanted;

/// Ends the job with status 1 and the message, prefixed by the element and the method that run.
[[noreturn]] void fail(const std::string& message);
/// "Cell{1, 2, 3}"
std::string name_of(const Element& element);

}  // namespace skein::chare
