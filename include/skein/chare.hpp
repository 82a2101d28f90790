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

/// `struct Cell : skein::Chare<Cell, skein::Index3> {...};`
///
/// Without an index it belongs to no array: `struct Solver : skein::Chare<Solver>`; see create.hpp.
///
/// Entry methods are the public member functions; any may be called by anybody. One runs at a time on a PE.
/// An element with serialize() and a default constructor can move between PEs, when none of its methods runs.
/// Optional members:
///     void resume_from_sync();   goes on after at_sync()
///     void about_to_move();      before it is packed, and
///     void just_moved();         after it was unpacked: for what does not travel
///     double load() const;       what it costs, for strategies: finite and not negative; else the seconds
///                                that were measured
///     std::array<float, 3> position() const;   for strategies that look at it; else it is the index
///     int lb_level() const;      for by_level=1: which of the levels it is of that run one after another;
///                                negative: of none
///     static constexpr bool moves_anytime = true;   it moves between any two methods: skein/start_lb.hpp
/// An element with these two as well can be divided, by strategies that split objects, at an LB step:
///     std::unique_ptr<T> split(double fraction);   a new element with that part of the work, which leaves
///                                                  this one; or null, to keep all
///     void merge(T&& part);                        takes it back: both are small, and on one PE
///     I part_index(std::uint32_t n) const;         optional: that of the array's n-th part; else
///                                                  {-1 - n, 0, ...}
///     void parts_changed();                        optional: parts() is another than before
/// They are called on the PE of the element while all elements that synchronize are at their sync points. A
/// new element goes on where the one it was split off was: by resume_from_sync(). Parts may destroy()
/// themselves; parts() tells so from the next LB step on.
///
/// All functions here are for the element's own entry methods and constructor.
template <class T, index_type I = Single>
class Chare {
 public:
  using IndexType = I;

  const I& index() const { return index_; }
  /// The array that the element belongs to.
  Array<T> array() const { return Array<T>(element_.array->number()); }
  ElementRef<T> self() const { return array()[index_]; }

  /// Contributes to the array's next reduction: every element must, with the same reducer, type and callback.
  /// Several may be under way at once.
  template <class V, class R, class Result>
  void contribute(V value, const R& reducer, const Callback<Result>& callback) {
    check_has_array();
    auto lifted = chare::lifted(reducer, std::move(value));
    static_assert(std::is_same_v<decltype(lifted), Result> || std::is_void_v<Result>,
                  "the callback does not take what the reduction gives: the types must be the same");
    const Callback<decltype(lifted)>& to = callback;
    chare::contribute(element_, std::move(lifted), reducer, to.destination());
  }
  /// A barrier: the callback is called when all elements have contributed.
  void contribute(const Callback<void>& callback) {
    check_has_array();
    chare::contribute(element_, callback.destination());
  }

  /// For flows, and for threads by wait_for(): waits until all elements of the array do. Counts as a
  /// reduction.
  [[nodiscard]] chare::Barrier barrier() {
    check_has_array();
    return chare::Barrier();
  }

  /// when() of skein/when.hpp, for methods of this class.
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
  /// Contributes to a reduction over a section that this element is a member of: every member must.
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

  /// A sync point: the element waits, getting messages as ever, until all elements of the arrays that
  /// synchronize are here; they may then be moved, and resume_from_sync() is called. Where the period says
  /// that this is no LB step, resume_from_sync() is called without waiting.
  void at_sync() {
    static_assert(chare::check_sync_point<T>());
    static_assert(
        chare::resumes<T>,
        "a class that calls at_sync() goes on in a public void resume_from_sync(), which this one lacks; "
        "at_sync<&C::method>(arguments...) goes on in another method");
    chare::at_sync(element_);
  }
  /// A sync point after which `method` is called with these arguments in place of resume_from_sync().
  template <auto method, class... A>
  void at_sync(A&&... arguments) {
    chare::at_sync<method, T>(element_, std::forward<A>(arguments)...);
  }
  /// A sync point of a flow: `co_await sync<&Cell::run>(a, b)` ends the flow, with those that it is nested
  /// in, and calls run(a, b) after the sync point. So it is the same whether the element moved, and what must
  /// outlast the sync point is a member or an argument. Other flows of the element keep it where it is.
  template <auto method, class... A>
  [[nodiscard]] auto sync(A&&... arguments) {
    return chare::sync<method, T>(std::forward<A>(arguments)...);
  }

  /// Moves to that PE when the entry method that runs has returned, and no flow or thread of the element is
  /// left. Calls that were sent on four times, for the element had left wherever they came, run before it
  /// moves again.
  void migrate_to(int pe) {
    if (pe < 0 || pe >= pe_count())
      chare::fail("migrate_to(" + std::to_string(pe) + "): there are " + std::to_string(pe_count()) + " PEs");
    if (const char* const because = chare::obstacle_to_moves(*element_.array))
      chare::fail(std::string("migrate_to(): the element cannot move: ") + because);
    element_.wanted_pe = pe;
    chare::note_wish(element_);
  }
  /// LB steps leave it where it is.
  void pin(bool pinned = true) { element_.pinned = pinned; }
  /// Says that the element has something left to do until it calls finished(): a job that comes to rest
  /// before then ends as one that makes no progress, and names the element. Without it nothing tells a job
  /// that is done from one whose elements all wait for calls that nobody makes.
  void unfinished() { set_unfinished(true); }
  void finished() { set_unfinished(false); }
  /// Ends the element when the entry method that runs has returned, and its threads have. Its flows end where
  /// they wait.
  void destroy() {
    if (element_.array->leader)
      chare::fail("destroy(): the elements of " + element_.array->name() + " end with those of " +
                  element_.array->leader->name() + ", which they are bound to");
    element_.ends = true;
    chare::note_wish(element_);
  }

  /// This element and those that it was divided into, or those that it is one of, wherever they are, as of
  /// the last LB step.
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
  /// First, for Access; an index that fits lies in what of its last word it leaves.
  [[no_unique_address]] chare::Element element_;
  I index_;
};

}  // namespace skein
