// SPDX-License-Identifier: Apache-2.0
// An array on one PE: its elements that are here, and where it knows others to be.
//
// Every index has a home PE, which a map computes. The home is told of each move of its elements and so knows
// where they are, or have just been. Others remember where they last found an element; a call that comes to
// the wrong place goes on, to where that PE knows or else to the home, and its sender is told.
#pragma once

#include <algorithm>
#include <functional>

#include "skein/chare/array_base.hpp"
#include "skein/chare/element_memory.hpp"
#include "skein/chare/entry.hpp"
#include "skein/chare/insertions_heard.hpp"
#include "skein/chare/optional_members.hpp"
#include "skein/chare/places.hpp"
#include "skein/chare/recent_pes.hpp"
#include "skein/chare/repacking.hpp"
#include "skein/chare/shape.hpp"
#include "skein/chare/travelling.hpp"
#include "skein/chare/turn.hpp"
#include "skein/chare/waiting_calls.hpp"

namespace skein {
template <class T, index_type I>
class Chare;
}  // namespace skein

namespace skein::chare {

/// A call has been queued that was sent on so often.
inline void note_hops(Element& element, std::uint16_t hops) {
  element.hops = std::max(element.hops, hops);
  element.chased |= hops >= longest_chase;
}

/// Reaches what a chare keeps private from its user.
struct Access {
  template <class T>
  static Element& element(T& chare) {
    return chare.element_;
  }
};

template <class T>
class ArrayOf final : public ArrayBase {
 public:
  using I = typename T::IndexType;

  ArrayOf(std::uint32_t number, std::string name, const Shape<I>& shape)
      : ArrayBase(number, std::move(name)), shape_(shape), places_(places_of(shape)) {
    static_assert(std::is_base_of_v<Chare<T, I>, T>,
                  "a class of elements derives from Chare of itself: struct C : skein::Chare<C, Index>");
    static_assert(check_optional_members<T>());
    static_assert(!declares_moves_anytime<T> || can_move<T>,
                  "an element with moves_anytime needs serialize() and a default constructor");
    ArrayBase::moves_anytime = declares_moves_anytime<T>;
  }
  ~ArrayOf() override {
    for (Element* const element : elements()) {
      if (!element) continue;
      end_control(*element);  // its flows may refer to it
      end_object(object_of(*element), [] { return std::string("an element, which has ended"); });
    }
  }

  /// Those of a dense array of Index1 to Index6.
  const I& dense_bounds() const {
    if (!shape_.dense) fail("the array of " + name() + " has no bounds: it is sparse");
    return shape_.bounds;
  }

  int home_of(const I& index) const {
    // Those of parts are outside the bounds.
    if (divided && shape_.outside(index))
      return static_cast<int>(hash_of(index) % static_cast<unsigned>(pe_count()));
    const int pes = pe_count(), pe = shape_.home(index, shape_.bounds, pes);
    if (static_cast<unsigned>(pe) >= static_cast<unsigned>(pes)) [[unlikely]]
      fail_mapped(as_bytes(index), pe);
    return pe;
  }

  const Shape<I>& shape() const { return shape_; }
  bool tied_to_pes() const override { return shape_.pinned; }
  /// How elements of a bound array are made.
  void construct_bound_by(std::function<Element&(const I& index)> construct) {
    construct_bound_ = std::move(construct);
  }

  /// Null: not here.
  [[gnu::always_inline]] T* find(const I& index) {
    Element* const element = places_.element_at(index);
    return element ? object_of(*element) : nullptr;
  }

  /// The PE where the element is, as far as this one knows.
  int pe_of(const I& index) {
    const Place* const place = places_.find(index);
    return place && place->pe >= 0 ? place->pe : home_of(index);
  }
  /// With what was learnt of elements that are asked for again and again.
  int pe_of(const I& index, RecentPes<I>& recent) {
    return recent.of(index, places_.version(), [this](const I& asked) { return pe_of(asked); });
  }

  /// Sends a message that is made already, and is used up.
  void send(const I& index, Message& message, std::int64_t priority = 0) {
    const Place* const place = places_.find(index);
    std::size_t bytes = message.entry->argument_bytes;
    if (place && place->element) [[likely]] {
      message.to = place->element;
      enqueue(message, priority);
    } else {
      bytes = send_message(*this, as_bytes(index), message, priority);
    }
    if (traffic_wanted && running.element) note_traffic(*running.element, number(), as_bytes(index), bytes);
  }

  /// Of a method that returns something a std::optional of it, empty where the element is not here.
  template <auto method, class... A>
  auto call(const I& index, A&&... a) {
    using Result = InlineResult<method>;
    const Place* const place = places_.find(index);
    const bool is_here = place && place->element;
    if (!is_here) send(index, *Entry<method>::make(std::forward<A>(a)...));
    if constexpr (std::is_void_v<Result>) {
      if (is_here) call_here<method>(*place->element, std::forward<A>(a)...);
    } else {
      return is_here ? std::optional<Result>(call_here<method>(*place->element, std::forward<A>(a)...))
                     : std::optional<Result>();
    }
  }

  /// Makes an element here, and tells its home: an insertion, and who is bound to another element, may be
  /// elsewhere.
  template <class... A>
  Element& construct(const I& index, A&&... a) {
    if (const Place* const place = places_.find(index)) {
      if (place->element) fail_exists(as_bytes(index));
      if (home_of(index) == this_pe()) heard_.doubt(as_bytes(index), place->insertion, place->pe);
    }
    require_inside(index, "insert()");
    birth = {this, &index, birth.number};
    T& object =
        naming(index, "its constructor", [&]() -> T& { return make_object<T>(std::forward<A>(a)...); });
    birth = {};
    Element& element = Access::element(object);
    element.broadcasts = broadcasts_run;
    element.pinned |= shape_.pinned;
    element.placed_on = element.was_on = this_pe();
    settle(index, element);
    if (const int home = home_of(index); home != this_pe())
      send_location(home, number(), as_bytes(index), {nullptr, this_pe(), 0, element.insertion});
    return element;
  }
  void expect(std::size_t elements_here) {
    places_.reserve(elements_here);
    elements().reserve(elements_here);
  }

  void receive(Bytes packed_index, PackedCall&& call) override {
    const I index = from_bytes(packed_index);
    route(index, places_.find(index), std::move(call));
  }

  /// An aggregated call from that PE whose element is not here: the PE that it goes on to, this one if it is
  /// to wait.
  int pe_beyond(const I& index, const char* method, int origin) {
    return pe_beyond(index, places_.find(index), method, origin);
  }

  void learn(Bytes packed_index, int pe, std::uint32_t moves, std::uint32_t of) override {
    const I index = from_bytes(packed_index);
    const Place* const known = places_.find(index);
    const bool certain = of == newest, at_home = home_of(index) == this_pe();
    if (certain) of = known ? known->insertion : 0;
    if (pe < 0) {
      if (at_home) heard_.ended(as_bytes(index), of);
      if (known && !known->element && known->insertion == of) places_.erase(index);
      return;
    }
    if (!certain && at_home && heard_.has_ended(as_bytes(index), of)) return;
    // Nobody would be told of its end but its home: of millions that come and go, all who called one would
    // remember it. Calls go by its home.
    if (of_singles && !at_home && !known) return;
    if (known && known->insertion >= of) {
      if (known->insertion > of && at_home) heard_.doubt(as_bytes(index), of, pe);
      if (known->insertion > of || known->element || known->moves > moves) return;
    } else if (known) {
      if (known->element) fail_inserted_twice(as_bytes(index), pe);
      if (at_home) heard_.doubt(as_bytes(index), known->insertion, known->pe);
    }
    places_.insert(index) = {nullptr, pe, moves, of};
    release_waiting(index);
  }

  std::size_t places_known() const override { return shape_.dense ? 0 : places_.hashed(); }
  void forget_places_elsewhere() override {
    places_.erase_hashed_if(
        [&](const I& index, const Place& place) { return !place.element && home_of(index) != this_pe(); });
  }

  bool cares(Bytes packed_index) override {
    const I index = from_bytes(packed_index);
    return home_of(index) == this_pe() || places_.find(index);
  }

  Element& arrive(Bytes state, pup::Blocks& blocks, Tell tell) override {
    if constexpr (can_move<T>) {
      I index;
      pup::Unpacker ar(state, blocks);
      ar.raw(&index, sizeof index);
      birth = {this, &index};
      T& object = naming(index, "its constructor", []() -> T& { return make_blank_object<T>(); });
      birth = {};
      Element& element = Access::element(object);
      // Before anything asks who the element is in the trace: what it unpacks may be calls to it.
      if (tickets_kept) [[unlikely]]
        take_expected_record(element);
      if (element.unfinished) --unfinished;  // said by its default constructor
      naming(index, "serialize()", [&] { unpack_element(element, object, ar, state, blocks); });
      settle(index, element);
      if (element.at_sync) ++at_sync;
      if (element.unfinished) ++unfinished;
      if (element.broadcasts < broadcasts_run) enqueue_catching_up(element);
      naming(index, "just_moved()", [&] { call_just_moved(object); });
      const int home = home_of(index);
      if (tell == Tell::home && home != this_pe())
        send_location(home, number(), as_bytes(index),
                      {nullptr, this_pe(), element.moves, element.insertion});
      return element;
    }
    fail("an element of " + name() + " arrives, which cannot move");
  }

  Element* element_at(Bytes index) override {
    const Place* const place = places_.find(from_bytes(index));
    return place ? place->element : nullptr;
  }
  Element& construct_bound(Bytes index) override {
    return construct_bound_(from_bytes(index.first(sizeof(I))));
  }

  std::string text(Bytes index) const override { return text_of(from_bytes(index)); }
  void write_text(Bytes index, std::span<char> out) const override { write_index(from_bytes(index), out); }
  int believed_pe(Bytes packed_index) const override {
    const I index = from_bytes(packed_index);
    if (const Place* const place = places_.find(index)) return place->element ? this_pe() : place->pe;
    return shape_.outside(index) && !divided ? -1 : home_of(index);
  }
  int home_pe(Bytes packed_index) const override {
    const I index = from_bytes(packed_index);
    if (!divided) require_inside(index, "insert()");
    return home_of(index);
  }
  bool before(Bytes a, Bytes b) const override {
    if constexpr (std::totally_ordered<I>)
      return from_bytes(a) < from_bytes(b);
    else
      return memcmp(a.data(), b.data(), sizeof(I)) < 0;
  }
  Bytes index_of(const Element& element) const override { return as_bytes(object_of(element)->index()); }
  const char* cannot_move() const override {
    return can_move<T> ? nullptr : "its class has no serialize(), or no default constructor";
  }

  std::size_t packed_size(Element& element) override {
    if constexpr (can_move<T>) {
      T& object = *object_of(element);
      return sizeof(I) +
             naming(object.index(), "serialize()", [&] { return packed_element_size(element, object); });
    }
    return 0;
  }

  void depart(Element& element, int moving_to, std::vector<std::byte>& state, pup::Blocks& blocks) override {
    if constexpr (can_move<T>) {
      T& object = *object_of(element);
      const I index = object.index();
      naming(index, "about_to_move()", [&] { call_about_to_move(object); });
      ++element.moves;
      append(state, as_bytes(index));
      const bool lends =
          naming(index, "serialize()", [&] { return pack_element(element, object, state, blocks); });
      if (lends) blocks.keep(hold(element));
      places_.insert(index) = {nullptr, moving_to, element.moves, element.insertion};
      leave(element);
    }
  }

  void destroy(Element& element) override {
    const I index = object_of(element)->index();
    const int home = home_of(index);
    if (home != this_pe())
      send_location(home, number(), as_bytes(index), {nullptr, -1, element.moves, element.insertion});
    else
      heard_.ended(as_bytes(index), element.insertion);
    places_.erase(index);
    leave(element);
  }

  std::optional<double> declared_load(const Element& element) const override {
    return declared_load_of(*object_of(element));
  }
  bool position(const Element& element, std::array<float, 3>& at) const override {
    return position_of(*object_of(element), at);
  }

  bool divisible() const override { return can_be_divided<T> && bound.empty() && !leader; }
  std::vector<std::byte> part_index(const Element& element, std::uint32_t number) const override {
    const I index = part_index_of(*object_of(element), number, name());
    const Bytes bytes = as_bytes(index);
    return {bytes.begin(), bytes.end()};
  }
  Element* split(Element& element, double fraction, Bytes packed_index) override {
    const I index = from_bytes(packed_index);
    if (const Place* const place = places_.find(index); place && place->element)
      fail_part_exists(element, packed_index);
    birth = {this, &index};
    std::unique_ptr<T> object = split_off(*object_of(element), fraction);
    birth = {};
    if (!object) return nullptr;
    Element& part = Access::element(*object.release());
    unfinished -= part.unfinished;
    copy_state(element, part);
    unfinished += part.unfinished;
    part.moves = part.insertion = 0;
    part.busy_ticks = 0;
    if (part.at_sync) ++at_sync;
    settle(index, part);
    return &part;
  }
  void merge(Element& element, Element& part) override {
    if constexpr (can_be_divided<T>) {
      object_of(element)->merge(std::move(*object_of(part)));
      destroy(part);
    }
  }
  void parts_changed(Element& element) override {
    const Running before = std::exchange(running, {&element, nullptr});
    call_parts_changed(*object_of(element));
    running = before;
  }

  void resume(Element& element) override {
    element.at_sync = false;
    if (Message* const call = call_after_sync(element)) {
      call->to = &element;
      enqueue(*call);
      return;
    }
    if constexpr (resumes<T>) {
      auto* const call = Entry<&T::resume_from_sync>::make();
      call->to = &element;
      enqueue(*call);
    }
  }

  void bury(Element& element) override {
    T* const object = object_of(element);
    end_object(object, [&] { return fate_of(object->index()); });
  }
  void repack(Element& element) override {
    if constexpr (can_move<T>) {
      T& object = *object_of(element);
      const I index = object.index();
      naming(index, "about_to_move()", [&] { call_about_to_move(object); });
      birth = {this, &index};
      naming(index, "serialize()", [&] { repack_in_place(element, object); });
      birth = {};
      naming(index, "just_moved()", [&] { call_just_moved(object); });
    }
  }

  std::size_t waiting() const override { return waiting_.size() + heard_.doubts(); }
  void describe_waiting(std::vector<std::string>& lines) const override {
    waiting_.describe(*this, lines);
    heard_.describe(*this, lines);
  }

 private:
  /// Of a dense array.
  void require_inside(const I& index, const char* what) const {
    if (shape_.outside(index)) [[unlikely]]
      fail_outside(what, as_bytes(index), text_of(shape_.bounds));
  }
  /// Of an element that has gone: what is said of pointers to it.
  std::string fate_of(const I& index) {
    const Place* const place = places_.find(index);
    return fate(as_bytes(index), place ? place->pe : -1);
  }
  static Places<I> places_of(const Shape<I>& shape) {
    if constexpr (requires { I::dimensions; })
      if (shape.dense) return Places<I>(shape.bounds);
    return {};
  }
  static Bytes as_bytes(const I& index) { return {reinterpret_cast<const std::byte*>(&index), sizeof index}; }
  static I from_bytes(Bytes bytes) {
    I index;
    memcpy(&index, bytes.data(), sizeof index);
    return index;
  }
  template <auto method, class... A>
  static InlineResult<method> call_here(Element& element, A&&... a) {
    const Running before = std::exchange(running, {&element, &Entry<method>::info});
    const auto finish = [&] {
      running = before;
      if (element.ends || element.wanted_pe >= 0) [[unlikely]]
        enqueue_wishes(element);
    };
    if constexpr (std::is_void_v<InlineResult<method>>) {
      Entry<method>::invoke_inline(element, *object_of(element), std::forward<A>(a)...);
      finish();
    } else {
      InlineResult<method> result =
          Entry<method>::invoke_inline(element, *object_of(element), std::forward<A>(a)...);
      finish();
      return result;
    }
  }
  static T* object_of(const Element& element) { return static_cast<T*>(element.object); }

  /// Calls what a user's class has; an exception ends the job, naming the element and where it came from.
  template <class F>
  decltype(auto) naming(const I& index, const char* where, F f) const {
    try {
      return f();
    } catch (...) {
      fail_by_exception_in(as_bytes(index), where);
    }
  }

  void settle(const I& index, Element& element) {
    places_.insert(index) = {&element, this_pe(), element.moves, element.insertion};
    enlist(element);
    release_waiting(index);
  }

  void leave(Element& element) {
    delist(element);
    if (element.at_sync) --at_sync;
    if (element.unfinished) --unfinished;
    if (element.ordered) take_turns(element);
    element.calls.reset();
    element.gone = true;
    end_control(element);
    if (element.queued == 0) bury(element);
  }

  /// Keeps the element's memory after it has gone.
  static std::shared_ptr<Element> hold(Element& element) {
    ++element.queued;
    return {&element, [](Element* held) { taken_from_queue(*held); }};
  }

  /// `place` is that of the index, or null.
  void route(const I& index, const Place* place, PackedCall&& call) {
    if (place && place->element) {
      Message* const message = call.entry->unpack(*call.entry, call.arguments, call.blocks);
      message->to = place->element;
      enqueue(*message, call.priority);
      if (call.hops) [[unlikely]]
        note_hops(*place->element, call.hops);
      return;
    }
    const int pe = pe_beyond(index, place, method_of(call), call.origin);
    if (pe == this_pe()) {
      if (!call.entry->for_existing_only) waiting_.keep(as_bytes(index), std::move(call));
      return;
    }
    if (call.origin != this_pe()) call.hops = next_hop(call.hops);
    send_call(pe, number(), as_bytes(index), std::move(call));
  }

  /// Where a call goes on to whose element is not here: this PE, if it is to wait. `origin` is told.
  int pe_beyond(const I& index, const Place* place, const char* method, int origin) {
    if (!place && !divided) require_inside(index, method);
    if (!place || place->pe == this_pe()) return home_of(index);
    if (origin != this_pe()) tell_caller(origin, number(), as_bytes(index), *place);
    return place->pe;
  }

  void release_waiting(const I& index) {
    if (waiting_.empty()) return;
    for (WaitingCalls::Waiting& waiting : waiting_.take(as_bytes(index)))
      route(index, places_.find(index), std::move(waiting.call));
  }

  Shape<I> shape_;
  std::function<Element&(const I& index)> construct_bound_;
  Places<I> places_;
  WaitingCalls waiting_;
  InsertionsHeard heard_;  // of elements whose home is here
};

}  // namespace skein::chare
