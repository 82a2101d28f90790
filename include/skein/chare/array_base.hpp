// SPDX-License-Identifier: Apache-2.0
// An array as the library knows it, without the types of its elements and indices. Each PE has one for each
// array of the job; ArrayOf (array_of.hpp) completes it.
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

/// The PE that runs this, and how many there are that compute: those of --lb-mode that only decide are no
/// part of the program.
int this_pe();
int pe_count();
/// Nodes are the PEs that share memory, numbered in the order of their first PEs; those without a PE that
/// computes are not counted.
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

/// Where a result goes: to an element's entry method, to that of all elements or of a section's members, to a
/// function on a PE, to a future; as the value of a future, to an element that waits for it; or nowhere.
struct Destination {
  enum class Kind : std::uint32_t { none, element, all, section, function, future, waiting_element };
  static constexpr std::size_t longest_index = 48;
  Kind kind = Kind::none;
  std::uint32_t drops_value = 0;  ///< the target takes no argument, whatever the result is
  std::uint32_t array = 0;
  std::uint32_t target = 0;  ///< number of the entry method or function
  std::int32_t pe = 0;       ///< for a function
  std::uint32_t index_bytes = 0, unused[2] = {};
  std::byte index[longest_index] = {};  ///< of a section: its name
  FutureName future;                    ///< that is set; or whose value it is, for an element that waits
  /// By their bytes: each contribution is asked whether it has the destination of the others.
  bool operator==(const Destination& other) const { return memcmp(this, &other, sizeof other) == 0; }
};
static_assert(std::has_unique_object_representations_v<Destination>, "or equal ones have other bytes");
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
  std::uint32_t contributions = 0;  ///< since the last were sent up, of other PEs too
  std::uint32_t own = 0;            ///< those of them by elements of this PE
  const ReducerInfo* reducer = nullptr;
  std::unique_ptr<Partial> partial;
  Destination destination;
  Contributor first;
};

/// With Settings::ordered_reductions.
void add_in_order(OpenReduction& reduction, const Element& element, Bytes value);

class ArrayBase {
 public:
  ArrayBase(std::uint32_t number, std::string name);
  virtual ~ArrayBase();
  ArrayBase(const ArrayBase&) = delete;
  ArrayBase& operator=(const ArrayBase&) = delete;

  std::uint32_t number() const { return number_; }
  const std::string& name() const { return name_; }
  /// Those on this PE. Between begin_broadcast() and end_broadcast(), null where one has left: no other moves
  /// up into its place, which might have been passed already.
  std::vector<Element*>& elements() { return elements_; }
  /// How many elements are on this PE, without the gaps of elements().
  std::size_t live() const { return live_; }
  void begin_broadcast() { broadcasting_ = true; }
  void end_broadcast();
  std::size_t at_sync = 0;     ///< of its elements here
  std::size_t unfinished = 0;  ///< of its elements here

  /// Lazy jobs: its elements come to sync points, as far as this PE knows.
  bool synchronizes = false;

  /// The array whose elements those of this one stay together with, or null; and those bound to this one.
  ArrayBase* leader = nullptr;
  std::vector<ArrayBase*> bound;

  /// It stands for chares that belong to no array: no reductions, nobody counts them.
  bool of_singles = false;

  /// Its calls are put aside where they would run: runtime/chare/calls/held_calls.hpp.
  bool held = false;

  /// Its class says that its elements may move between any two methods: skein/start_lb.hpp.
  bool moves_anytime = false;

  /// Groups, of whose elements each belongs to a PE or node.
  virtual bool tied_to_pes() const = 0;

  // ---- by index, packed as its bytes
  virtual void receive(Bytes index, PackedCall&& call) = 0;
  /// Where an element is after so many moves; negative: it exists no more. `insertion`: of which one; if
  /// not given, of the newest that this PE has heard of, which is known where no message is under way.
  static constexpr std::uint32_t newest = ~std::uint32_t{0};
  virtual void learn(Bytes index, int pe, std::uint32_t moves, std::uint32_t insertion = newest) = 0;
  /// Whether this PE must be told of its moves: it is the home, or remembers another place.
  virtual bool cares(Bytes index) = 0;
  /// The number of elements of a sparse array whose place is known, those here included.
  virtual std::size_t places_known() const = 0;
  /// Forgets where elements are that have moved away from their homes, here excepted: calls go by their homes
  /// then, and this PE is told anew. Nobody tells it when they end.
  virtual void forget_places_elsewhere() = 0;
  enum class Tell : bool { nobody, home };
  virtual Element& arrive(Bytes state, pup::Blocks& blocks, Tell tell) = 0;
  virtual std::string text(Bytes index) const = 0;
  /// Writes the text of an index into `out`, for handlers of faults.
  virtual void write_text(Bytes index, std::span<char> out) const = 0;
  /// Where the element is as far as this PE knows, or its home; negative: the index is outside the array.
  virtual int believed_pe(Bytes index) const = 0;
  /// The home of an element that is to be inserted, which the array's map says. An index outside the array
  /// ends the job.
  virtual int home_pe(Bytes index) const = 0;
  /// Indices in their order, or in that of their bytes if they have none.
  virtual bool before(Bytes a, Bytes b) const = 0;

  /// Null: not here.
  virtual Element* element_at(Bytes index) = 0;
  /// Makes the element that is bound to that of another array. The index is at the front of the bytes.
  virtual Element& construct_bound(Bytes index) = 0;

  // ---- by element
  virtual Bytes index_of(const Element& element) const = 0;
  /// Because of what its class lacks, or null.
  virtual const char* cannot_move() const = 0;
  virtual std::size_t packed_size(Element& element) = 0;
  /// Takes the element from this PE. `moving_to` is where its place is now. Its state is appended; it may
  /// lend blocks, which keep it. Where it moves to this PE it stays as it is, and is to have closed blocks.
  virtual void depart(Element& element, int moving_to, std::vector<std::byte>& state,
                      pup::Blocks& blocks) = 0;
  virtual void destroy(Element& element) = 0;
  /// Makes the element anew where it is, from what it packs, as if it had moved. It has no activities.
  virtual void repack(Element& element) = 0;
  /// What its class says that it costs, if it does.
  virtual std::optional<double> declared_load(const Element& element) const = 0;
  /// Where it is, for strategies that ask; false: neither its class nor its index says.
  virtual bool position(const Element& element, std::array<float, 3>& at) const = 0;
  /// Which of the levels it is of that run one after another; negative: of none.
  virtual int level(const Element& element) const = 0;

  // ---- division; see runtime/chare/balance/division.hpp
  virtual bool divisible() const = 0;
  /// The index of the `number`-th part that is split off in this array.
  virtual std::vector<std::byte> part_index(const Element& element, std::uint32_t number) const = 0;
  /// Makes an element of `fraction` of what that one has; null: it keeps all.
  virtual Element* split(Element& element, double fraction, Bytes index) = 0;
  /// Gives all that `part` has to `element`, and ends it.
  virtual void merge(Element& element, Element& part) = 0;
  virtual void parts_changed(Element& element) = 0;
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
  std::size_t past_bytes = 0;           ///< that these take
  /// By number, those that have overtaken others: long messages take longer.
  std::map<std::uint32_t, std::vector<std::byte>> early_broadcasts;

  std::shared_ptr<struct Division> division;  ///< once elements were to be divided: division.cpp
  bool divided = false;  ///< parts have been split off elements of this array: their indices may be any

  // ---- reductions
  std::vector<std::unique_ptr<OpenReduction>> open;
  OpenReduction& open_reduction(Element& element, const ReducerInfo& reducer, const Destination& destination);
  void flush(OpenReduction& reduction);

 protected:
  void enlist(Element& element);
  void delist(Element& element);
  ElementBlock block;  ///< where elements are, others being where operator new puts them

  // ---- what ends the job. Compiled once, so that programs need not
  [[noreturn]] void fail_arrival() const;  ///< of an element that cannot move
  [[noreturn]] void fail_exists(Bytes index) const;
  [[noreturn]] void fail_outside(const char* method, Bytes index, const std::string& bounds) const;
  [[noreturn]] void fail_inserted_twice(Bytes index, int pe) const;
  [[noreturn]] void fail_mapped(Bytes index, int pe) const;
  [[noreturn]] void fail_part_exists(const Element& whole, Bytes index) const;
  /// In a catch block.
  [[noreturn]] void fail_by_exception_in(Bytes index, const char* where) const;
  /// What is said of pointers to an element that has gone there; negative: it has ended.
  std::string fate(Bytes index, int pe) const;

 private:
  /// Gives memory of elements_ back when much is empty.
  void shrink();

  std::uint32_t number_;
  std::string name_;
  std::vector<Element*> elements_;
  std::size_t live_ = 0;
  bool broadcasting_ = false;
};

/// A message of `element` was taken from a queue: the last one of an element that has gone frees it.
inline void taken_from_queue(Element& element) {
  if (--element.queued == 0 && element.gone) element.array->bury(element);
}

/// Null: this PE has not heard of the array yet; the creation is under way.
ArrayBase* known_array(std::uint32_t number);
/// The array of that number. Waits for it, serving messages.
ArrayBase& array_number(std::uint32_t number);

/// From now on the elements of `array` are bound to those of `leader`, or of what that is bound to itself.
void bind(ArrayBase& array, ArrayBase& leader);

/// How a program's arrays are made on every PE.
struct ArrayInfo {
  std::unique_ptr<ArrayBase> (*make)(std::uint32_t number, Bytes description);
  void (*populate)(ArrayBase& array, Bytes description);
  std::uint32_t number = 0;
};
ArrayInfo register_array(ArrayInfo info, ArrayInfo* where);
inline constexpr std::uint32_t kNoArray = ~std::uint32_t{0};
/// On any PE. Its number is that of no other; the elements of this PE are there when this returns, unless the
/// array is to be bound to one that this PE has not heard of. `leader` is that which it is bound to; then it
/// has as many elements as that one.
std::uint32_t create_array(const ArrayInfo& info, std::span<const std::byte> description,
                           std::uint64_t elements, std::uint32_t leader = kNoArray);

/// An element has come that has not had all broadcasts that have run here.
void enqueue_catching_up(Element& element);
/// The element wants to move or to end: granted when its method has returned, or else by the queue.
void enqueue_wishes(Element& element);
inline void note_wish(Element& element) {
  if (calls_here.running.element != &element) enqueue_wishes(element);  // a plain call from another's method
}
void broadcast_call(std::uint32_t array, const EntryInfo& entry, Bytes arguments, std::int64_t priority = 0);
/// What is in what Creation packed before the element's index: the array's number, and passed sync points.
inline constexpr std::size_t kBeforeCreatedIndex = 2 * sizeof(std::uint32_t);
/// In place of a PE: that which the array's map says.
inline constexpr int kPeOfMap = std::numeric_limits<int>::min();
/// Calls `create` on the PE, with `packed`, which has an index of so many bytes: when it arrives, or with a
/// priority other than 0 from the queue.
void insert_element(std::uint32_t array, int pe, const FunctionInfo& create, Bytes packed,
                    std::size_t index_bytes, std::int64_t priority);
/// Why elements of the array and those that they are bound together with stay where they are, or null.
const char* obstacle_to_moves(const ArrayBase& array);

/// A part of an element that was divided, or the element itself.
struct PackedPart {
  std::vector<std::byte> index;
  double share;  ///< of the load that the undivided element would have
};
/// The element and its parts, wherever they are; empty: it is not divided.
std::span<const PackedPart> parts_of(std::uint32_t array, Bytes index);

/// The element is at a sync point.
void at_sync(Element& element);
void note_traffic(Element& from, std::uint32_t array, Bytes index, std::size_t bytes);

/// Ends the job with status 1 and the message, prefixed by the element and the method that run.
[[noreturn]] void fail(const std::string& message);
/// In a catch block: the same with what the exception says, and with where it came from if that is known.
[[noreturn]] void fail_by_exception(const std::string& where);
/// "Cell{1, 2, 3}"
std::string name_of(const Element& element);

/// An index as its bytes, for tables that are the same for all types of indices.
using IndexKey = std::string;
inline IndexKey key_of(Bytes index) { return {reinterpret_cast<const char*>(index.data()), index.size()}; }
inline Bytes bytes_of_key(const IndexKey& key) { return std::as_bytes(std::span(key)); }

}  // namespace skein::chare
