// SPDX-License-Identifier: Apache-2.0
// Counts what this PE has sent to other PEs and received from them, by kind: active messages by their
// handlers, bulk transfers, collective calls. It always counts, since that takes two additions in a cache
// line that sending reads anyway; at the end of a job it writes the counts if the environment asks for them.
// tests/job/growth/ judges by them how traffic grows with the PEs.
//
// The messages that the MPI underneath sends for a collective call are invisible here. A call counts as what
// the usual algorithms take (R. Thakur, R. Rabenseifner, W. Gropp, IJHPCA 19, 2005): ceil(log2 PEs) messages
// there and as many back, and as many bytes as the caller says.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace skein::net {

struct MessageCount {
  std::uint64_t sent = 0, sent_bytes = 0;
  std::uint64_t received = 0, received_bytes = 0;

  void note_sent(std::size_t bytes) {
    ++sent;
    sent_bytes += bytes;
  }
  void note_received(std::size_t bytes) {
    ++received;
    received_bytes += bytes;
  }
};
struct NamedCount {
  const char* name;
  MessageCount count;
};

/// Collective calls, by how long their messages are: the result grows as it goes around, like that of an
/// all-gather (`whole` bytes in the end), or each message is equally long (`each` bytes).
enum class Collective : std::uint8_t { gather_on_all, gather, broadcast, reduction, barrier, count };

struct MessageCounts {
  MessageCount bulk;
  std::array<MessageCount, static_cast<std::size_t>(Collective::count)> collectives;
};
extern MessageCounts message_counts;

void count_collective(Collective kind, std::size_t each, std::size_t whole = 0);

/// If the variable SKEIN_MESSAGE_COUNTS names a file, writes `<file>.<PE>`, with a line for each kind that
/// was used: `name sent bytes received bytes`, separated by tabs. `handlers`: those of active messages.
void write_message_counts(std::span<const NamedCount> handlers);

}  // namespace skein::net
