// SPDX-License-Identifier: Apache-2.0
// Conversions between multibyte and wide characters that are given no state for half a character: the C
// library has a state for each function, and here each rank has.
#include <uchar.h>
#include <wchar.h>

#include "runtime/libc/library_state.hpp"
#include "runtime/libc/overrides.hpp"

namespace skein::libc {
namespace {

/// Returns the state that the program gave, or the rank's of that number.
template <std::size_t number>
mbstate_t* state_or_own(mbstate_t* given) {
  return given ? given : &library_state("a conversion of characters").partial[number];
}

/// Makes an override of the C library's function, whose last argument is the state, after three or four
/// others.
template <auto Function, std::size_t number, class To, class From, class Count>
Override converting(const char* name, std::size_t (*)(To, From, Count, mbstate_t*)) {
  return {name, address_of(+[](To to, From from, Count count, mbstate_t* state) {
            return Function(to, from, count, state_or_own<number>(state));
          })};
}
template <auto Function, std::size_t number, class To, class From>
Override converting(const char* name, std::size_t (*)(To, From, mbstate_t*)) {
  return {name, address_of(+[](To to, From from, mbstate_t* state) {
            return Function(to, from, state_or_own<number>(state));
          })};
}
template <auto Function, std::size_t number, class To, class From>
Override converting(const char* name, std::size_t (*)(To, From, std::size_t, std::size_t, mbstate_t*)) {
  return {name, address_of(+[](To to, From from, std::size_t most, std::size_t room, mbstate_t* state) {
            return Function(to, from, most, room, state_or_own<number>(state));
          })};
}

}  // namespace

#define SKEIN_CONVERTING(number, function) converting<&::function, number>(#function, &::function)

const Overrides multibyte_overrides({
    SKEIN_CONVERTING(0, mbrlen),
    SKEIN_CONVERTING(1, mbrtowc),
    SKEIN_CONVERTING(2, wcrtomb),
    SKEIN_CONVERTING(3, mbsrtowcs),
    SKEIN_CONVERTING(4, mbsnrtowcs),
    SKEIN_CONVERTING(5, wcsrtombs),
    SKEIN_CONVERTING(6, wcsnrtombs),
    SKEIN_CONVERTING(7, mbrtoc16),
    SKEIN_CONVERTING(8, c16rtomb),
    SKEIN_CONVERTING(9, mbrtoc32),
    SKEIN_CONVERTING(10, c32rtomb),
});

}  // namespace skein::libc
