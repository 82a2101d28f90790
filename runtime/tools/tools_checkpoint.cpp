// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/tools.hpp"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/clock.hpp"
#include "runtime/base/error.hpp"
#include "runtime/checkpoint/image_file.hpp"
#include "runtime/checkpoint/resizing.hpp"
#include "runtime/checkpoint/state_folder.hpp"
#include "runtime/options/setters.hpp"
#include "runtime/tools/names.hpp"
#include "runtime/tools/output.hpp"

namespace skein::tools {
namespace {

using View = std::string_view;

struct CheckpointOptions {
  bool json = false;
  std::vector<std::string> operands;
};
using CheckpointOption = options::OptionOf<CheckpointOptions>;
using checkpoint::Manifest;

std::string command_of(const Manifest& manifest) {
  std::string text = manifest.program;
  for (const std::string& word : manifest.arguments) text.append(" ").append(word);
  return text;
}

double mebibytes(std::uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

struct Sizes {
  std::uint64_t bytes = 0, stored = 0;
  int ended = 0;
};

Sizes sizes_of(const std::string& state, const Manifest& manifest) {
  Sizes sizes{.stored = checkpoint::image_bytes(state)};
  for (const checkpoint::SavedRank& image : manifest.images) {
    sizes.bytes += image.bytes;
    sizes.ended += image.ended;
  }
  return sizes;
}

int info(const CheckpointOptions& o) {
  const std::string state = checkpoint::find_state(o.operands[0]);
  const Manifest manifest = checkpoint::read_manifest(state);
  const Sizes sizes = sizes_of(state, manifest);
  if (o.json) {
    nlohmann::json told = {
        {"state", state},          {"saved_at", manifest.saved_at}, {"command", command_of(manifest)},
        {"ranks", manifest.ranks}, {"ended", sizes.ended},          {"pes", manifest.pes},
        {"bytes", sizes.bytes},    {"stored", sizes.stored},        {"job_seconds", manifest.clock_s}};
    if (manifest.native) {
      told.erase("ranks");
      told.erase("ended");
      told["elements"] = manifest.native->elements;
    }
    puts(told.dump().c_str());
    return 0;
  }
  printf("state      %s\nsaved      %s\nprogram    %s\n", state.c_str(), manifest.saved_at.c_str(),
         command_of(manifest).c_str());
  if (manifest.native)
    printf("elements   %llu\n", wide(manifest.native->elements));
  else
    printf("ranks      %d, of which %d have ended\n", manifest.ranks, sizes.ended);
  printf("PEs        %d\nmemory     %.1f MiB%s, %.1f MiB in files\n", manifest.pes, mebibytes(sizes.bytes),
         manifest.native ? "" : " of pages", mebibytes(sizes.stored));
  printf("to go on   skein run -p ... --restart %s %s\n", state.c_str(), command_of(manifest).c_str());
  return 0;
}

/// Reads all images of a state. Throws skein::Error for the first that is damaged.
void read_images(const std::string& state, const Manifest& manifest) {
  std::vector<std::byte> room(checkpoint::kFrameBytes);
  const checkpoint::Form form = checkpoint::form_of(manifest);
  for (const checkpoint::SavedRank& image : manifest.images) {
    checkpoint::ImageReader reader(checkpoint::image_path(state, image.file, form), form);
    for (const checkpoint::Run& run : reader.begin(image.offset, image.stored))
      for (std::uint64_t left = run.bytes; left > 0;) {
        const std::uint64_t count = std::min<std::uint64_t>(left, room.size());
        reader.take(std::span(room).first(count));
        left -= count;
      }
    reader.end();
  }
}

int check(const CheckpointOptions& o) {
  const std::string state = checkpoint::find_state(o.operands[0]);
  const Manifest manifest = checkpoint::read_manifest(state);
  read_images(state, manifest);
  if (o.json)
    puts(
        nlohmann::json{{"state", state}, {manifest.native ? "pes" : "ranks", manifest.ranks}}.dump().c_str());
  else
    printf("%s: the images of %d %s are whole\n", state.c_str(), manifest.ranks,
           manifest.native ? "PEs" : "ranks");
  return 0;
}

/// Asks the job that writes there for a state, and waits for it.
int write_now(const CheckpointOptions& o) {
  const std::string& folder = o.operands[0];
  if (access(folder.c_str(), F_OK) != 0)
    throw Error(folder + ": no such folder: name the one that the job was given as --checkpoint");
  if (!checkpoint::is_held(folder))
    throw Error(folder +
                ": no job writes its checkpoints there: check that the job still runs, and on this machine");
  checkpoint::want_state(folder);
  constexpr timespec nap{.tv_sec = 0, .tv_nsec = 20'000'000};
  constexpr double patience_s = 60;
  for (const double until = skein::seconds() + patience_s; checkpoint::state_is_awaited(folder);
       nanosleep(&nap, nullptr))
    if (skein::seconds() > until) {
      checkpoint::want_no_state(folder);
      throw Error(
          format("%s: no job has written a state there in %.0f s: either no job that writes there is "
                 "running, or its ranks come to no LB step, or its standard error says what hinders it",
                 folder.c_str(), patience_s));
    }
  const std::string state = checkpoint::find_state(folder);
  puts(o.json ? nlohmann::json{{"state", state}}.dump().c_str() : state.c_str());
  return 0;
}

constexpr CheckpointOption kTable[] = {
    {"Output", 0, "--json", "", "", "no", "Prints one JSON object on standard output instead of text.",
     options::set_switch<&CheckpointOptions::json>},
};
using Subcommand = options::SubcommandOf<CheckpointOptions>;
constexpr Subcommand kSubcommands[] = {
    {"info",
     "FOLDER [--json]",
     "Describes the newest state in a folder, or the given state: program, ranks, PEs, size, time.",
     {},
     1,
     1,
     info},
    {"check",
     "FOLDER [--json]",
     "Reads the whole newest state in a folder, or the given state, and compares the checksums.",
     {},
     1,
     1,
     check},
    {"now",
     "FOLDER [--json]",
     "Makes the job that writes states into that folder write one at its next LB step, waits for it and "
     "prints its name.",
     {},
     1,
     1,
     write_now},
};

}  // namespace

options::Tool checkpoint_tool() {
  static constexpr options::ToolOf<CheckpointOptions> tool{
      names::kCheckpoint,
      "Examines the states that skein run --checkpoint writes; docs/checkpoints.md explains them.\n", kTable,
      kSubcommands};
  return options::as_tool(tool);
}

}  // namespace skein::tools
