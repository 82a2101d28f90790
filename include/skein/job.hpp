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

/// One is constructed before main() in each program in which exit() without a status occurs.
struct NormalEnd {
  NormalEnd();
};
template <class>
inline const NormalEnd normal_end;

}  // namespace chare

/// The array that another is to be bound to.
template <class L>
struct BoundTo {
  Array<L> array;
};
template <class L>
BoundTo<L> bound_to(const Array<L>& array) {
  return {array};
}

/// Ends the job, on all PEs, with this exit status of run(). Calls that wait are dropped. In the function
/// given to run(), entry methods, constructors and functions of callbacks. Returns to who calls it.
inline void exit(int status) { chare::end_job(status); }
/// Ends the job with status 0, as the end that the program is meant to come to. In a program that calls it
/// anywhere, a job that comes to rest without this call has an element that waits for a call that never
/// comes: it ends as a job that makes no progress, with status 1.
template <class Program = void>
void exit() {
  static_cast<void>(&chare::normal_end<Program>);
  chare::end_job(0);
}

/// The job. The function given to run() gets it, and entry methods, constructors and functions of callbacks
/// may make one, `skein::Job()`: arrays are created anywhere. Their names can be used at once; calls that
/// come to a PE before it has heard of the array wait there. Elements have passed as many sync points as the
/// one that creates their array. No function here gives up the PE.
class Job {
 public:
  int pes() const { return pe_count(); }
  /// The words of the command line behind the program's name, without those for the runtime (--skein.*).
  const std::vector<std::string>& arguments() const { return chare::program_arguments(); }

  /// A dense array: one element for each index from zero up to the bounds, constructed with the arguments.
  template <class T, class... A>
  Array<T> array(const typename T::IndexType& bounds, A&&... arguments) {
    return chare::make_array<chare::ArrayKind::dense, T, BlockMap>(bounds, std::forward<A>(arguments)...);
  }
  /// An array with the elements of another, for whose elements those with the same index stay where they go:
  /// `job.array<Forces>(bound_to(cells), ...)`. They are placed, moved and balanced as one, so
  /// `cells[index()].local()` is never null in entry methods of Forces, nor that of Forces in entry methods
  /// of cells once they have been told of it. In about_to_move() and just_moved() it may be. Elements come
  /// with insertions into the other array, constructed with these arguments, and end with its elements.
  template <class T, class L, class... A>
  Array<T> array(const BoundTo<L>& leader, A&&... arguments) {
    return chare::make_bound_array<T>(leader.array, std::forward<A>(arguments)...);
  }
  /// A dense array placed by a map: an object without members, like RoundRobinMap{}, whose
  /// `int operator()(const Index& index, const Index& bounds, int pes) const` gives the PE of an index.
  template <class T, class Map, class... A>
  Array<T> array_placed(Map, const typename T::IndexType& bounds, A&&... arguments) {
    using I = typename T::IndexType;
    static_assert(std::is_empty_v<Map>, "a map is called on every PE: it has no members");
    static_assert(std::is_invocable_r_v<int, Map, const I&, const I&, int>,
                  "a map gives the PE for an index, the array's bounds and the number of PEs");
    return chare::make_array<chare::ArrayKind::dense, T, Map>(bounds, std::forward<A>(arguments)...);
  }
  /// An array without elements and without bounds; they are inserted: array[index].insert(arguments...).
  template <class T>
  Array<T> sparse_array() {
    return chare::make_array<chare::ArrayKind::sparse, T, HashMap>({});
  }
  /// A sparse array placed by a map: an object without members whose `int operator()(const Index& index, int
  /// pes) const` gives the PE of an index, where it is inserted, unless insert_on() says otherwise, and where
  /// all ask for it.
  template <class T, class Map>
  Array<T> sparse_array_placed(Map) {
    static_assert(std::is_empty_v<Map>, "a map is called on every PE: it has no members");
    static_assert(std::is_invocable_r_v<int, Map, const typename T::IndexType&, int>,
                  "the map of a sparse array gives the PE for an index and the number of PEs");
    return chare::make_array<chare::ArrayKind::sparse, T, chare::WithoutBounds<Map>>({});
  }
  /// One element on each PE, which stays there: that with index p is on PE p.
  template <class T, class... A>
  Array<T> group(A&&... arguments) {
    static_assert(std::is_same_v<typename T::IndexType, Index1>,
                  "a group's elements have an Index1: their PE");
    return chare::make_array<chare::ArrayKind::group, T, BlockMap>(Index1(pe_count()),
                                                                   std::forward<A>(arguments)...);
  }

  /// One element on each node, which stays on the node's first PE: that with index n is on node n. Elements
  /// on other PEs of the node reach it by calls as any.
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

/// Starts the PE, runs `begin` on PE 0, and goes on until nothing is left to do, on all PEs. Call it from
/// main() on every process and return what it returns: 0, or the status of exit(). The options of `skein run`
/// are read from argv, written --skein.lb=refine and so on; Job::arguments() are the other words. A job that
/// fails ends in here.
int run(int argc, char** argv, const std::function<void(Job&)>& begin);

}  // namespace skein
