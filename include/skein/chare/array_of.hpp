// SPDX-License-Identifier: Apache-2.0
// An array on one PE: its elements that are here, and where it knows others to be.
//
// Every index has a home PE, which a map computes. The home is told of each move of its elements and so knows
// where they are, or have just been. Others remember where they last found an element; a call that comes to
// the wrong place goes on, to where that PE knows or else to the home, and its sender is told.
#pragma once

#include <functional>
#include <unordered_map>

#include "skein/chare/array_base.hpp"
#include "skein/chare/entry.hpp"
#include "skein/chare/index_table.hpp"

namespace skein::chare {

/// Reaches what a chare keeps private from its user.
struct Access {
  template <class T>
  static Element& element(T& chare) {
    return chare.element_;
  }
};

template <index_type I>
using HomeFunction = int (*)(const I& index, const I& bounds, int pes);

template <class I>
bool inside(const I& index, const I& bounds) {
  for (int i = 0; i < I::dimensions; ++i)
    if (index[i] < 0 || index[i] >= bounds[i]) return false;
  return true;
}

template <class T>
class ArrayOf final : public ArrayBase {
 public:
  using I = typename T::IndexType;
  static constexpr bool movable = pup::has_serialize<T> && std::is_default_constructible_v<T>;

  struct Shape {
    I bounds{};
    HomeFunction<I> home = nullptr;
    bool dense = false;
    bool pinned = false;
  };
  ArrayOf(std::uint32_t number, std::string name, const Shape& shape)
      : ArrayBase(number, std::move(name)), shape_(shape) {}
  ~ArrayOf() override {
    for (Element* const element : elements())
      if (element) delete object_of(*element);
  }

  /// Those of a dense array of Index1 to Index6.
  const I& dense_bounds() const {
    if (!shape_.dense) fail("the array of " + name() + " has no bounds: it is sparse");
    return shape_.bounds;
  }

  int home_of(const I& index) const {
    // Those of parts are outside the bounds.
    if (divided && outside(index))
      return static_cast<int>(hash_of(index) % static_cast<unsigned>(pe_count()));
    return shape_.home(index, shape_.bounds, pe_count());
  }

  const Shape& shape() const { return shape_; }
  /// How elements of a bound array are made.
  void construct_bound_by(std::function<Element&(const I& index)> construct) {
    construct_bound_ = std::move(construct);
  }

  /// Null: not here.
  T* find(const I& index) {
    Place* const place = places_.find(index);
    return place && place->element ? object_of(*place->element) : nullptr;
  }

  template <auto method, class... A>
  void send(const I& index, A&&... a) {
    using E = Entry<method>;
    Place* const place = places_.find(index);
    if (place && place->element) [[likely]] {
      auto* const call = E::make(std::forward<A>(a)...);
      call->to = place->element;
      enqueue(*call);
      if (traffic_wanted && running.element)
        note_traffic(*running.element, number(), as_bytes(index), sizeof(typename E::Arguments));
      return;
    }
    const typename E::Arguments arguments(std::forward<A>(a)...);
    const std::vector<std::byte> packed = pack(arguments);
    if (traffic_wanted && running.element)
      note_traffic(*running.element, number(), as_bytes(index), packed.size());
    route(this_pe(), E::info, index, packed);
  }

  template <auto method, class... A>
  void call(const I& index, A&&... a) {
    Place* const place = places_.find(index);
    if (!place || !place->element) return send<method>(index, std::forward<A>(a)...);
    using Class = typename Entry<method>::T;
    const Running before = std::exchange(running, {place->element, &Entry<method>::info});
    (static_cast<Class&>(*object_of(*place->element)).*method)(std::forward<A>(a)...);
    running = before;
  }

  /// Makes an element here.
  template <class... A>
  Element& construct(const I& index, A&&... a) {
    if (Place* const place = places_.find(index); place && place->element)
      fail("the element " + name() + text_of(index) + " exists already: it cannot be inserted again");
    birth = {this, &index};
    Element& element = Access::element(*new T(std::forward<A>(a)...));
    birth = {};
    element.broadcasts = broadcasts_run;
    element.pinned |= shape_.pinned;
    settle(index, element);
    return element;
  }
  void expect(std::size_t elements_here) {
    places_.reserve(elements_here);
    elements().reserve(elements_here);
  }

  void receive(int origin, const EntryInfo& entry, Bytes index, Bytes arguments) override {
    route(origin, entry, from_bytes(index), arguments);
  }

  void learn(Bytes packed_index, int pe, std::uint32_t moves) override {
    const I index = from_bytes(packed_index);
    if (pe < 0) {
      if (Place* const place = places_.find(index); place && !place->element) places_.erase(index);
      return;
    }
    Place& place = places_.insert(index);
    if (place.element || (place.pe >= 0 && place.moves > moves)) return;
    place = {nullptr, pe, moves};
    release_waiting(index);
  }

  bool cares(Bytes packed_index) override {
    const I index = from_bytes(packed_index);
    return home_of(index) == this_pe() || places_.find(index);
  }

  Element& arrive(Bytes state, Tell tell) override {
    if constexpr (movable) {
      pup::Unpacker ar(state);
      I index;
      Travelling travelling;
      ar.raw(&index, sizeof index);
      ar.raw(&travelling, sizeof travelling);
      birth = {this, &index};
      T& object = *new T;
      birth = {};
      Element& element = Access::element(object);
      travelling.give(element);
      ar& element.section_contributions;
      pup::process(ar, object);
      settle(index, element);
      if (element.at_sync) ++at_sync;
      if (element.unfinished) ++unfinished;
      if (element.broadcasts < broadcasts_run) enqueue_catching_up(element);
      if constexpr (requires { object.just_moved(); }) object.just_moved();
      const int home = home_of(index);
      if (tell == Tell::home && home != this_pe())
        send_location(home, number(), as_bytes(index), this_pe(), element.moves);
      return element;
    }
    fail("an element of " + name() + " arrives, which cannot move");
  }

  Element* element_at(Bytes index) override {
    Place* const place = places_.find(from_bytes(index));
    return place ? place->element : nullptr;
  }
  Element& construct_bound(Bytes index) override {
    return construct_bound_(from_bytes(index.first(sizeof(I))));
  }

  std::string text(Bytes index) const override { return text_of(from_bytes(index)); }
  int believed_pe(Bytes packed_index) const override {
    const I index = from_bytes(packed_index);
    if (const Place* const place = places_.find(index)) return place->element ? this_pe() : place->pe;
    return outside(index) && !divided ? -1 : home_of(index);
  }
  bool before(Bytes a, Bytes b) const override {
    if constexpr (std::totally_ordered<I>)
      return from_bytes(a) < from_bytes(b);
    else
      return memcmp(a.data(), b.data(), sizeof(I)) < 0;
  }
  Bytes index_of(const Element& element) const override { return as_bytes(object_of(element)->index()); }
  const char* cannot_move() const override {
    return movable ? nullptr : "its class has no serialize(), or no default constructor";
  }

  std::size_t packed_size(Element& element) override {
    if constexpr (movable) {
      pup::Sizer ar;
      ar& element.section_contributions;
      pup::process(ar, *object_of(element));
      return sizeof(I) + sizeof(Travelling) + ar.offset();
    }
    return 0;
  }

  std::vector<std::byte> depart(Element& element, int moving_to) override {
    std::vector<std::byte> state;
    if constexpr (movable) {
      T& object = *object_of(element);
      if constexpr (requires { object.about_to_move(); }) object.about_to_move();
      const I index = object.index();
      ++element.moves;
      const Travelling travelling(element);
      state.resize(packed_size(element));
      pup::Packer ar(state);
      ar.raw(&index, sizeof index);
      ar.raw(&travelling, sizeof travelling);
      ar& element.section_contributions;
      pup::process(ar, object);
      *places_.find(index) = {nullptr, moving_to, element.moves};
      leave(element);
    }
    return state;
  }

  void destroy(Element& element) override {
    const I index = object_of(element)->index();
    const int home = home_of(index);
    if (home != this_pe()) send_location(home, number(), as_bytes(index), -1, 0);
    places_.erase(index);
    leave(element);
  }

  bool position(const Element& element, std::array<float, 3>& at) const override {
    const T& object = *object_of(element);
    if constexpr (requires { at = object.position(); }) {
      at = object.position();
      return true;
    } else if constexpr (requires { I::dimensions; }) {
      at = {};
      for (int i = 0; i < I::dimensions && i < 3; ++i)
        at[static_cast<std::size_t>(i)] = static_cast<float>(object.index()[i]);
      return true;
    } else {
      return false;
    }
  }

  bool divisible() const override {
    if constexpr (movable && requires(T & t) {
                    std::unique_ptr<T>(t.split(0.5));
                    t.merge(std::move(t));
                  })
      return bound.empty() && !leader;
    else
      return false;
  }
  std::vector<std::byte> part_index(const Element& element, std::uint32_t number) const override {
    I index{};
    if constexpr (requires { index = object_of(element)->part_index(number); })
      index = object_of(element)->part_index(number);
    else if constexpr (requires { I::dimensions; })
      index[0] = -1 - static_cast<int>(number);
    else
      fail(name() + " is divisible, so it needs a part_index(): its index type is the program's");
    const Bytes bytes = as_bytes(index);
    return {bytes.begin(), bytes.end()};
  }
  Element* split(Element& element, double fraction, Bytes packed_index) override {
    if constexpr (requires(T & t) { std::unique_ptr<T>(t.split(fraction)); }) {
      const I index = from_bytes(packed_index);
      if (const Place* const place = places_.find(index); place && place->element)
        fail(name_of(element) + "::part_index() gives " + text_of(index) +
             ", an element that exists already");
      birth = {this, &index};
      std::unique_ptr<T> object = object_of(element)->split(fraction);
      birth = {};
      if (!object) return nullptr;
      Element& part = Access::element(*object.release());
      unfinished -= part.unfinished;
      Travelling(element).give(part);
      unfinished += part.unfinished;
      part.moves = 0;
      if (part.at_sync) ++at_sync;
      settle(index, part);
      return &part;
    }
    return nullptr;
  }
  void merge(Element& element, Element& part) override {
    if constexpr (requires(T & t) { t.merge(std::move(t)); }) {
      object_of(element)->merge(std::move(*object_of(part)));
      destroy(part);
    }
  }
  void parts_changed(Element& element) override {
    if constexpr (requires(T & t) { t.parts_changed(); }) {
      const Running before = std::exchange(running, {&element, nullptr});
      object_of(element)->parts_changed();
      running = before;
    }
  }

  void resume(Element& element) override {
    element.at_sync = false;
    if constexpr (requires { &T::resume_from_sync; }) {
      auto* const call = Entry<&T::resume_from_sync>::make();
      call->to = &element;
      enqueue(*call);
    }
  }

  void bury(Element& element) override { delete object_of(element); }

  std::size_t waiting() const override { return waiting_.size(); }
  void describe_waiting(std::vector<std::string>& lines) const override {
    for (const auto& [index, call] : waiting_)
      lines.push_back("a call of " + std::string(call.entry->name) + " waits for " + name() + text_of(index) +
                      ", which does not exist");
  }

 private:
  /// What moves with an element besides its index and the user's members.
  struct Travelling {
    std::uint32_t moves = 0, sync_points = 0, broadcasts = 0, contributions = 0;
    std::uint32_t at_sync = 0, pinned = 0, unfinished = 0;
    Travelling() = default;
    explicit Travelling(const Element& e)
        : moves(e.moves),
          sync_points(e.sync_points),
          broadcasts(e.broadcasts),
          contributions(e.contributions),
          at_sync(e.at_sync),
          pinned(e.pinned),
          unfinished(e.unfinished) {}
    void give(Element& e) const {
      e.moves = moves;
      e.sync_points = sync_points;
      e.broadcasts = broadcasts;
      e.contributions = contributions;
      e.at_sync = at_sync != 0;
      e.pinned = pinned != 0;
      e.unfinished = unfinished != 0;
    }
  };
  struct Waiting {
    int origin;
    const EntryInfo* entry;
    std::vector<std::byte> arguments;
  };
  struct Hash {
    std::size_t operator()(const I& index) const { return hash_of(index); }
  };

  static Bytes as_bytes(const I& index) { return {reinterpret_cast<const std::byte*>(&index), sizeof index}; }
  static I from_bytes(Bytes bytes) {
    I index;
    memcpy(&index, bytes.data(), sizeof index);
    return index;
  }
  static T* object_of(const Element& element) { return static_cast<T*>(element.object); }

  bool outside(const I& index) const {
    if constexpr (requires { I::dimensions; })
      return shape_.dense && !inside(index, shape_.bounds);
    else
      return false;
  }

  void settle(const I& index, Element& element) {
    places_.insert(index) = {&element, this_pe(), element.moves};
    enlist(element);
    release_waiting(index);
  }

  void leave(Element& element) {
    delist(element);
    if (element.at_sync) --at_sync;
    if (element.unfinished) --unfinished;
    element.gone = true;
    if (element.queued == 0) bury(element);
  }

  void route(int origin, const EntryInfo& entry, const I& index, Bytes arguments) {
    Place* const place = places_.find(index);
    if (place && place->element) {
      Message* const call = entry.unpack(arguments);
      call->to = place->element;
      enqueue(*call);
      return;
    }
    if (!place && outside(index) && !divided)
      fail("a call of " + std::string(entry.name) + " to " + name() + text_of(index) +
           ", which is outside the array: its bounds are " + text_of(shape_.bounds));
    const int home = home_of(index);
    const int pe = place && place->pe != this_pe() ? place->pe : home;
    if (pe == this_pe()) {
      waiting_.emplace(index, Waiting{origin, &entry, {arguments.begin(), arguments.end()}});
      return;
    }
    if (place && origin != this_pe())
      send_location(origin, number(), as_bytes(index), place->pe, place->moves);
    send_call(pe, number(), entry, origin, as_bytes(index), arguments);
  }

  void release_waiting(const I& index) {
    if (waiting_.empty()) return;
    std::vector<Waiting> calls;
    const auto [first, last] = waiting_.equal_range(index);
    for (auto at = first; at != last; ++at) calls.push_back(std::move(at->second));
    waiting_.erase(first, last);
    for (const Waiting& call : calls) route(call.origin, *call.entry, index, call.arguments);
  }

  Shape shape_;
  std::function<Element&(const I& index)> construct_bound_;
  IndexTable<I> places_;
  std::unordered_multimap<I, Waiting, Hash> waiting_;  // calls to elements that do not exist (yet)
};

}  // namespace skein::chare
