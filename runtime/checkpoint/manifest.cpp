// SPDX-License-Identifier: Apache-2.0
#include "runtime/checkpoint/manifest.hpp"

#include <charconv>
#include <nlohmann/json.hpp>
#include <span>

#include "runtime/base/error.hpp"
#include "runtime/base/texts.hpp"

namespace skein::arena {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SlotLayout, slot_bytes, guard_bytes, stack_bytes, control_offset,
                                   image_offset, image_alignment, heap_offset)
}

namespace skein::checkpoint {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Library, path, address, build)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Identity, program, addresses, thread_pointer, libraries)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SavedRank, rank, file, offset, stored, bytes, ended)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(NativeState, digest, elements)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Manifest, number, saved_at, program, arguments, identity, ranks, pes,
                                   compressed, slots, code_inside, canary, pointer_guard, descriptor_limit,
                                   first_process, environment, generation, points, clock_s, output_bytes,
                                   images)

namespace {

constexpr int kVersion = 2, kNativeVersion = 3;  // of states of ranks; of native programs
constexpr int kHexadecimal = 16;

/// Reverses hex_text().
std::string from_digits(const std::string& digits, const std::string& name) {
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    unsigned char value = 0;
    const char* const pair = digits.data() + i;
    if (i + 2 > digits.size() || std::from_chars(pair, pair + 2, value, kHexadecimal).ptr != pair + 2)
      throw Error(name + ": is damaged: the environment of the job cannot be read");
    bytes += static_cast<char>(value);
  }
  return bytes;
}

}  // namespace

std::string as_json(const Manifest& manifest) {
  nlohmann::json text = manifest;
  text["skein_checkpoint"] = manifest.native ? kNativeVersion : kVersion;
  if (manifest.native) text["native"] = *manifest.native;
  // As digits, because JSON cannot hold arbitrary bytes as text.
  text["environment"] = hex_text(std::as_bytes(std::span(manifest.environment)));
  return text.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Manifest from_json(const std::string& text, const std::string& name) {
  try {
    const nlohmann::json read = nlohmann::json::parse(text);
    const int version = read.at("skein_checkpoint").get<int>();
    if (version != kVersion && version != kNativeVersion)
      throw Error(
          format("%s: is of version %d, and this Skein knows versions %d and %d: use the Skein that "
                 "wrote it",
                 name.c_str(), version, kVersion, kNativeVersion));
    Manifest manifest = read.get<Manifest>();
    if (version == kNativeVersion) manifest.native = read.at("native").get<NativeState>();
    manifest.environment = from_digits(manifest.environment, name);
    const auto ranks = static_cast<std::size_t>(manifest.ranks);
    bool whole = manifest.ranks > 0 && manifest.pes > 0 && manifest.images.size() == ranks;
    for (std::size_t i = 0; whole && i < ranks; ++i)
      whole = manifest.images[i].rank == static_cast<int>(i) && manifest.images[i].file >= 0 &&
              manifest.images[i].file < manifest.pes;
    if (!whole) throw Error(name + ": is damaged: it does not say where the image of each rank is");
    return manifest;
  } catch (const nlohmann::json::exception& error) {
    throw Error(format("%s: is no manifest of a checkpoint, or damaged: %s", name.c_str(), error.what()));
  }
}

}  // namespace skein::checkpoint
