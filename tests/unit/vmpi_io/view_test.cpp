// SPDX-License-Identifier: Apache-2.0
// Converts positions of a view's stream to offsets of the file and back, compared with counting byte by byte.
#include <doctest/doctest.h>

#include <vector>

#include "runtime/vmpi/io/view.hpp"
#include "tests/unit/vmpi_datatype/type_pair.hpp"

using namespace skein::vmpi;

namespace {

std::pmr::memory_resource& memory() { return *std::pmr::new_delete_resource(); }

/// Returns a filetype of blocks at random distances, ascending, resized to leave a random hole at its end.
Owned ascending(RandomTypes& random) {
  std::vector<int> lengths, at;
  int end = static_cast<int>(random.number(0, 5));
  const std::int64_t blocks = random.number(1, 6);
  for (std::int64_t i = 0; i < blocks; ++i) {
    at.push_back(end);
    lengths.push_back(static_cast<int>(random.number(1, 9)));
    end += lengths.back() + static_cast<int>(random.number(0, 7));
  }
  const Owned list = made([&](Datatype** out) {
    return make_indexed({memory()}, blocks, lengths.data(), at.data(), *predefined_datatype(MPI_BYTE), out);
  });
  return made(
      [&](Datatype** out) { return make_resized({memory()}, 0, end + random.number(0, 4), *list, out); });
}

}  // namespace

TEST_CASE("View: how many bytes of the stream lie below an offset, and where each of them is") {
  RandomTypes random(3, memory());
  for (int round = 0; round < 300; ++round) {
    const Owned type = ascending(random);
    View view = view_of_bytes();
    view.displacement = random.number(0, 20);
    view.filetype = view.file_filetype = type.get();
    std::vector<std::int64_t> offsets;
    view.for_each_run(0, 4 * type->size(), [&](std::int64_t offset, std::int64_t bytes) {
      for (std::int64_t b = 0; b < bytes; ++b) offsets.push_back(offset + b);
    });
    REQUIRE(static_cast<std::int64_t>(offsets.size()) == 4 * type->size());
    for (std::size_t i = 0; i < offsets.size(); ++i)
      REQUIRE(view.offset_of(static_cast<std::int64_t>(i)) == offsets[i]);
    std::int64_t below = 0;
    for (std::int64_t offset = 0; offset <= offsets.back(); ++offset) {
      REQUIRE(view.position_of(offset) == below);
      if (offsets[static_cast<std::size_t>(below)] == offset) ++below;
    }
  }
}

TEST_CASE("View: a file that was opened is seen as bytes") {
  const View view = view_of_bytes();
  CHECK(view.offset_of(12345678901) == 12345678901);
  CHECK(view.position_of(12345678901) == 12345678901);
  CHECK(view.etype_bytes() == 1);
}
