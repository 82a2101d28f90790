// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/state_folder.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "runtime/checkpoint/resizing.hpp"
#include "tests/unit/checkpoint/refusal.hpp"
#include "tests/unit/lb/scratch_folder.hpp"

using namespace skein::checkpoint;
using skein::lb::test::ScratchFolder;
namespace fs = std::filesystem;

namespace {

Manifest some_manifest(int ranks) {
  Manifest manifest;
  manifest.ranks = ranks;
  manifest.pes = 2;
  manifest.program = "./app";
  manifest.arguments = {"a b", "\"c\""};
  manifest.canary = 0xfedcba9876543200;
  manifest.environment = std::string("A=\xff\0B=b\0", 8);
  manifest.identity.libraries = {{"/lib/libc.so.6", 0x7ffff7c00000, "00ff"}};
  for (int rank = 0; rank < ranks; ++rank)
    manifest.images.push_back({.rank = rank, .file = rank % 2, .offset = std::uint64_t{1} << (40 + rank)});
  return manifest;
}

bool says(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("states: the newest is found once it is published, and so many are kept") {
  const ScratchFolder folder;
  const std::string ck = folder / "deep/ck";
  CHECK(newest_state(ck) == "");
  for (int i = 1; i <= 4; ++i) {
    NewState state(ck);
    CHECK(fs::is_directory(state.path()));
    const std::string before = newest_state(ck);
    Manifest manifest = some_manifest(3);
    manifest.number = state.number();
    state.publish(manifest, true);
    state.remove_older(2);
    CHECK(newest_state(ck) != before);
    CHECK(newest_state(ck) == ck + "/state-00000" + std::to_string(i));
  }
  CHECK(find_state(ck) == ck + "/state-000004");
  CHECK(find_state(ck + "/state-000003") == ck + "/state-000003");
  CHECK(!fs::exists(ck + "/state-000002"));
  CHECK(!fs::exists(ck + "/.writing-000004"));
}

TEST_CASE("states: one that was not published, or dropped, does not count, and the next takes its place") {
  const ScratchFolder folder;
  const std::string ck = folder / "ck";
  NewState(ck).publish(some_manifest(1), false);
  {
    const NewState torn(ck);
    std::ofstream(torn.path() + "/manifest.json") << "{";
  }
  CHECK(newest_state(ck) == ck + "/state-000001");
  NewState next(ck);
  CHECK(next.number() == 2);
  CHECK(!fs::exists(next.path() + "/manifest.json"));
  next.drop();
  CHECK(!fs::exists(next.path()));
}

TEST_CASE("states: the older one of two becomes spare, no state any more, and the next is written over it") {
  const ScratchFolder folder;
  const std::string ck = folder / "ck";
  std::string spare;
  for (int i = 1; i <= 5; ++i) {
    NewState state(ck, spare);
    CHECK(fs::exists(state.path() + "/image-0.raw") == (i > 2));
    CHECK(!fs::exists(state.path() + "/manifest.json"));
    std::ofstream(state.path() + "/image-0.raw") << i;
    state.publish(some_manifest(1), false);
    spare = state.make_spare();
    CHECK(spare.empty() == (i == 1));
    CHECK(newest_state(ck) == ck + "/state-00000" + std::to_string(i));
    const auto entries = std::distance(fs::directory_iterator(ck), fs::directory_iterator());
    CHECK(entries == (i == 1 ? 1 : 2));
  }
  NewState without(ck);  // as behind a restart
  CHECK(!fs::exists(spare));
  CHECK(fs::is_empty(without.path()));
  CHECK(newest_state(ck) == ck + "/state-000005");
}

TEST_CASE("states: one of a given number takes the place of those that were valid there and do not count") {
  const ScratchFolder folder;
  const std::string ck = folder / "ck";
  for (const std::uint64_t number : {4, 5, 7}) NewState(ck, "", number).publish(some_manifest(1), false);
  const NewState next(ck, "", 5);
  CHECK(next.number() == 5);
  CHECK(fs::is_empty(next.path()));
  CHECK(newest_state(ck) == ck + "/state-000004");
}

TEST_CASE("states: a manifest comes back as it was; one that is damaged is named") {
  const ScratchFolder folder;
  const std::string ck = folder / "ck";
  NewState(ck).publish(some_manifest(3), false);
  const Manifest read = read_manifest(find_state(ck));
  CHECK(read.arguments == std::vector<std::string>{"a b", "\"c\""});
  CHECK(read.canary == 0xfedcba9876543200);
  CHECK(read.environment == some_manifest(3).environment);
  CHECK(read.identity.libraries == some_manifest(3).identity.libraries);
  CHECK(read.images[2].offset == std::uint64_t{1} << 42);

  const std::string name = find_state(ck) + "/manifest.json", text = as_json(some_manifest(3));
  for (const std::size_t length : {std::size_t{0}, std::size_t{1}, text.size() / 2, text.size() - 3})
    CHECK(says(refusal([&] { from_json(text.substr(0, length), name); }), name + ": is no manifest"));
  CHECK(says(refusal([&] { from_json("[1]", name); }), name));
  std::string other = text;
  other.replace(other.find("\"skein_checkpoint\": 2"), 21, "\"skein_checkpoint\": 9");
  CHECK(says(refusal([&] { from_json(other, name); }), "version 9"));
  Manifest torn = some_manifest(3);
  torn.images.pop_back();
  CHECK(says(refusal([&] { from_json(as_json(torn), name); }), "is damaged"));
  torn = some_manifest(3);
  torn.images[1].file = 2;
  CHECK(says(refusal([&] { from_json(as_json(torn), name); }), "is damaged"));
}

TEST_CASE("states: a folder that is none, or has none, is named") {
  const ScratchFolder folder;
  CHECK(says(refusal([&] { find_state(folder / "no"); }), folder / "no" + ": no folder with a checkpoint"));
  CHECK(says(refusal([&] { find_state(folder / "."); }), "has no valid checkpoint"));
  std::ofstream(folder / "file") << "text";
  CHECK(says(refusal([&] { find_state(folder / "file"); }), "no folder"));
  CHECK(says(refusal([&] { NewState(folder / "file"); }), folder / "file"));
}

TEST_CASE("resizing: what is wanted is obeyed once") {
  const ScratchFolder folder;
  const std::string here = folder / ".";
  CHECK(!other_size_is_wanted(here));
  CHECK(!obey_size(here));
  CHECK(take_size(here) == 0);
  want_size(here, 7);
  want_size(here, 5);
  CHECK(other_size_is_wanted(here));
  CHECK(take_size(here) == 0);
  CHECK(obey_size(here));
  CHECK(!other_size_is_wanted(here));
  CHECK(take_size(here) == 5);
  CHECK(take_size(here) == 0);
}

TEST_CASE("resizing: what cannot be had is refused once") {
  const ScratchFolder folder;
  const std::string here = folder / ".";
  CHECK(wanted_size(here) == 0);
  CHECK(!take_refusal(here));
  want_size(here, 3);
  CHECK(wanted_size(here) == 3);
  refuse_size(here);
  CHECK(!other_size_is_wanted(here));
  CHECK(!obey_size(here));
  CHECK(take_refusal(here));
  CHECK(!take_refusal(here));
}

TEST_CASE("states: what a PE reports of its images is taken once, and only as a whole") {
  const ScratchFolder folder;
  CHECK(!take_report(folder / "", 3));
  const std::vector<SavedRank> images = some_manifest(5).images;
  report_images(folder / "", 3, images);
  report_images(folder / "", 4, {});
  CHECK(!take_report(folder / "", 0));
  const auto taken = take_report(folder / "", 3);
  REQUIRE(taken);
  REQUIRE(taken->size() == images.size());
  for (std::size_t i = 0; i < images.size(); ++i) {
    CHECK((*taken)[i].rank == images[i].rank);
    CHECK((*taken)[i].file == images[i].file);
    CHECK((*taken)[i].offset == images[i].offset);
  }
  CHECK(!take_report(folder / "", 3));
  CHECK(take_report(folder / "", 4)->empty());
  CHECK(fs::is_empty(folder / ""));
  CHECK(says(refusal([&] { report_images(folder / "none", 1, images); }), "cannot be written: No such file"));
}

TEST_CASE("states: one that is wanted while another is being written is the next one") {
  const ScratchFolder scratch;
  const std::string folder = scratch / "";
  CHECK(!state_is_awaited(folder));
  want_state(folder);
  CHECK(state_is_wanted(folder));
  grant_state(folder);
  CHECK(!state_is_wanted(folder));
  CHECK(state_is_awaited(folder));
  end_grant(folder, false);  // the state did not become valid
  CHECK(state_is_wanted(folder));
  grant_state(folder);
  want_state(folder);  // another request, too late for this state
  end_grant(folder, true);
  CHECK(state_is_wanted(folder));
  grant_state(folder);
  end_grant(folder, true);
  CHECK(!state_is_awaited(folder));
  end_grant(folder, true);
  CHECK(!state_is_awaited(folder));
}
