// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/native_states.hpp"

#include <array>
#include <cstdio>

#include "runtime/balance/lb_step.hpp"
#include "runtime/base/clock.hpp"
#include "runtime/base/error.hpp"
#include "runtime/base/log.hpp"
#include "runtime/chare/states/pe_state.hpp"
#include "runtime/checkpoint/state_folder.hpp"
#include "runtime/net/agree.hpp"
#include "runtime/net/job_clock.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::checkpoint {
namespace {

std::vector<std::byte> read_image(const State& state, const SavedRank& saved) {
  const Form form = form_of(state.manifest);
  ImageReader file(image_path(state.path, saved.file, form), form);
  std::vector<std::byte> image;
  for (const Run& run : file.begin(saved.offset, saved.stored)) {
    const std::size_t before = image.size();
    if (run.bytes > saved.bytes - before)
      throw Error(state.path + ": is damaged: an image has more bytes than the manifest says");
    image.resize(before + run.bytes);
    file.take(std::span(image).subspan(before));
  }
  file.end();
  if (image.size() != saved.bytes)
    throw Error(state.path + ": is damaged: an image has fewer bytes than the manifest says");
  return image;
}

std::string build_of(const Identity& identity) {
  return identity.libraries.empty() || identity.libraries[0].build.empty() ? "unknown"
                                                                           : identity.libraries[0].build;
}

std::string other_program(const Manifest& saved, std::uint64_t digest) {
  if (!saved.native) return "it is of a program of MPI ranks, and this is a native program";
  const std::string build = build_of(native_identity(digest)), saved_build = build_of(saved.identity);
  if (saved.native->digest == digest && saved_build == build) return "";
  return format("another program than %s, or another build of it: that was %s, and this is %s",
                saved.program.c_str(), saved_build.c_str(), build.c_str());
}

}  // namespace

void NativeContent::check() {
  if (const std::string obstacle = chare::obstacle_to_state(); !obstacle.empty()) throw Error(obstacle);
}

std::unique_ptr<Packed> NativeContent::pack() {
  fflush(nullptr);  // a restart does not repeat output from before the state
  auto packed = std::make_unique<Packed>();
  auto bytes = std::make_shared<const std::vector<std::byte>>(chare::packed_state());
  packed->images.push_back({.saved = {.rank = net::world.pe, .file = net::world.pe, .bytes = bytes->size()},
                            .runs = {{0, bytes->size()}},
                            .contents = bytes->data(),
                            .own = std::move(bytes)});
  return packed;
}

void NativeContent::describe(Manifest& manifest) {
  const chare::Passed passed = chare::elements_of_state();
  std::array<double, 1> most{static_cast<double>(passed.sync_points)},
      sum{static_cast<double>(passed.elements)};
  net::max_of_all(most);
  net::sum_of_all(sum);
  manifest.ranks = net::world.pes;
  manifest.points = static_cast<std::uint64_t>(most[0]);
  manifest.native = {digest_, static_cast<std::uint64_t>(sum[0])};
}

Identity native_identity(std::uint64_t digest) { return {.program = digest, .libraries = libraries_here()}; }

State open_native_state(const std::string& path, std::uint64_t digest) {
  return open_state(path, [digest](const Manifest& saved) { return other_program(saved, digest); });
}

std::vector<int> readers_of_images(const State& state) {
  std::vector<int> readers;
  for (int image = 0; image < state.manifest.pes; ++image) readers.push_back(image % net::world.pes);
  return readers;
}

void bring_back_elements(const State& state, const std::vector<int>& readers, void (*begin)()) {
  const double start = seconds();
  std::vector<std::vector<std::byte>> mine;
  net::together([&] {
    for (const SavedRank& image : state.manifest.images)
      if (readers[static_cast<std::size_t>(image.rank)] == net::world.pe)
        mine.push_back(read_image(state, image));
  });
  std::vector<std::byte> of_pe_0;
  if (net::world.pe == readers[0]) of_pe_0 = mine.front();
  net::broadcast_block(of_pe_0, readers[0]);
  double clock_by = state.manifest.clock_s - net::job_seconds();
  net::broadcast(&clock_by, sizeof clock_by, 0);
  net::job_clock.set_forward += clock_by;
  net::job_clock.offset += clock_by;
  balance::begin_behind(state.manifest.points);
  chare::come_back(of_pe_0, mine, begin);
  if (net::world.pe == 0)
    SKEIN_LOG(verbose, "goes on from %s, read in %.3f s", state.path.c_str(), seconds() - start);
}

}  // namespace skein::checkpoint
