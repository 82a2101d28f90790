// SPDX-License-Identifier: Apache-2.0
// For must_fail.sh: calls that the compiler must refuse, with the reason.
#include <skein/skein.hpp>
#include <string>

struct Cell : skein::Chare<Cell, skein::Index3> {
  void positions(int from, std::vector<double> xyz);
  void change(int& number);
  void lock(void* where);
  static void global(int);
  skein::Awaited<void(int step, double value)> ghost;
  skein::Awaited<void()> ready;
  skein::Flow by_reference(const std::vector<double>& xyz);
  skein::Flow waits();
#if !defined(MUST_FAIL)
  void work() { wait_for(ready_flow()); }
  skein::FlowOf<int> ready_flow() {
    (void)co_await when<&Cell::ghost>(2).matching(1);
    co_return 1;
  }
#endif
#if defined(CASE_NOT_AWAITED)
  skein::Flow wrong() { co_await when<&Cell::positions>(); }
#elif defined(CASE_MATCHING)
  skein::Flow wrong() { co_await when<&Cell::ready>().matching(1); }
#elif defined(CASE_MATCHING_PLACE)
  skein::Flow wrong() { (void)co_await when<&Cell::ghost>().matching<2>(1); }
#elif defined(CASE_MATCHING_TYPE)
  skein::Flow wrong() { (void)co_await when<&Cell::ghost>().matching("1"); }
#elif defined(CASE_AWAIT_VALUE)
  skein::Flow wrong() { co_await 5; }
#elif defined(CASE_NAMED)
  skein::Flow wrong() {
    auto wait = when<&Cell::ready>();
    co_await wait;
  }
#elif defined(CASE_THREAD_SYNC)
  void wrong() { wait_for(sync<&Cell::positions>(1, std::vector<double>())); }
#elif defined(CASE_SYNC_TYPE)
  skein::Flow wrong() { co_await sync<&Cell::positions>(1); }
#elif defined(CASE_SYNC_PART)
  skein::Flow wrong() { co_await all(when<&Cell::ready>(), sync<&Cell::waits>()); }
#elif defined(CASE_SIGNATURE)
  skein::Awaited<int> wrong;
#endif
};
struct Lone : skein::Chare<Lone> {
  void call(int);
#if defined(CASE_SINGLE_CONTRIBUTES)
  void wrong() { contribute(1, skein::sum, skein::Callback<int>()); }
#elif defined(CASE_SINGLE_BARRIER)
  skein::Flow wrong() { co_await barrier(); }
#endif
};
struct Other : skein::Chare<Other, skein::Index3> {
  void positions(int from, std::vector<double> xyz);
  void resume();
};

// FAILS CASE_TYPE: an argument does not convert to the type of the entry method's parameter
// FAILS CASE_TYPE: Cell::positions
// FAILS CASE_COUNT: another number of arguments
// FAILS CASE_CLASS: of another class than the array
// FAILS CASE_STATIC: not static
// FAILS CASE_REFERENCE: by value or by const reference
// FAILS CASE_UNSENDABLE: Skein cannot send or move this type
// FAILS CASE_REDUCTION: the types must be the same
// FAILS CASE_PRIORITY: an argument does not convert to the type of the entry method's parameter
// FAILS CASE_AGGREGATE: aggregated calls have arguments whose bytes can be sent
// FAILS CASE_CHANNEL: deleted
// FAILS CASE_CONSTRUCTOR: no constructor of the class takes these arguments
// FAILS CASE_MAP: a map gives the PE for an index
// FAILS CASE_SPARSE_MAP: the map of a sparse array gives the PE for an index and the number of PEs
// FAILS CASE_MAP_MEMBERS: a map is called on every PE: it has no members
// FAILS CASE_BOUND_CONSTRUCTOR: no constructor of the class takes these arguments
// FAILS CASE_SINGLE_CONTRIBUTES: a chare of no array has no reductions and barriers
// FAILS CASE_SINGLE_BARRIER: a chare of no array has no reductions and barriers
// FAILS CASE_SINGLE_BROADCAST: chares of no array get no broadcasts
// FAILS CASE_SINGLE_INSERTED: chares of no array are made by skein::create<T>
// FAILS CASE_SINGLE_IN_ARRAY: skein::create<C>() makes its
// FAILS CASE_SINGLE_IN_SPARSE: skein::create<C>() makes its
// FAILS CASE_CREATED_WITH_INDEX: skein::create() makes chares that belong to no array
// FAILS CASE_CREATED_WRONGLY: no constructor of the class takes these arguments
// FAILS CASE_CALLED_WRONGLY: an argument does not convert to the type of the entry method's parameter
// FAILS CASE_AWAITED_TYPE: an argument does not convert to the type of the entry method's parameter
// FAILS CASE_FLOW_REFERENCE: a flow takes its parameters by value
// FAILS CASE_NOT_AWAITED: only a method declared as skein::Awaited<void(...)> can be awaited
// FAILS CASE_MATCHING: compares with the first argument, and this method takes none
// FAILS CASE_MATCHING_PLACE: compares with argument n, counted from 0, and this method takes fewer
// FAILS CASE_MATCHING_TYPE: compares with a value that is none of the argument's type
// FAILS CASE_AWAIT_VALUE: a flow awaits when(), futures, all(), any(), barrier(), sync() and other flows
// FAILS CASE_NAMED: await it where it is made, or std::move() it
// FAILS CASE_THREAD_SYNC: a thread cannot be ended at a sync point
// FAILS CASE_SYNC_TYPE: another number of arguments
// FAILS CASE_SYNC_PART: sync() ends the flow: it cannot be a part of all() or any()
// FAILS CASE_SIGNATURE: write an awaited method as skein::Awaited<void(int, double)>
// FAILS CASE_ASK_AWAITED: an awaited method returns nothing to be asked for
// FAILS CASE_FUTURE_TYPE: no matching function
// FAILS CASE_CALLBACK: a callback calls a method with one parameter, the result, or with none
// FAILS CASE_CALLBACK_CLASS: a callback calls a method of the element's class
void calls(skein::Array<Cell> cells, skein::Job& job, Cell& cell) {
  const std::vector<double> xyz;
#if !defined(MUST_FAIL)
  cells[{1, 2, 3}].send<&Cell::positions>(1, xyz);
#endif
  (void)job, (void)cell;
#if defined(CASE_TYPE)
  cells[{1, 2, 3}].send<&Cell::positions>(1, std::string("xyz"));
#elif defined(CASE_COUNT)
  cells.broadcast<&Cell::positions>(1);
#elif defined(CASE_CLASS)
  cells[{1, 2, 3}].send<&Other::positions>(1, xyz);
#elif defined(CASE_STATIC)
  cells[{1, 2, 3}].send<&Cell::global>(1);
#elif defined(CASE_REFERENCE)
  cells[{1, 2, 3}].send<&Cell::change>(1);
#elif defined(CASE_UNSENDABLE)
  cells[{1, 2, 3}].send<&Cell::lock>(nullptr);
#elif defined(CASE_REDUCTION)
  cell.contribute(1, skein::sum, skein::to_function<double>([](double) {}));
#elif defined(CASE_PRIORITY)
  cells[{1, 2, 3}].prioritized(1).send<&Cell::positions>(1, std::string("xyz"));
#elif defined(CASE_AGGREGATE)
  skein::aggregate<&Cell::positions>(cells[{1, 2, 3}], 1, xyz);
#elif defined(CASE_CHANNEL)
  const skein::Ordered<Cell> channel(cells[{1, 2, 3}]);
  const auto copy = channel;
#elif defined(CASE_CONSTRUCTOR)
  job.array<Cell>({1, 2, 3}, 5);
#elif defined(CASE_SPARSE_MAP)
  job.sparse_array_placed<Cell>([](const skein::Index3&, const skein::Index3&, int) { return 0; });
#elif defined(CASE_MAP_MEMBERS)
  job.sparse_array_placed<Cell>([first = 1](const skein::Index3&, int) { return first; });
#elif defined(CASE_BOUND_CONSTRUCTOR)
  job.array<Cell>(skein::bound_to(cells), "text");
#elif defined(CASE_SINGLE_BROADCAST)
  skein::Array<Lone>().broadcast<&Lone::call>(1);
#elif defined(CASE_SINGLE_INSERTED)
  skein::ElementRef<Lone>().insert();
#elif defined(CASE_SINGLE_IN_ARRAY)
  job.array<Lone>({});
#elif defined(CASE_SINGLE_IN_SPARSE)
  job.sparse_array<Lone>();
#elif defined(CASE_CREATED_WITH_INDEX)
  skein::create<Cell>();
#elif defined(CASE_CREATED_WRONGLY)
  skein::create<Lone>("text");
#elif defined(CASE_CALLED_WRONGLY)
  skein::create<Lone>().send<&Lone::call>("text");
#elif defined(CASE_MAP)
  job.array_placed<Cell>([](const skein::Index3& index) { return index[0]; }, {1, 2, 3});
#elif defined(CASE_AWAITED_TYPE)
  cells[{1, 2, 3}].send<&Cell::ghost>(1, std::string("xyz"));
#elif defined(CASE_FLOW_REFERENCE)
  cells[{1, 2, 3}].send<&Cell::by_reference>(xyz);
#elif defined(CASE_ASK_AWAITED)
  cells[{1, 2, 3}].ask<&Cell::ghost>(1, 2.0);
#elif defined(CASE_FUTURE_TYPE)
  skein::Future<std::string>::make().set(xyz);
#elif defined(CASE_CALLBACK)
  cell.contribute(1, skein::sum, skein::to<&Cell::positions>(cells));
#elif defined(CASE_CALLBACK_CLASS)
  cell.contribute(skein::to<&Other::resume>(cells));
#endif
}
