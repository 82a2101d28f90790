// SPDX-License-Identifier: Apache-2.0
// For must_fail.sh: calls that the compiler must refuse, saying why.
#include <skein/skein.hpp>
#include <string>

struct Cell : skein::Chare<Cell, skein::Index3> {
  void positions(int from, std::vector<double> xyz);
  void change(int& number);
  void lock(void* where);
  static void global(int);
};
struct Other : skein::Chare<Other, skein::Index3> {
  void positions(int from, std::vector<double> xyz);
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
void calls(skein::Array<Cell> cells, skein::Job& job, Cell& cell) {
  const std::vector<double> xyz;
  cells[{1, 2, 3}].send<&Cell::positions>(1, xyz);
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
#endif
}
