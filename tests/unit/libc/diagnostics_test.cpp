// SPDX-License-Identifier: Apache-2.0
// The expected texts are what the C library's own functions print in a child.
#include <doctest/doctest.h>
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdlib.h>

#include <string>

#include "tests/unit/libc/ranks.hpp"

using namespace skein;
using namespace skein::test;

namespace {

/// Checks that the rank's function prints the same as the C library's, and ends the rank with the same
/// status.
template <class Natively, class InRank>
void check_same(Natively natively, InRank in_rank) {
  const ChildEnd expected = run_in_child([&] {
    natively();
    _exit(0);
  });
  const ChildEnd got = run_in_child([&] {
    Rank& rank = make_rank(1);
    run_program(rank, in_rank);
    _exit(rank.process->exit_status);
  });
  CHECK(!expected.errors.empty());
  CHECK(got.errors == expected.errors);
  CHECK(got.exit_status == expected.exit_status);
  CHECK(got.signal == 0);
}

}  // namespace

TEST_CASE("err, errx: print as the C library does and end the rank with the status") {
  check_same([] { errno = ENOENT, err(3, "file %d", 5); },
             [] { errno = ENOENT, RANK(err)(3, "file %d", 5); });
  check_same([] { errx(4, "%s", "bad input"); }, [] { RANK(errx)(4, "%s", "bad input"); });
}

TEST_CASE("error, error_at_line: end the rank only if the status is not zero") {
  check_same([] { error(5, EINVAL, "value %d", 1); }, [] { RANK(error)(5, EINVAL, "value %d", 1); });
  check_same([] { error(0, 0, "a warning"); }, [] { RANK(error)(0, 0, "a warning"); });
  check_same([] { error_at_line(6, 0, "input.txt", 12, "syntax"); },
             [] {
               RANK(error_at_line)
               (6, 0, "input.txt", 12, "syntax");
             });
}
