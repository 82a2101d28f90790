// SPDX-License-Identifier: Apache-2.0
// Checks inside entry methods. A failed one ends the job; passed() says that the program came to its end.
#pragma once

#include <cstdio>
#include <skein/skein.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace native_test {

template <class A, class B>
void expect_equal(const A& found, const B& expected, const char* what, int line) {
  if (found == expected) return;
  std::ostringstream text;
  text << "line " << line << ": " << what << " is " << found << " instead of " << expected;
  throw std::runtime_error(text.str());
}

/// Whether LB steps must move elements (--moved), may move them (--may-move), or must not.
enum class Moves { none, some, any };
inline Moves moves_wanted(int argc, char** argv) {
  Moves wanted = Moves::none;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--moved") wanted = Moves::some;
    if (std::string_view(argv[i]) == "--may-move") wanted = Moves::any;
  }
  return wanted;
}
inline void expect_moves(int moves, Moves wanted, int line) {
  if (wanted == Moves::any) return;
  expect_equal(moves > 0, wanted == Moves::some && skein::pe_count() > 1, "that elements moved", line);
}

inline void passed() {
  printf("passed\n");
  fflush(stdout);
}

}  // namespace native_test

#define EXPECT_EQUAL(found, expected) native_test::expect_equal((found), (expected), #found, __LINE__)
#define EXPECT_MOVES(moves, wanted) native_test::expect_moves((moves), (wanted), __LINE__)
#define EXPECT(condition) native_test::expect_equal(static_cast<bool>(condition), true, #condition, __LINE__)
