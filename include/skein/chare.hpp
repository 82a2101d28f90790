// SPDX-License-Identifier: Apache-2.0
// The base of the user's classes.
#pragma once

#include "skein/all.hpp"
#include "skein/ask.hpp"
#include "skein/barrier.hpp"
#include "skein/chare/near_misses.hpp"
#include "skein/reduction.hpp"
#include "skein/sync.hpp"
#include "skein/when.hpp"

namespace skein {

/// The base of the user's classes of elements: `struct Cell : skein::Chare<Cell, skein::Index3> {...};`
///
/// Without an index the chare belongs to no array: `struct Solver : skein::Chare<Solver>`; see create.hpp.
///
/// Entry methods are the public member functions; any object may call any of them. One runs at a time on a
/// PE. An element with serialize() and a default constructor can move between PEs while none of its methods
/// runs.
/// Optional members:
///     void resume_from_sync();   continues after at_sync()
///     void about_to_move();      called before it is packed, and
///     void just_moved();         called after it was unpacked: for data that does not travel
///     double load() const;       its load for strategies: finite and not negative; default: the measured
///                                seconds
///     std::array<float, 3> position() const;   for strategies that use positions; default: the index
///     int lb_level() const;      for by_level=1: its level, of those that run one after another; negative:
///                                none
///     static constexpr bool moves_anytime = true;   moves between any two methods: skein/start_lb.hpp
/// Strategies that split objects can divide an element at an LB step if it also has split() and merge():
///     std::unique_ptr<T> split(double fraction);   moves that fraction of the work to a new element and
///                                                  returns it; or null, to keep all
///     void merge(T&& part);                        takes a part back: both are small, and on one PE
///     I part_index(std::uint32_t n) const;         optional: index of the array's n-th part; default:
///                                                  {-1 - n, 0, ...}
///     void parts_changed();                        optional: called when parts() has changed
/// These members are called on the PE of the element while all elements that synchronize are at their sync
/// points. A new element continues with resume_from_sync(), like the element that it was split from. Parts
/// may destroy() themselves; parts() shows this from the next LB step on.
///
/// The element's own entry methods and constructor may call all functions here.
template <class T, index_type I = Single>
class Chare {
 public:
  using IndexType = I;

  const I& index() const { return index_; }
  /// Returns the array that the element belongs to.
  Array<T> array() const { return Array<T>(element_.array->number()); }
  ElementRef<T> self() const { return array()[index_]; }

  /// Contributes to the array's next reduction: every element must, with the same reducer, type and callback.
  /// Several reductions may be under way at once.
  template <class V, class R, class Result>
  void contribute(V value, const R& reducer, const Callback<Result>& callback) {
    check_has_array();
    auto lifted = chare::lifted(reducer, std::move(value));
    static_assert(std::is_same_v<decltype(lifted), Result> || std::is_void_v<Result>,
                  "the callback does not take what the reduction gives: the types must be the same");
    const Callback<decltype(lifted)>& to = callback;
    chare::contribute(element_, std::move(lifted), reducer, to.destination());
  }
  /// Contributes to a barrier: the callback is called when all elements have contributed.
  void contribute(const Callback<void>& callback) {
    check_has_array();
    chare::contribute(element_, callback.destination());
  }

  /// Waits until all elements of the array wait here. For flows, and for threads by wait_for(). Counts as a
  /// reduction.
  [[nodiscard]] chare::Barrier barrier() {
    check_has_array();
    return chare::Barrier();
  }

  /// Awaits a call of a method of this class: see when() in skein/when.hpp.
  template <auto method>
  [[nodiscard]] auto when() {
    chare::check_when_of<method, T>();
    return skein::when<method>();
  }
  template <auto method>
  [[nodiscard]] auto when(std::size_t calls) {
    chare::check_when_of<method, T>();
    return skein::when<method>(calls);
  }
  /// Contributes to a reduction over a section that has this element as a member: every member must.
  template <class V, class R, class Result>
  void contribute(const Section<T>& section, V value, const R& reducer, const Callback<Result>& callback) {
    auto lifted = chare::lifted(reducer, std::move(value));
    static_assert(std::is_same_v<decltype(lifted), Result>,
                  "the callback does not take what the reduction gives: the types must be the same");
    chare::contribute(section.name(), element_, std::move(lifted), reducer, callback.destination());
  }
  void contribute(const Section<T>& section, const Callback<void>& callback) {
    chare::contribute(section.name(), element_, chare::NoValue{}, chare::IgnoreValues{},
                      callback.destination());
  }

  /// Enters a sync point: the element waits, and still gets messages, until all elements of the arrays that
  /// synchronize have entered it; they may then be moved, and resume_from_sync() is called. Where the period
  /// says that this sync point is no LB step, resume_from_sync() is called without waiting.
  void at_sync() {
    static_assert(chare::check_sync_point<T>());
    static_assert(
        chare::resumes<T>,
        "a class that calls at_sync() goes on in a public void resume_from_sync(), which this one lacks; "
        "at_sync<&C::method>(arguments...) goes on in another method");
    chare::at_sync(element_);
  }
  /// Enters a sync point after which `method` is called with these arguments in place of resume_from_sync().
  template <auto method, class... A>
  void at_sync(A&&... arguments) {
    chare::at_sync<method, T>(element_, std::forward<A>(arguments)...);
  }
  /// Enters a sync point from a flow: `co_await sync<&Cell::run>(a, b)` ends the flow, with the flows that it
  /// is nested in, and calls run(a, b) after the sync point. It does so whether the element moved or not:
  /// data that must outlast the sync point is a member or an argument. Other flows of the element keep it on
  /// its PE.
  template <auto method, class... A>
  [[nodiscard]] auto sync(A&&... arguments) {
    return chare::sync<method, T>(std::forward<A>(arguments)...);
  }

  /// Moves to that PE when the running entry method has returned, and no flow or thread of the element is
  /// left. Calls that were passed on four times, because the element had always left, run before it moves
  /// again.
  void migrate_to(int pe) {
    if (pe < 0 || pe >= pe_count())
      chare::fail("migrate_to(" + std::to_string(pe) + "): there are " + std::to_string(pe_count()) + " PEs");
    if (const char* const because = chare::obstacle_to_moves(*element_.array))
      chare::fail(std::string("migrate_to(): the element cannot move: ") + because);
    element_.wanted_pe = pe;
    chare::note_wish(element_);
  }
  /// Excludes the element from moves by LB steps, or includes it again.
  void pin(bool pinned = true) { element_.pinned = pinned; }
  /// States that the element has something left to do until it calls finished(): a job that comes to rest
  /// before then ends as one that makes no progress, and names the element. Without this call a finished job
  /// looks like one whose elements all wait for calls that nobody makes.
  void unfinished() { set_unfinished(true); }
  void finished() { set_unfinished(false); }
  /// Ends the element when the running entry method and its threads have returned. Its flows end where they
  /// wait.
  void destroy() {
    if (element_.array->leader)
      chare::fail("destroy(): the elements of " + element_.array->name() + " end with those of " +
                  element_.array->leader->name() + ", which they are bound to");
    element_.ends = true;
    chare::note_wish(element_);
  }

  /// Returns this element and those that it was divided into, or the parts that it is one of, wherever they
  /// are, as of the last LB step.
  std::vector<Part<I>> parts() const { return array().parts(index_); }

 protected:
  Chare() : index_(*static_cast<const I*>(chare::birth.index)) {
    element_.array = chare::birth.array;
    element_.insertion = chare::birth.number;
  }
  ~Chare() = default;
  Chare(const Chare&) = delete;
  Chare& operator=(const Chare&) = delete;

 private:
  friend struct chare::Access;
  static void check_has_array() {
    static_assert(!std::is_same_v<I, Single>,
                  "a chare of no array has no reductions and barriers over its class: add to an element of a "
                  "group, array or to who made it");
  }
  void set_unfinished(bool now) {
    if (element_.unfinished == now) return;
    element_.unfinished = now;
    element_.array->unfinished += now ? std::size_t{1} : ~std::size_t{0};
  }
  /// The first member, for Access; a small index fits into the padding of its last word.
  [[no_unique_address]] chare::Element element_;
  I index_;
};

}  // namespace skein
