// SPDX-License-Identifier: Apache-2.0
// A native program: run() starts the PEs and ends when nothing is left to do.
#pragma once

#include <functional>

#include "skein/chare/array_making.hpp"

namespace skein {

namespace chare {

void at_quiescence(const Destination& destination);
const std::vector<std::string>& program_arguments();
void end_job(int status);

/// Constructed before main() in each program that calls exit() without a status.
struct NormalEnd {
  NormalEnd();
};
template <class>
inline const NormalEnd normal_end;

}  // namespace chare

/// The array that another array is to be bound to.
template <class L>
struct BoundTo {
  Array<L> array;
};
template <class L>
BoundTo<L> bound_to(const Array<L>& array) {
  return {array};
}

/// Ends the job, on all PEs, with this exit status of run(), and returns. Waiting calls are dropped. Callable
/// from the function given to run(), entry methods, constructors and functions of callbacks.
inline void exit(int status) { chare::end_job(status); }
/// Ends the job with status 0, as the intended end of the program. In a program that contains this call, a
/// job that comes to rest without it has an element that waits for a call that never comes: it ends as a job
/// that makes no progress, with status 1.
template <class Program = void>
void exit() {
  static_cast<void>(&chare::normal_end<Program>);
  chare::end_job(0);
}

/// The job. The function given to run() gets it; entry methods, constructors and functions of callbacks may
/// make one, `skein::Job()`, as arrays can be created anywhere. Names of arrays can be used at once; calls
/// that arrive at a PE before it knows the array wait there. Elements have passed as many sync points as the
/// element that creates their array. No function here gives up the PE.
class Job {
 public:
  int pes() const { return pe_count(); }
  /// Returns the words of the command line after the program's name, without those for the runtime
  /// (--skein.*).
  const std::vector<std::string>& arguments() const { return chare::program_arguments(); }

  /// Creates a dense array: one element for each index from zero up to the bounds, constructed with the
  /// arguments.
  template <class T, class... A>
  Array<T> array(const typename T::IndexType& bounds, A&&... arguments) {
    return chare::make_array<chare::ArrayKind::dense, T, BlockMap>(bounds, std::forward<A>(arguments)...);
  }
  /// Creates an array bound to another: `job.array<Forces>(bound_to(cells), ...)`. Elements with one index
  /// stay on one PE: they are placed, moved and balanced as one object, so `cells[index()].local()` is never
  /// null in entry methods of Forces, nor that of Forces in entry methods of cells once they have been told
  /// of it. In about_to_move() and just_moved() it may be. Elements are created, with these arguments, by
  /// insertions into the other array, and end with its elements.
  template <class T, class L, class... A>
  Array<T> array(const BoundTo<L>& leader, A&&... arguments) {
    return chare::make_bound_array<T>(leader.array, std::forward<A>(arguments)...);
  }
  /// Creates a dense array placed by a map: an object without members, like RoundRobinMap{}, whose `int
  /// operator()(const Index& index, const Index& bounds, int pes) const` gives the PE of an index.
  template <class T, class Map, class... A>
  Array<T> array_placed(Map, const typename T::IndexType& bounds, A&&... arguments) {
    using I = typename T::IndexType;
    static_assert(std::is_empty_v<Map>, "a map is called on every PE: it has no members");
    static_assert(std::is_invocable_r_v<int, Map, const I&, const I&, int>,
                  "a map gives the PE for an index, the array's bounds and the number of PEs");
    return chare::make_array<chare::ArrayKind::dense, T, Map>(bounds, std::forward<A>(arguments)...);
  }
  /// Creates an array without elements and bounds; elements are inserted: array[index].insert(arguments...).
  template <class T>
  Array<T> sparse_array() {
    return chare::make_array<chare::ArrayKind::sparse, T, HashMap>({});
  }
  /// Creates a sparse array placed by a map: an object without members whose `int operator()(const Index&
  /// index, int pes) const` gives the PE of an index. An element is inserted there unless insert_on() names
  /// another PE, and all PEs ask that PE for it.
  template <class T, class Map>
  Array<T> sparse_array_placed(Map) {
    static_assert(std::is_empty_v<Map>, "a map is called on every PE: it has no members");
    static_assert(std::is_invocable_r_v<int, Map, const typename T::IndexType&, int>,
                  "the map of a sparse array gives the PE for an index and the number of PEs");
    return chare::make_array<chare::ArrayKind::sparse, T, chare::WithoutBounds<Map>>({});
  }
  /// Creates one element on each PE, which stays there: the element with index p is on PE p.
  template <class T, class... A>
  Array<T> group(A&&... arguments) {
    static_assert(std::is_same_v<typename T::IndexType, Index1>,
                  "a group's elements have an Index1: their PE");
    return chare::make_array<chare::ArrayKind::group, T, BlockMap>(Index1(pe_count()),
                                                                   std::forward<A>(arguments)...);
  }

  /// Creates one element on each node, which stays on the node's first PE: the element with index n is on
  /// node n. Elements on other PEs of the node reach it by ordinary calls.
  template <class T, class... A>
  Array<T> node_group(A&&... arguments) {
    static_assert(std::is_same_v<typename T::IndexType, Index1>,
                  "a node group's elements have an Index1: their node");
    return chare::make_array<chare::ArrayKind::group, T, NodeMap>(Index1(node_count()),
                                                                  std::forward<A>(arguments)...);
  }

  /// Calls back once when no entry method runs or waits and no message is under way.
  void at_quiescence(const Callback<void>& callback) { chare::at_quiescence(callback.destination()); }
};

/// Starts the PE, runs `begin` on PE 0, and runs the job until nothing is left to do on all PEs. Call it from
/// main() on every process and return its result: 0, or the status of exit(). It reads the options of `skein
/// run` from argv, written --skein.lb=refine and so on; Job::arguments() are the other words. A job that
/// fails ends in here.
int run(int argc, char** argv, const std::function<void(Job&)>& begin);

}  // namespace skein
