// SPDX-License-Identifier: Apache-2.0
#include "runtime/net/message_counts.hpp"

#include <array>
#include <bit>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "runtime/base/log.hpp"
#include "runtime/net/nodes.hpp"

namespace skein::net {

MessageCounts message_counts;

namespace {

constexpr std::array kCollectiveNames{"gather-on-all", "gather", "broadcast-of-all", "reduction-of-all",
                                      "barrier"};
static_assert(kCollectiveNames.size() == static_cast<std::size_t>(Collective::count));

void write_line(FILE* file, const char* name, const MessageCount& count) {
  if (count.sent + count.received == 0) return;
  fprintf(file, "%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", name, count.sent,
          count.sent_bytes, count.received, count.received_bytes);
}

}  // namespace

void count_collective(Collective kind, std::size_t each, std::size_t whole) {
  const auto rounds = static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(world.pes - 1)));
  const std::size_t bytes = rounds * each + whole;
  MessageCount& count = message_counts.collectives[static_cast<std::size_t>(kind)];
  count.sent += rounds;
  count.received += rounds;
  count.sent_bytes += bytes;
  count.received_bytes += bytes;
}

void write_message_counts(std::span<const NamedCount> handlers) {
  const char* const asked = getenv("SKEIN_MESSAGE_COUNTS");
  if (!asked || !*asked) return;
  const std::string name = std::string(asked) + "." + std::to_string(world.pe);
  FILE* const file = fopen(name.c_str(), "w");
  if (!file) {
    SKEIN_WARN("SKEIN_MESSAGE_COUNTS: %s cannot be written", name.c_str());
    return;
  }
  for (const NamedCount& each : handlers) write_line(file, each.name, each.count);
  write_line(file, "bulk", message_counts.bulk);
  for (std::size_t kind = 0; kind < kCollectiveNames.size(); ++kind)
    write_line(file, kCollectiveNames[kind], message_counts.collectives[kind]);
  if (fclose(file) != 0) SKEIN_WARN("SKEIN_MESSAGE_COUNTS: %s was not written whole", name.c_str());
}

}  // namespace skein::net
