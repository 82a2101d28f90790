// SPDX-License-Identifier: Apache-2.0
// Random numbers of the C library, with a state for each rank: the sequences are the C library's own, because
// its reentrant functions produce them. As there, wrong arguments give an error return and errno.
#include <cerrno>
#include <cstdint>
#include <cstdlib>

#include "runtime/libc/library_state.hpp"
#include "runtime/libc/overrides.hpp"

namespace skein::libc {
namespace {

long next_random(const char* function) {
  std::int32_t result = 0;
  random_r(&library_state(function).random.data, &result);
  return result;
}

int rank_rand() { return static_cast<int>(next_random("rand")); }
long rank_random() { return next_random("random"); }
void rank_srandom(unsigned seed) { srandom_r(seed, &library_state("srandom").random.data); }

/// Returns the state array, which begins one word before the table that random_data points to.
char* array_in_use(const random_data& data) { return reinterpret_cast<char*>(data.state - 1); }

char* rank_initstate(unsigned seed, char* array, std::size_t bytes) {
  random_data& data = library_state("initstate").random.data;
  char* before = array_in_use(data);
  return initstate_r(seed, array, bytes, &data) == 0 ? before : nullptr;
}
char* rank_setstate(char* array) {
  random_data& data = library_state("setstate").random.data;
  char* before = array_in_use(data);
  return setstate_r(array, &data) == 0 ? before : nullptr;
}

drand48_data& drand48_state() { return library_state("drand48").drand48; }

/// Does drand48(), lrand48() and mrand48(), by the C library's reentrant function.
template <auto function, class Result>
Result next_number() {
  Result result;
  function(&drand48_state(), &result);
  return result;
}
/// Does erand48(), nrand48() and jrand48(), which have the state in `x`.
template <auto function, class Result>
Result next_number_of(unsigned short x[3]) {
  Result result;
  function(x, &drand48_state(), &result);
  return result;
}
void rank_srand48(long seed) { srand48_r(seed, &drand48_state()); }
unsigned short* rank_seed48(unsigned short seed[3]) {
  drand48_data& state = drand48_state();
  seed48_r(seed, &state);
  return state.__old_x;
}
void rank_lcong48(unsigned short parameters[7]) { lcong48_r(parameters, &drand48_state()); }

}  // namespace

const Overrides random_overrides({
    {"rand", address_of(rank_rand)},
    {"srand", address_of(rank_srandom)},
    {"random", address_of(rank_random)},
    {"srandom", address_of(rank_srandom)},
    {"initstate", address_of(rank_initstate)},
    {"setstate", address_of(rank_setstate)},
    {"drand48", address_of(next_number<drand48_r, double>)},
    {"erand48", address_of(next_number_of<erand48_r, double>)},
    {"lrand48", address_of(next_number<lrand48_r, long>)},
    {"nrand48", address_of(next_number_of<nrand48_r, long>)},
    {"mrand48", address_of(next_number<mrand48_r, long>)},
    {"jrand48", address_of(next_number_of<jrand48_r, long>)},
    {"srand48", address_of(rank_srand48)},
    {"seed48", address_of(rank_seed48)},
    {"lcong48", address_of(rank_lcong48)},
});

}  // namespace skein::libc
