// SPDX-License-Identifier: Apache-2.0
// An array as the library knows it, without the types of its elements and indices. Each PE has one such
// object for each array of the job; ArrayOf (array_of.hpp) completes it.
#pragma once

#include <array>
#include <cstring>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "skein/chare/control.hpp"
#include "skein/chare/element_block.hpp"
#include "skein/chare/index_table.hpp"

namespace skein {

/// Return this PE, and the number of PEs that compute: PEs that only decide (--lb-mode) are no part of the
/// program.
int this_pe();
int pe_count();
/// Return numbers of nodes. Nodes are the PEs that share memory, numbered in the order of their first PEs;
/// nodes without a PE that computes are not counted.
int this_node();
int node_count();
int first_pe_of_node(int node);

}  // namespace skein

namespace skein::chare {

using Bytes = std::span<const std::byte>;
void append(std::vector<std::byte>& out, Bytes bytes);

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

/// The destination of a result: an element's entry method, that of all elements or of a section's members, a
/// function on a PE, a future; for the value of a future, an element that waits for it; or nothing.
struct Destination {
  enum class Kind : std::uint32_t { none, element, all, section, function, future, waiting_element };
  static constexpr std::size_t longest_index = 48;
  Kind kind = Kind::none;
  std::uint32_t drops_value = 0;  ///< the target takes no argument, whatever the result is
  std::uint32_t array = 0;
  std::uint32_t target = 0;  ///< number of the entry method or function
  std::int32_t pe = 0;       ///< for a function
  std::uint32_t index_bytes = 0, unused[2] = {};
  std::byte index[longest_index] = {};  ///< for a section: its name
  FutureName future;                    ///< the future to set, or whose value an element waits for
  /// Compares the bytes: each contribution is compared with the destination of the others.
  bool operator==(const Destination& other) const { return memcmp(this, &other, sizeof other) == 0; }
};
static_assert(std::has_unique_object_representations_v<Destination>, "or equal ones have other bytes");
void deliver(const Destination& destination, Bytes packed);

/// The element that contributed, for messages about it.
struct Contributor {
  static constexpr std::uint32_t no_entry = ~std::uint32_t{0};
  std::uint32_t entry = no_entry;
  std::uint32_t index_bytes = 0;  ///< 0: the index is too long
  std::byte index[Destination::longest_index] = {};
};

/// A reduction that this PE has contributions to.
struct OpenReduction {
  std::uint32_t number = 0;
  std::uint32_t contributions = 0;  ///< since the last were sent up, other PEs' included
  std::uint32_t own = 0;            ///< of these, those by elements of this PE
  const ReducerInfo* reducer = nullptr;
  std::unique_ptr<Partial> partial;
  Destination destination;
  Contributor first;
};

/// Adds a contribution with its index. For Settings::ordered_reductions.
void add_in_order(OpenReduction& reduction, const Element& element, Bytes value);

class ArrayBase {
 public:
  ArrayBase(std::uint32_t number, std::string name);
  virtual ~ArrayBase();
  ArrayBase(const ArrayBase&) = delete;
  ArrayBase& operator=(const ArrayBase&) = delete;

  std::uint32_t number() const { return number_; }
  const std::string& name() const { return name_; }
  /// Returns the elements on this PE. Between begin_broadcast() and end_broadcast() an element that has left
  /// is null: no other moves up into its place, which the broadcast may have passed already.
  std::vector<Element*>& elements() { return elements_; }
  /// Returns the number of elements on this PE, without the gaps of elements().
  std::size_t live() const { return live_; }
  void begin_broadcast() { broadcasting_ = true; }
  void end_broadcast();
  std::size_t at_sync = 0;     ///< number of elements here at a sync point
  std::size_t unfinished = 0;  ///< number of elements here with unfinished()

  /// In lazy jobs: true if its elements come to sync points, as far as this PE knows.
  bool synchronizes = false;

  /// The array that this one is bound to, or null; and the arrays bound to this one.
  ArrayBase* leader = nullptr;
  std::vector<ArrayBase*> bound;

  /// True if the array stands for chares that belong to no array: it has no reductions, and its elements are
  /// not counted.
  bool of_singles = false;

  /// True if its calls are put aside when they would run: runtime/chare/calls/held_calls.hpp.
  bool held = false;

  /// True if its elements may move between any two methods: skein/start_lb.hpp.
  bool moves_anytime = false;

  /// Returns true for groups, whose elements belong each to a PE or node.
  virtual bool tied_to_pes() const = 0;

  // ---- by index, packed as its bytes
  virtual void receive(Bytes index, PackedCall&& call) = 0;
  /// Takes a report that the element is on `pe` after `moves` moves; negative: it has ended. `insertion`
  /// tells which element with that index; by default the newest that this PE knows, which is right where no
  /// message is under way.
  static constexpr std::uint32_t newest = ~std::uint32_t{0};
  virtual void learn(Bytes index, int pe, std::uint32_t moves, std::uint32_t insertion = newest) = 0;
  /// Returns true if this PE must be told of the element's moves: it is the home, or remembers another place.
  virtual bool cares(Bytes index) = 0;
  /// Returns the number of elements of a sparse array whose place is known, those on this PE included.
  virtual std::size_t places_known() const = 0;
  /// Forgets the places of elements on other PEs that are not at home: calls then go over their homes, and
  /// this PE is told anew. PEs that remember a place are not told when an element ends.
  virtual void forget_places_elsewhere() = 0;
  enum class Tell : bool { nobody, home };
  virtual Element& arrive(Bytes state, pup::Blocks& blocks, Tell tell) = 0;
  virtual std::string text(Bytes index) const = 0;
  /// Writes the text of an index into `out`, for handlers of faults.
  virtual void write_text(Bytes index, std::span<char> out) const = 0;
  /// Returns the PE of the element as far as this PE knows, or its home; negative: the index is outside the
  /// array.
  virtual int believed_pe(Bytes index) const = 0;
  /// Returns the home of an element that is to be inserted, by the array's map. An index outside the array
  /// ends the job.
  virtual int home_pe(Bytes index) const = 0;
  /// Compares indices by their order, or if they have none by their bytes.
  virtual bool before(Bytes a, Bytes b) const = 0;

  /// Returns the element, or null if it is not on this PE.
  virtual Element* element_at(Bytes index) = 0;
  /// Makes the element that is bound to that of another array. The bytes begin with the index.
  virtual Element& construct_bound(Bytes index) = 0;

  // ---- by element
  virtual Bytes index_of(const Element& element) const = 0;
  /// Returns what the class lacks for its elements to move, or null.
  virtual const char* cannot_move() const = 0;
  virtual std::size_t packed_size(Element& element) = 0;
  /// Takes the element from this PE, to `moving_to`. Appends its state, and may lend blocks, which keep the
  /// element alive. If `moving_to` is this PE the element stays as it is, and `blocks` must be closed.
  virtual void depart(Element& element, int moving_to, std::vector<std::byte>& state,
                      pup::Blocks& blocks) = 0;
  virtual void destroy(Element& element) = 0;
  /// Replaces the element in place by a new one made of its packed state, as if it had moved. Precondition:
  /// it has no activities.
  virtual void repack(Element& element) = 0;
  /// Returns the load that the class declares, if it does.
  virtual std::optional<double> declared_load(const Element& element) const = 0;
  /// Sets `at` to the element's position, for strategies that use it. Returns false if neither class nor
  /// index has one.
  virtual bool position(const Element& element, std::array<float, 3>& at) const = 0;
  /// Returns the element's level, of those that run one after another; negative: none.
  virtual int level(const Element& element) const = 0;

  // ---- division; see runtime/chare/balance/division.hpp
  virtual bool divisible() const = 0;
  /// Returns the index of the `number`-th part that is split off in this array.
  virtual std::vector<std::byte> part_index(const Element& element, std::uint32_t number) const = 0;
  /// Makes an element of `fraction` of the work. Returns null if the element keeps all.
  virtual Element* split(Element& element, double fraction, Bytes index) = 0;
  /// Gives all work of `part` to `element`, and ends `part`.
  virtual void merge(Element& element, Element& part) = 0;
  virtual void parts_changed(Element& element) = 0;
  virtual void resume(Element& element) = 0;
  /// Frees a gone element whose last message was taken from the queue.
  virtual void bury(Element& element) = 0;

  /// Count and describe the calls whose element does not exist, as far as this PE knows.
  virtual std::size_t waiting() const = 0;
  virtual void describe_waiting(std::vector<std::string>& lines) const = 0;

  // ---- broadcasts: numbered by PE 0, so that all PEs run them in one order
  struct PastBroadcast {
    const EntryInfo* entry;
    std::vector<std::byte> arguments;
  };
  std::uint32_t broadcasts_queued = 0;  ///< that have arrived here
  std::uint32_t broadcasts_run = 0;     ///< that have run here or are running
  std::deque<PastBroadcast> past;       ///< the latest; the last has number broadcasts_queued - 1
  std::size_t past_bytes = 0;           ///< of `past`
  /// By number, the broadcasts that have overtaken others: long messages take longer.
  std::map<std::uint32_t, std::vector<std::byte>> early_broadcasts;

  std::shared_ptr<struct Division> division;  ///< set once elements were to be divided: division.cpp
  bool divided = false;  ///< parts were split off its elements: indices may be outside the bounds

  // ---- reductions
  std::vector<std::unique_ptr<OpenReduction>> open;
  OpenReduction& open_reduction(Element& element, const ReducerInfo& reducer, const Destination& destination);
  void flush(OpenReduction& reduction);

 protected:
  void enlist(Element& element);
  void delist(Element& element);
  ElementBlock block;  ///< memory of elements; others are where operator new puts them

  // ---- what ends the job. Compiled once, so that programs need not
  [[noreturn]] void fail_arrival() const;  ///< for an element that cannot move
  [[noreturn]] void fail_exists(Bytes index) const;
  [[noreturn]] void fail_outside(const char* method, Bytes index, const std::string& bounds) const;
  [[noreturn]] void fail_inserted_twice(Bytes index, int pe) const;
  [[noreturn]] void fail_mapped(Bytes index, int pe) const;
  [[noreturn]] void fail_part_exists(const Element& whole, Bytes index) const;
  /// Reports the current exception. Call it in a catch block.
  [[noreturn]] void fail_by_exception_in(Bytes index, const char* where) const;
  /// Describes the fate of an element, for messages on stale pointers: it went to `pe`, or ended if negative.
  std::string fate(Bytes index, int pe) const;

 private:
  /// Gives memory of elements_ back when most of it is empty.
  void shrink();

  std::uint32_t number_;
  std::string name_;
  std::vector<Element*> elements_;
  std::size_t live_ = 0;
  bool broadcasting_ = false;
};

/// Notes that a message of `element` was taken from a queue: the last one frees an element that has gone.
inline void taken_from_queue(Element& element) {
  if (--element.queued == 0 && element.gone) element.array->bury(element);
}

/// Returns the array, or null if this PE has not heard of it yet: its creation is under way.
ArrayBase* known_array(std::uint32_t number);
/// Returns the array of that number. Waits until this PE knows it, serving messages.
ArrayBase& array_number(std::uint32_t number);

/// Binds the elements of `array` to those of `leader`, or of the array that `leader` is bound to.
void bind(ArrayBase& array, ArrayBase& leader);

/// The functions that make a program's array on every PE.
struct ArrayInfo {
  std::unique_ptr<ArrayBase> (*make)(std::uint32_t number, Bytes description);
  void (*populate)(ArrayBase& array, Bytes description);
  std::uint32_t number = 0;
};
ArrayInfo register_array(ArrayInfo info, ArrayInfo* where);
inline constexpr std::uint32_t kNoArray = ~std::uint32_t{0};
/// Creates an array, on any PE, and returns its number, unique in the job. The elements of this PE exist when
/// it returns, unless `leader`, the array to bind it to, is unknown here yet. A bound array has as many
/// elements as its leader.
std::uint32_t create_array(const ArrayInfo& info, std::span<const std::byte> description,
                           std::uint64_t elements, std::uint32_t leader = kNoArray);

/// Queues the broadcasts that an element which has arrived has not had, but that have run here.
void enqueue_catching_up(Element& element);
/// Notes that the element wants to move or to end: granted when its method has returned, or else by the
/// queue.
void enqueue_wishes(Element& element);
inline void note_wish(Element& element) {
  if (calls_here.running.element != &element) enqueue_wishes(element);  // called from another's method
}
void broadcast_call(std::uint32_t array, const EntryInfo& entry, Bytes arguments, std::int64_t priority = 0);
/// Bytes before the index in what Creation packed: the array's number, and the sync points passed.
inline constexpr std::size_t kBeforeCreatedIndex = 2 * sizeof(std::uint32_t);
/// In place of a PE: the PE that the array's map gives.
inline constexpr int kPeOfMap = std::numeric_limits<int>::min();
/// Calls `create` on the PE, with `packed`, which has an index of `index_bytes` bytes: when it arrives, or,
/// with a priority other than 0, from the queue.
void insert_element(std::uint32_t array, int pe, const FunctionInfo& create, Bytes packed,
                    std::size_t index_bytes, std::int64_t priority);
/// Returns why elements of the array and of those bound with it cannot move, or null.
const char* obstacle_to_moves(const ArrayBase& array);

/// A part of an element that was divided, or the element itself.
struct PackedPart {
  std::vector<std::byte> index;
  double share;  ///< fraction of the load that the undivided element would have
};
/// Returns the element and its parts, wherever they are; empty if it is not divided.
std::span<const PackedPart> parts_of(std::uint32_t array, Bytes index);

/// Notes that the element has come to a sync point.
void at_sync(Element& element);
void note_traffic(Element& from, std::uint32_t array, Bytes index, std::size_t bytes);

/// Ends the job with status 1 and the message, prefixed by the element and the method that run.
[[noreturn]] void fail(const std::string& message);
/// Ends the job with the current exception's text, and its origin if that is known. Call it in a catch block.
[[noreturn]] void fail_by_exception(const std::string& where);
/// Returns the element's name: "Cell{1, 2, 3}".
std::string name_of(const Element& element);

/// An index as its bytes, for tables that are of one type for all types of indices.
using IndexKey = std::string;
inline IndexKey key_of(Bytes index) { return {reinterpret_cast<const char*>(index.data()), index.size()}; }
inline Bytes bytes_of_key(const IndexKey& key) { return std::as_bytes(std::span(key)); }

}  // namespace skein::chare
