// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/memory_folder.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

using namespace skein::checkpoint;
namespace fs = std::filesystem;

TEST_CASE("memory: what is left of jobs that are gone is removed, and what somebody holds is not") {
  constexpr pid_t kNobody = 999'999'999;  // larger than any process number
  const std::string me = "test-" + std::to_string(getpid());
  const std::string of_starter = memory_folder(kNobody), held = memory_folder_on(of_starter, me + "-held"),
                    left = memory_folder_on(of_starter, me + "-left"),
                    other = memory_folder(kNobody) + "-" + me, of_living = memory_folder(getppid());
  const bool was_there = fs::exists(of_living);
  for (const std::string& folder : {of_starter, left, other, of_living})
    fs::create_directories(folder + "/in");
  take_memory_folder(held);
  CHECK(fs::exists(held));
  CHECK_FALSE(fs::exists(of_starter));
  CHECK_FALSE(fs::exists(left));
  CHECK(fs::exists(other));  // no job has a folder with this name
  CHECK(fs::exists(of_living));
  fs::create_directories(left);
  remove_left_memory_folders();
  CHECK_FALSE(fs::exists(left));
  CHECK(fs::exists(held));
  for (const std::string& folder : {held, other}) fs::remove_all(folder);
  if (!was_there) fs::remove_all(of_living);
}
