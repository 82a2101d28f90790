// SPDX-License-Identifier: Apache-2.0
// Checks inside entry methods. A failed one ends the job; passed() says that the program came to its end.
#pragma once

#include <cstdio>
#include <skein/skein.hpp>
#include <sstream>
#include <stdexcept>
#include <string>

namespace native_test {

template <class A, class B>
void expect_equal(const A& found, const B& expected, const char* what, int line) {
  if (found == expected) return;
  std::ostringstream text;
  text << "line " << line << ": " << what << " is " << found << " instead of " << expected;
  throw std::runtime_error(text.str());
}

inline void passed() {
  printf("passed\n");
  fflush(stdout);
}

}  // namespace native_test

#define EXPECT_EQUAL(found, expected) native_test::expect_equal((found), (expected), #found, __LINE__)
#define EXPECT(condition) native_test::expect_equal(static_cast<bool>(condition), true, #condition, __LINE__)
