// SPDX-License-Identifier: Apache-2.0
// The part of an array on one PE that depends on its indices alone: where its elements are, and where calls
// to them go. ArrayOf (array_of.hpp) has the elements themselves.
//
// Every index has a home PE, which a map computes. The home is told of each move of its elements and so knows
// where they are, or have just been. Other PEs remember where they last found an element; a PE without the
// element passes a call on, to the place it knows or else to the home, and tells the sender.
//
// For Index1 to Index6 runtime/chare/arrays/index_text.cpp compiles all once, so that programs need not.
#pragma once
#include <functional>

#include "skein/chare/array_base.hpp"
#include "skein/chare/delivery.hpp"
#include "skein/chare/insertions_heard.hpp"
#include "skein/chare/places.hpp"
#include "skein/chare/recent_pes.hpp"
#include "skein/chare/turn.hpp"
#include "skein/chare/waiting_calls.hpp"
#include "skein/index.hpp"

namespace skein::chare {

template <index_type I>
using HomeFunction = int (*)(const I& index, const I& bounds, int pes);

/// The indices that the elements of an array may have, and their homes.
template <index_type I>
struct Shape {
  I bounds{};  ///< of a dense array
  HomeFunction<I> home = nullptr;
  bool dense = false;
  bool pinned = false;  ///< the array is a group

  /// Returns true if the index is outside the bounds. Sparse arrays, and indices of the program's own, have
  /// none.
  bool outside(const I& index) const {
    if constexpr (requires { I::dimensions; })
      for (int i = 0; dense && i < I::dimensions; ++i)
        if (index[i] < 0 || index[i] >= bounds[i]) return true;
    return false;
  }
};

template <index_type I>
class IndexedArray : public ArrayBase {
 public:
  /// Returns the bounds of a dense array of Index1 to Index6.
  const I& dense_bounds() const;
  const Shape<I>& shape() const { return shape_; }
  bool tied_to_pes() const override { return shape_.pinned; }
  int home_of(const I& index) const {
    if (divided) [[unlikely]]
      return home_of_divided(index);
    return mapped(index);
  }

  /// Returns the PE where the element is, as far as this PE knows.
  int pe_of(const I& index) const {
    const std::optional<Place> place = places_.find(index);
    return place && place->pe >= 0 ? place->pe : home_of(index);
  }
  /// Returns pe_of(index), using a cache for elements that are asked for repeatedly.
  int pe_of(const I& index, RecentPes<I>& recent) const {
    return recent.of(index, places_.version(), [this](const I& asked) { return pe_of(asked); });
  }

  /// Sets the function that makes elements of a bound array.
  void construct_bound_by(std::function<Element&(const I& index)> construct) {
    construct_bound_ = std::move(construct);
  }
  Element& construct_bound(Bytes index) override {
    return construct_bound_(from_bytes(index.first(sizeof(I))));
  }
  void expect(std::size_t elements_here);

  // ---- calls
  /// Sends a message, which is used up.
  void send(const I& index, Message& message, std::int64_t priority = 0);
  void receive(Bytes index, PackedCall&& call) override;
  /// Returns the PE to which a call from `origin` goes on if its element is not here: this PE if it is to
  /// wait. Tells `origin` of the place.
  int pe_beyond(const I& index, const char* method, int origin);
  std::size_t waiting() const override { return waiting_.size() + heard_.doubts(); }
  void describe_waiting(std::vector<std::string>& lines) const override;

  // ---- where elements are
  void learn(Bytes index, int pe, std::uint32_t moves, std::uint32_t of) override;
  bool cares(Bytes index) override;
  std::size_t places_known() const override { return shape_.dense ? 0 : places_.hashed(); }
  void forget_places_elsewhere() override;
  Element* element_at(Bytes index) override { return places_.element_at(from_bytes(index)); }
  int believed_pe(Bytes index) const override;
  int home_pe(Bytes index) const override;
  void destroy(Element& element) override;

  // ---- indices
  std::string text(Bytes index) const override { return text_of(from_bytes(index)); }
  void write_text(Bytes index, std::span<char> out) const override { write_index(from_bytes(index), out); }
  bool before(Bytes a, Bytes b) const override;

 protected:
  IndexedArray(std::uint32_t number, std::string name, const Shape<I>& shape);
  ~IndexedArray() override;

  static Bytes as_bytes(const I& index) { return {reinterpret_cast<const std::byte*>(&index), sizeof index}; }
  static I from_bytes(Bytes bytes) {
    I index;
    memcpy(&index, bytes.data(), sizeof index);
    return index;
  }

  /// Returns the element, or null if it is not here.
  [[gnu::always_inline]] Element* element_here(const I& index) const { return places_.element_at(index); }

  // ---- elements come and go. These keep each ArrayBase's lists and counts
  /// Ends the job if an element with this index cannot be constructed.
  void check_new(const I& index);
  /// Ends the job if an element that comes with its array exists at its home already.
  void check_new_at_home(const I& index) {
    if (element_here(index)) [[unlikely]]
      fail_exists(as_bytes(index));
  }
  /// Lists an element that has been constructed.
  void begin(const I& index, Element& element);
  /// Tells the home of an element, which may be another PE.
  void tell_home(const I& index, const Element& element);
  /// Releases the calls that wait for an element that is here now.
  void settle(const I& index, Element& element);
  /// Lists an element that has come from another PE.
  void came(const I& index, Element& element, Tell tell);
  /// Removes an element that goes to another PE.
  void goes(const I& index, Element& element, int pe);
  /// Describes where an element has gone, for messages on stale pointers.
  std::string fate_of(const I& index) const;

 private:
  /// Returns the home by the array's map.
  int mapped(const I& index) const {
    const int pe = shape_.home(index, shape_.bounds, pes_);
    if (static_cast<unsigned>(pe) >= static_cast<unsigned>(pes_)) [[unlikely]]
      fail_mapped(as_bytes(index), pe);
    return pe;
  }
  int home_of_divided(const I& index) const;
  static Places<I> places_of(const Shape<I>& shape) {
    if constexpr (requires { I::dimensions; })
      if (shape.dense) return Places<I>(shape.bounds);
    return {};
  }
  /// Ends the job if the index is outside a dense array.
  void require_inside(const I& index, const char* what) const {
    if (shape_.outside(index)) [[unlikely]]
      fail_outside(what, as_bytes(index), text_of(shape_.bounds));
  }

  void leave(Element& element);
  void route(const I& index, PackedCall&& call);
  void release_waiting(const I& index);

  const int pes_ = pe_count();
  Shape<I> shape_;
  std::function<Element&(const I& index)> construct_bound_;
  Places<I> places_;
  RecentPes<I, 16> recent_;  // for calls made on this PE
  WaitingCalls waiting_;
  InsertionsHeard heard_;  // for elements whose home is this PE
};

template <index_type I>
IndexedArray<I>::IndexedArray(std::uint32_t number, std::string name, const Shape<I>& shape)
    : ArrayBase(number, std::move(name)), shape_(shape), places_(places_of(shape)) {}
template <index_type I>
IndexedArray<I>::~IndexedArray() = default;

template <index_type I>
const I& IndexedArray<I>::dense_bounds() const {
  if (!shape_.dense) fail("the array of " + name() + " has no bounds: it is sparse");
  return shape_.bounds;
}

template <index_type I>
int IndexedArray<I>::home_of_divided(const I& index) const {
  // The indices of parts are outside the bounds.
  if (!shape_.outside(index)) return mapped(index);
  return static_cast<int>(hash_of(index) % static_cast<unsigned>(pes_));
}

template <index_type I>
void IndexedArray<I>::expect(std::size_t elements_here) {
  places_.reserve(elements_here);
  elements().reserve(elements_here);
}

template <index_type I>
void IndexedArray<I>::send(const I& index, Message& message, std::int64_t priority) {
  std::size_t bytes = message.entry->arguments.bytes;
  if (Element* const element = element_here(index)) [[likely]] {
    message.to = element;
    enqueue(message, priority);
  } else {
    const int pe = recent_.of(index, places_.version(), [&](const I& asked) {
      return pe_beyond(asked, message.entry->name, this_pe());
    });
    bytes = pe == this_pe() ? send_message(*this, as_bytes(index), message, priority)
                            : send_message_to(pe, number(), as_bytes(index), message, priority);
  }
  if (settings.traffic_wanted && calls_here.running.element)
    note_traffic(*calls_here.running.element, number(), as_bytes(index), bytes);
}

template <index_type I>
void IndexedArray<I>::receive(Bytes packed_index, PackedCall&& call) {
  route(from_bytes(packed_index), std::move(call));
}

template <index_type I>
void IndexedArray<I>::describe_waiting(std::vector<std::string>& lines) const {
  waiting_.describe(*this, lines);
  heard_.describe(*this, lines);
}

template <index_type I>
void IndexedArray<I>::learn(Bytes packed_index, int pe, std::uint32_t moves, std::uint32_t of) {
  const I index = from_bytes(packed_index);
  const std::optional<Place> known = places_.find(index);
  const bool certain = of == newest, at_home = home_of(index) == this_pe();
  if (certain) of = known ? known->insertion : 0;
  if (pe < 0) {
    if (at_home) heard_.ended(as_bytes(index), of);
    if (known && !known->element && known->insertion == of) places_.erase(index);
    return;
  }
  if (!certain && at_home && heard_.has_ended(as_bytes(index), of)) return;
  // Skips the place: only its home would be told of the element's end, and every caller of millions that come
  // and go would remember it. Calls go over the home.
  if (of_singles && !at_home && !known) return;
  if (known && known->insertion >= of) {
    if (known->insertion > of && at_home) heard_.doubt(as_bytes(index), of, pe);
    if (known->insertion > of || known->element || known->moves > moves) return;
  } else if (known) {
    if (known->element) fail_inserted_twice(as_bytes(index), pe);
    if (at_home) heard_.doubt(as_bytes(index), known->insertion, known->pe);
  }
  places_.set(index, {nullptr, pe, moves, of});
  release_waiting(index);
}

template <index_type I>
bool IndexedArray<I>::cares(Bytes packed_index) {
  const I index = from_bytes(packed_index);
  return home_of(index) == this_pe() || places_.find(index);
}

template <index_type I>
void IndexedArray<I>::forget_places_elsewhere() {
  places_.erase_hashed_if(
      [&](const I& index, const Place& place) { return !place.element && home_of(index) != this_pe(); });
}

template <index_type I>
int IndexedArray<I>::believed_pe(Bytes packed_index) const {
  const I index = from_bytes(packed_index);
  if (const std::optional<Place> place = places_.find(index)) return place->element ? this_pe() : place->pe;
  return shape_.outside(index) && !divided ? -1 : home_of(index);
}

template <index_type I>
int IndexedArray<I>::home_pe(Bytes packed_index) const {
  const I index = from_bytes(packed_index);
  if (!divided) require_inside(index, "insert()");
  return home_of(index);
}

template <index_type I>
void IndexedArray<I>::destroy(Element& element) {
  const I index = from_bytes(index_of(element));
  const int home = home_of(index);
  if (home != this_pe())
    send_location(home, number(), as_bytes(index), {nullptr, -1, element.moves, element.insertion});
  else
    heard_.ended(as_bytes(index), element.insertion);
  places_.erase(index);
  leave(element);
}

template <index_type I>
bool IndexedArray<I>::before(Bytes a, Bytes b) const {
  if constexpr (std::totally_ordered<I>)
    return from_bytes(a) < from_bytes(b);
  else
    return memcmp(a.data(), b.data(), sizeof(I)) < 0;
}

template <index_type I>
void IndexedArray<I>::check_new(const I& index) {
  if (const std::optional<Place> place = places_.find(index)) {
    if (place->element) fail_exists(as_bytes(index));
    if (home_of(index) == this_pe()) heard_.doubt(as_bytes(index), place->insertion, place->pe);
  }
  require_inside(index, "insert()");
}

template <index_type I>
void IndexedArray<I>::begin(const I& index, Element& element) {
  element.broadcasts = broadcasts_run;
  element.pinned |= shape_.pinned;
  element.placed_on = element.was_on = this_pe();
  settle(index, element);
}

template <index_type I>
void IndexedArray<I>::tell_home(const I& index, const Element& element) {
  if (const int home = home_of(index); home != this_pe())
    send_location(home, number(), as_bytes(index), {nullptr, this_pe(), element.moves, element.insertion});
}

template <index_type I>
void IndexedArray<I>::settle(const I& index, Element& element) {
  places_.set(index, {&element, this_pe(), element.moves, element.insertion});
  enlist(element);
  release_waiting(index);
}

template <index_type I>
void IndexedArray<I>::came(const I& index, Element& element, Tell tell) {
  settle(index, element);
  if (element.at_sync) ++at_sync;
  if (element.unfinished) ++unfinished;
  if (element.broadcasts < broadcasts_run) enqueue_catching_up(element);
  if (tell == Tell::home) tell_home(index, element);
}

template <index_type I>
void IndexedArray<I>::goes(const I& index, Element& element, int pe) {
  places_.set(index, {nullptr, pe, element.moves, element.insertion});
  leave(element);
}

template <index_type I>
std::string IndexedArray<I>::fate_of(const I& index) const {
  const std::optional<Place> place = places_.find(index);
  return fate(as_bytes(index), place ? place->pe : -1);
}

template <index_type I>
void IndexedArray<I>::leave(Element& element) {
  delist(element);
  if (element.at_sync) --at_sync;
  if (element.unfinished) --unfinished;
  if (element.ordered) take_turns(element);
  if (element.own_rare) element.own_rare->calls.reset();
  element.gone = true;
  end_control(element);
  if (element.queued == 0) bury(element);
}

template <index_type I>
void IndexedArray<I>::route(const I& index, PackedCall&& call) {
  if (Element* const element = element_here(index)) {
    Message* const message = call.entry->unpack(*call.entry, call.arguments, call.blocks);
    message->to = element;
    enqueue(*message, call.priority);
    if (call.hops) [[unlikely]]
      note_hops(*element, call.hops);
    return;
  }
  const int pe = pe_beyond(index, method_of(call), call.origin);
  if (pe == this_pe()) {
    if (!call.entry->for_existing_only) waiting_.keep(as_bytes(index), std::move(call));
    return;
  }
  if (call.origin != this_pe()) call.hops = next_hop(call.hops);
  send_call(pe, number(), as_bytes(index), std::move(call));
}

template <index_type I>
int IndexedArray<I>::pe_beyond(const I& index, const char* method, int origin) {
  const std::optional<Place> place = places_.find(index);
  if (!place && !divided) require_inside(index, method);
  if (!place || place->pe == this_pe()) return home_of(index);
  if (origin != this_pe()) tell_caller(origin, number(), as_bytes(index), *place);
  return place->pe;
}

template <index_type I>
void IndexedArray<I>::release_waiting(const I& index) {
  if (waiting_.empty()) return;
  for (WaitingCalls::Waiting& waiting : waiting_.take(as_bytes(index))) route(index, std::move(waiting.call));
}

extern template class IndexedArray<Index1>;
extern template class IndexedArray<Index2>;
extern template class IndexedArray<Index3>;
extern template class IndexedArray<Index4>;
extern template class IndexedArray<Index5>;
extern template class IndexedArray<Index6>;

}  // namespace skein::chare
