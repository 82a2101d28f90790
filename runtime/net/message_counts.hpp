// SPDX-License-Identifier: Apache-2.0
// What this PE has sent to other PEs and received from them so far, by kind: active messages by their
// handlers, bulk transfers, collective calls. Always counted, since that takes two additions in a line of the
// cache that sending reads anyway; told at the end of a job where the environment asks for it. What grows how
// with the PEs is judged by it: tests/job/growth/.
//
// What the MPI underneath sends for a collective call nobody here sees. It counts as what the usual
// algorithms take (R. Thakur, R. Rabenseifner, W. Gropp, IJHPCA 19, 2005): ceil(log2 PEs) messages there and
// as many back, and as many bytes as the caller says.
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

/// Collective calls, by what they leave behind: on every PE a result that grows as it goes around, like that
/// of an all-gather (`whole` bytes in the end), or one that is as long in each message (`each` bytes).
enum class Collective : std::uint8_t { gather_on_all, gather, broadcast, reduction, barrier, count };

struct MessageCounts {
  MessageCount bulk;
  std::array<MessageCount, static_cast<std::size_t>(Collective::count)> collectives;
};
extern MessageCounts message_counts;

void count_collective(Collective kind, std::size_t each, std::size_t whole = 0);

/// Where the variable SKEIN_MESSAGE_COUNTS names a file, writes `<file>.<PE>`: of each kind that was used a
/// line, `name sent bytes received bytes`, apart by tabs. `handlers`: of active messages.
void write_message_counts(std::span<const NamedCount> handlers);

}  // namespace skein::net
