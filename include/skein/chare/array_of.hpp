// SPDX-License-Identifier: Apache-2.0
// An array on one PE, with the types of its elements: makes elements, calls, packs and frees them.
#pragma once

#include "skein/chare/element_memory.hpp"
#include "skein/chare/entry.hpp"
#include "skein/chare/indexed_array.hpp"
#include "skein/chare/optional_members.hpp"
#include "skein/chare/repacking.hpp"
#include "skein/chare/travelling.hpp"

namespace skein::chare {

template <class T>
class ArrayOf final : public IndexedArray<typename T::IndexType> {
 public:
  using I = typename T::IndexType;
  using Base = IndexedArray<I>;

  ArrayOf(std::uint32_t number, std::string name, const Shape<I>& shape)
      : Base(number, std::move(name), shape) {
    static_assert(std::is_base_of_v<Chare<T, I>, T>,
                  "a class of elements derives from Chare of itself: struct C : skein::Chare<C, Index>");
    static_assert(check_optional_members<T>());
    static_assert(check_threaded<T>());
    static_assert(!declares_moves_anytime<T> || can_move<T>,
                  "an element with moves_anytime needs serialize() and a default constructor");
    ArrayBase::moves_anytime = declares_moves_anytime<T>;
  }
  ~ArrayOf() override {
    for (Element* const element : this->elements()) {
      if (!element) continue;
      end_control(*element);  // its flows may refer to it
      end_object(object_of(*element), this->block, [] { return std::string("an element, which has ended"); });
    }
  }

  /// Reserves memory for `elements_here` elements.
  void expect(std::size_t elements_here) {
    Base::expect(elements_here);
    this->block.reserve(elements_here, sizeof(T));
  }

  /// Returns the element, or null if it is not on this PE.
  [[gnu::always_inline]] T* find(const I& index) {
    Element* const element = this->element_here(index);
    return element ? object_of(*element) : nullptr;
  }

  /// Calls the method at once. A result comes as a std::optional, empty if the element is not here.
  template <auto method, class... A>
  auto call(const I& index, A&&... a) {
    using Result = InlineResult<method>;
    Element* const here = this->element_here(index);
    if (!here) this->send(index, *EntryOf<method, T>::make(std::forward<A>(a)...));
    if constexpr (std::is_void_v<Result>) {
      if (here) call_here<method>(*here, std::forward<A>(a)...);
    } else {
      return here ? std::optional<Result>(call_here<method>(*here, std::forward<A>(a)...))
                  : std::optional<Result>();
    }
  }

  /// Makes an element here, and tells its home, which may be another PE for inserted and bound elements.
  template <class... A>
  Element& construct(const I& index, A&&... a) {
    this->check_new(index);
    Element& element = construct_new(index, std::forward<A>(a)...);
    this->tell_home(index, element);
    return element;
  }
  /// Makes an element that is created with the array, at its home.
  template <class... A>
  void construct_at_home(const I& index, A&&... a) {
    this->check_new_at_home(index);
    construct_new(index, std::forward<A>(a)...);
  }

  Element& arrive(Bytes state, pup::Blocks& blocks, ArrayBase::Tell tell) override {
    if constexpr (can_move<T>) {
      I index;
      pup::Unpacker ar(state, blocks);
      ar.raw(&index, sizeof index);
      birth = {this, &index};
      T& object = naming(index, "its constructor", [&]() -> T& { return make_blank_object<T>(this->block); });
      birth = {};
      Element& element = Access::element(object);
      // First, before the trace needs the element's identity: its packed state may include calls to it.
      if (settings.tickets_kept) [[unlikely]]
        take_expected_record(element);
      if (element.unfinished) --this->unfinished;  // set by its default constructor
      naming(index, "serialize()", [&] { unpack_element(element, Passing::of(object), ar, state, blocks); });
      this->came(index, element, tell);
      naming(index, "just_moved()", [&] { call_just_moved(object); });
      return element;
    }
    this->fail_arrival();
  }

  Bytes index_of(const Element& element) const override {
    return Base::as_bytes(object_of(element)->index());
  }
  const char* cannot_move() const override {
    return can_move<T> ? nullptr : "its class has no serialize(), or no default constructor";
  }

  std::size_t packed_size(Element& element) override {
    if constexpr (can_move<T>) {
      T& object = *object_of(element);
      return sizeof(I) + naming(object.index(), "serialize()",
                                [&] { return packed_element_size(element, Passing::of(object)); });
    }
    return 0;
  }

  void depart(Element& element, int moving_to, std::vector<std::byte>& state, pup::Blocks& blocks) override {
    if constexpr (can_move<T>) {
      T& object = *object_of(element);
      const I index = object.index();
      const bool stays = moving_to == this_pe();
      naming(index, "about_to_move()", [&] { call_about_to_move(object); });
      if (!stays) ++element.moves;
      append(state, Base::as_bytes(index));
      const bool lends = naming(index, "serialize()", [&] {
        return pack_element(element, Passing::of(object), state, blocks, stays);
      });
      if (stays) return naming(index, "just_moved()", [&] { call_just_moved(object); });
      if (lends) blocks.keep(hold(element));
      this->goes(index, element, moving_to);
    }
  }

  std::optional<double> declared_load(const Element& element) const override {
    return declared_load_of(*object_of(element));
  }
  bool position(const Element& element, std::array<float, 3>& at) const override {
    return position_of(*object_of(element), at);
  }
  int level(const Element& element) const override { return level_of(*object_of(element)); }

  bool divisible() const override { return can_be_divided<T> && this->bound.empty() && !this->leader; }
  std::vector<std::byte> part_index(const Element& element, std::uint32_t number) const override {
    const I index = part_index_of(*object_of(element), number, this->name());
    const Bytes bytes = Base::as_bytes(index);
    return {bytes.begin(), bytes.end()};
  }
  Element* split(Element& element, double fraction, Bytes packed_index) override {
    const I index = Base::from_bytes(packed_index);
    if (this->element_here(index)) this->fail_part_exists(element, packed_index);
    birth = {this, &index};
    std::unique_ptr<T> object = split_off(*object_of(element), fraction);
    birth = {};
    if (!object) return nullptr;
    Element& part = Access::element(*object.release());
    this->unfinished -= part.unfinished;
    copy_state(element, part);
    this->unfinished += part.unfinished;
    part.moves = part.insertion = 0;
    part.busy_ticks = 0;
    if (part.at_sync) ++this->at_sync;
    this->settle(index, part);
    return &part;
  }
  void merge(Element& element, Element& part) override {
    if constexpr (can_be_divided<T>) {
      object_of(element)->merge(std::move(*object_of(part)));
      this->destroy(part);
    }
  }
  void parts_changed(Element& element) override {
    const Running before = std::exchange(calls_here.running, {&element, nullptr});
    call_parts_changed(*object_of(element));
    calls_here.running = before;
  }

  void resume(Element& element) override {
    element.at_sync = false;
    if (Message* const call = call_after_sync(element)) {
      call->to = &element;
      enqueue(*call);
      return;
    }
    if constexpr (resumes<T>) {
      auto* const call = EntryOf<&T::resume_from_sync, T>::make();
      call->to = &element;
      enqueue(*call);
    }
  }

  void bury(Element& element) override {
    T* const object = object_of(element);
    end_object(object, this->block, [&] { return this->fate_of(object->index()); });
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

 private:
  template <class... A>
  Element& construct_new(const I& index, A&&... a) {
    birth = {this, &index, birth.number};
    T& object = naming(index, "its constructor",
                       [&]() -> T& { return make_object<T>(this->block, std::forward<A>(a)...); });
    birth = {};
    Element& element = Access::element(object);
    this->begin(index, element);
    return element;
  }

  template <auto method, class... A>
  static InlineResult<method> call_here(Element& element, A&&... a) {
    const Running before = std::exchange(calls_here.running, {&element, &EntryOf<method, T>::info});
    const auto finish = [&] {
      calls_here.running = before;
      if (element.ends || element.wanted_pe >= 0) [[unlikely]]
        enqueue_wishes(element);
    };
    if constexpr (std::is_void_v<InlineResult<method>>) {
      EntryOf<method, T>::invoke_inline(element, *object_of(element), std::forward<A>(a)...);
      finish();
    } else {
      InlineResult<method> result =
          EntryOf<method, T>::invoke_inline(element, *object_of(element), std::forward<A>(a)...);
      finish();
      return result;
    }
  }
  static T* object_of(const Element& element) { return &Access::object<T>(element); }

  /// Calls a function of a user's class; an exception ends the job, naming the element and where it came
  /// from.
  template <class F>
  decltype(auto) naming(const I& index, const char* where, F f) const {
    try {
      return f();
    } catch (...) {
      this->fail_by_exception_in(Base::as_bytes(index), where);
    }
  }

  /// Keeps the element's memory after it has gone.
  static std::shared_ptr<Element> hold(Element& element) {
    ++element.queued;
    return {&element, [](Element* held) { taken_from_queue(*held); }};
  }
};

}  // namespace skein::chare
