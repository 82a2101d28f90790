// SPDX-License-Identifier: Apache-2.0
// The transport between PEs: order and contents of active messages, bulk transfers in one piece and in
// several, counts for quiescence. Started by mpiexec on any number of PEs; every PE checks what reaches it.
// With --rings messages inside a node, and short collective calls, go through shared memory.
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

#include "runtime/base/check.hpp"
#include "runtime/net/bulk.hpp"
#include "runtime/net/descriptor_channel.hpp"
#include "runtime/net/exchanges.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

using namespace skein;

namespace {

constexpr int messages_a_pair = 3000;
constexpr std::size_t piece = 1000;

std::size_t index(int pe) { return static_cast<std::size_t>(pe); }

/// Returns sizes from the shortest message to the longest, whose neighbours differ much.
std::size_t payload_bytes(int number) {
  const std::size_t most = net::kLongestMessage - sizeof number;
  return number % 100 == 99 ? most : static_cast<std::size_t>(number) * 7919 % 1500;
}

std::byte content(int from, int to, std::size_t number, std::size_t i) {
  return static_cast<std::byte>(index(from) * 91 + index(to) * 17 + number * 5 + i * 3);
}

std::vector<std::byte> contents(int from, int to, std::size_t number, std::size_t bytes) {
  std::vector<std::byte> data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) data[i] = content(from, to, number, i);
  return data;
}

// ---- active messages

std::vector<int> received;  // from each PE
int replies = 0;
int unwatched = 0;
net::Handler on_numbered, on_reply, on_unwatched;
const net::MessageKind numbered_message("numbered", on_numbered);
const net::MessageKind reply_message("reply", on_reply);
const net::MessageKind unwatched_message("unwatched", on_unwatched, net::Counted::no);

void on_numbered(int from, const std::byte* message, std::size_t bytes) {
  int number = -1;
  memcpy(&number, message, sizeof number);
  SKEIN_CHECK(number == received[index(from)], "message %d from PE %d came when %d was next", number, from,
              received[index(from)]);
  ++received[index(from)];
  SKEIN_CHECK(bytes == sizeof number + payload_bytes(number), "message %d has %zu bytes", number, bytes);
  const auto expected = contents(from, net::world.pe, index(number), bytes - sizeof number);
  SKEIN_CHECK(std::equal(expected.begin(), expected.end(), message + sizeof number), "message %d is damaged",
              number);
  if (number % 10 == 0) net::send(from, reply_message, {&number, sizeof number});  // handlers may send
}

void on_reply(int, const std::byte*, std::size_t) { ++replies; }
void on_unwatched(int, const std::byte*, std::size_t) { ++unwatched; }

template <class Condition>
void poll_until(Condition condition) {
  while (!condition())
    if (!net::poll()) net::idle();
}

void messages_keep_their_order() {
  for (int number = 0; number < messages_a_pair; ++number)
    for (int pe = 0; pe < net::world.pes; ++pe) {
      const auto payload = contents(net::world.pe, pe, index(number), payload_bytes(number));
      net::send(pe, numbered_message, {&number, sizeof number}, {payload.data(), payload.size()});
      if (number % 64 == 0) (void)net::poll();
    }
  poll_until([] {
    return std::ranges::all_of(received, [](int n) { return n == messages_a_pair; }) &&
           replies == net::world.pes * messages_a_pair / 10;
  });
}

int swallowed = 0;
void on_swallowed(int, const std::byte*, std::size_t) { ++swallowed; }
const net::MessageKind swallowed_message("swallowed", on_swallowed, net::Counted::no);

/// Checks that messages which a PE has not yet taken in are counted, and only until they have arrived.
void backlog_is_counted(bool with_rings) {
  constexpr int messages = 500;
  const std::vector<std::byte> longest(net::kLongestMessage);
  const int right = (net::world.pe + 1) % net::world.pes;
  // Once all PEs are here all earlier messages are taken in, and senders see that when they look.
  net::barrier(net::poll);
  poll_until([right] { return net::backlog(right) == 0; });
  net::barrier();
  for (int i = 0; i < messages; ++i) net::send(right, swallowed_message, {longest.data(), longest.size()});
  // A ring has room for a few messages; the MPI underneath takes any number.
  if (with_rings && right != net::world.pe)
    SKEIN_CHECK(net::backlog(right) > messages / 2 * longest.size(), "%zu bytes", net::backlog(right));
  net::barrier();
  poll_until([right] { return swallowed == messages && net::backlog(right) == 0; });
}

/// Checks that a PE which waits in a polling collective call sends messages that had no room: its neighbour
/// comes only once it has all of them.
void what_waits_goes_on() {
  constexpr int messages = 500;
  const std::vector<std::byte> longest(net::kLongestMessage);
  const int pe = net::world.pe, right = pe + 1;
  swallowed = 0;
  net::barrier(net::poll);
  if (pe % 2 == 0 && right < net::world.pes)
    for (int i = 0; i < messages; ++i) net::send(right, swallowed_message, {longest.data(), longest.size()});
  if (pe % 2 == 1) poll_until([] { return swallowed == messages; });
  net::barrier(net::poll);
}

// ---- bulk transfers

void bulk_arrives_whole() {
  net::set_longest_piece(piece);
  const std::vector<std::size_t> sizes = {0, 1, piece - 1, piece, piece + 1, 3 * piece + 17, 250 * piece};
  const int right = (net::world.pe + 1) % net::world.pes;
  const int left = (net::world.pe + net::world.pes - 1) % net::world.pes;
  std::vector<std::vector<std::byte>> out, in;
  static std::vector<int> completed;  // of each transfer: once at each end
  completed.assign(2 * sizes.size(), 0);
  const auto complete = [](std::uint64_t transfer, std::uint64_t check) {
    SKEIN_CHECK(check == transfer + 1000, "a completion with other words: %llu",
                static_cast<unsigned long long>(check));
    ++completed[transfer];
  };
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    out.push_back(contents(net::world.pe, right, i, sizes[i]));
    in.emplace_back(sizes[i]);
  }
  // The transfers are sent in one order and received in the other: the tags bring the ends together.
  for (std::size_t i = 0; i < sizes.size(); ++i)
    net::bulk_send(right, static_cast<int>(i), {out[i].data(), sizes[i]}, {complete, i, i + 1000});
  SKEIN_CHECK(net::traffic().bulk_active == sizes.size(), "%llu transfers under way",
              static_cast<unsigned long long>(net::traffic().bulk_active));
  for (std::size_t i = sizes.size(); i-- > 0;) {
    const std::size_t transfer = sizes.size() + i;
    net::bulk_receive(left, static_cast<int>(i), in[i].data(), sizes[i],
                      {complete, transfer, transfer + 1000});
  }
  poll_until([] { return std::ranges::find(completed, 0) == completed.end(); });
  for (int i = 0; i < 100; ++i) (void)net::poll();
  SKEIN_CHECK(std::ranges::count(completed, 1) == static_cast<std::ptrdiff_t>(completed.size()),
              "a transfer completed twice");
  for (std::size_t i = 0; i < sizes.size(); ++i)
    SKEIN_CHECK(in[i] == contents(left, net::world.pe, i, sizes[i]), "transfer of %zu bytes is damaged",
                sizes[i]);
}

// ---- counts

/// Every PE sends pes * messages numbered messages, a tenth as many replies, and seven transfers.
void counts_balance() {
  const char nothing = 0;
  for (int pe = 0; pe < net::world.pes; ++pe) net::send(pe, unwatched_message, {&nothing, sizeof nothing});
  poll_until([] { return unwatched == net::world.pes; });
  const net::Traffic traffic = net::traffic();
  const auto expected = static_cast<std::uint64_t>(net::world.pes * messages_a_pair * 11 / 10 + 7);
  SKEIN_CHECK(
      traffic.sent == expected && traffic.received == expected && traffic.bulk_active == 0,
      "sent %llu, received %llu, active %llu; not %llu", static_cast<unsigned long long>(traffic.sent),
      static_cast<unsigned long long>(traffic.received), static_cast<unsigned long long>(traffic.bulk_active),
      static_cast<unsigned long long>(expected));
}

/// Checks that the counts of the last PE are kept apart; nothing is asked on it.
void counts_balance_apart() {
  const int first = net::world.pes - 1, right = (net::world.pe + 1) % net::world.pes;
  if (net::world.pe >= first) return;
  const net::Traffic traffic = net::traffic_apart();
  const auto messages = static_cast<std::uint64_t>(first * messages_a_pair * 11 / 10);
  const std::uint64_t sent = messages + (right < first ? 7 : 0);
  const std::uint64_t received = messages + (net::world.pe > 0 ? 7 : 0);  // from the left
  SKEIN_CHECK(traffic.sent == sent && traffic.received == received && traffic.bulk_active == 0,
              "of %d PEs sent %llu, not %llu; received %llu, not %llu", first,
              static_cast<unsigned long long>(traffic.sent), static_cast<unsigned long long>(sent),
              static_cast<unsigned long long>(traffic.received), static_cast<unsigned long long>(received));
}

// ---- collectives

/// Exchanges blocks of as many bytes as the number of the PE, and of 37 times as many; and a broadcast of
/// 100.
void blocks_arrive_whole() {
  for (const std::size_t scale : {std::size_t{1}, std::size_t{37}}) {
    const auto bytes_of = [&](int pe) { return index(pe) * scale; };
    const std::vector<std::byte> blocks =
        net::all_gather_blocks(contents(net::world.pe, 0, scale, bytes_of(net::world.pe)));
    std::vector<std::byte> expected;
    for (int pe = 0; pe < net::world.pes; ++pe)
      for (const std::byte byte : contents(pe, 0, scale, bytes_of(pe))) expected.push_back(byte);
    SKEIN_CHECK(blocks == expected, "all_gather_blocks: %zu bytes, not as they were", blocks.size());
  }
  std::vector<std::byte> data = contents(net::world.pe, 1, 2, 100);
  net::broadcast(data.data(), data.size(), net::world.pes - 1);
  SKEIN_CHECK(data == contents(net::world.pes - 1, 1, 2, 100), "broadcast: not as it was");
}

/// Exchanges the longest block that a round has room for, a byte less and a byte more, on one PE and on
/// others.
void long_blocks_arrive_whole() {
  const std::size_t most = net::Exchange::longest_block;
  for (std::size_t bytes = most - 10; bytes <= most + 1; ++bytes)
    for (int longest = 0; longest < net::world.pes; ++longest) {
      const auto bytes_of = [&](int pe) { return pe == longest ? bytes : index(pe); };
      std::vector<std::byte> expected;
      for (int pe = 0; pe < net::world.pes; ++pe)
        for (const std::byte byte : contents(pe, longest, bytes, bytes_of(pe))) expected.push_back(byte);
      const auto mine = contents(net::world.pe, longest, bytes, bytes_of(net::world.pe));
      SKEIN_CHECK(net::all_gather_blocks(mine) == expected, "a block of %zu bytes", bytes);
      const net::PeBlocks at_one = net::gather_blocks(mine, longest);
      if (net::world.pe == longest)
        SKEIN_CHECK(at_one.bytes == expected && at_one.sizes.size() == index(net::world.pes), "%zu bytes",
                    bytes);
      else
        SKEIN_CHECK(at_one.bytes.empty() && at_one.sizes.empty(), "PE %d is given them as well",
                    net::world.pe);
      std::vector<std::byte> data = contents(net::world.pe, 1, bytes, bytes);
      net::broadcast(data.data(), bytes, longest);
      SKEIN_CHECK(data == contents(longest, 1, bytes, bytes), "a broadcast of %zu bytes", bytes);
    }
}

/// Checks broadcasts from a PE that waits for no other, and so is soon far ahead.
void broadcasts_keep_their_order() {
  for (int i = 0; i < 1000; ++i) {
    int number = i;
    net::broadcast(&number, sizeof number, i / 100 % net::world.pes);
    SKEIN_CHECK(number == i, "%d came in the place of %d", number, i);
  }
}

/// Adds values whose sum depends on the order, which is that of the PEs, or any, but the same on all.
void sums_agree() {
  const double pe = net::world.pe, values[] = {1 / (pe + 3), 1e16 * (net::world.pe % 2 ? -1 : 1), -pe};
  std::vector<double> sums(std::begin(values), std::end(values)), most = sums;
  net::sum_of_all(sums);
  net::max_of_all(most);
  const double all_pes = net::world.pes * (net::world.pes - 1) / 2;
  SKEIN_CHECK(most[0] == 1 / 3.0 && most[2] == 0 && sums[2] == -all_pes, "most %g and %g, sum %g", most[0],
              most[2], sums[2]);
  std::vector<double> of_all(sums.size() * index(net::world.pes));
  net::all_gather(sums.data(), sums.size() * sizeof(double), of_all.data());
  for (std::size_t i = 0; i < of_all.size(); ++i)
    SKEIN_CHECK(of_all[i] == sums[i % sums.size()], "sum %zu is another on PE %zu", i % sums.size(),
                i / sums.size());
}

void collectives_agree() {
  for (const std::size_t round : {std::size_t{1}, std::size_t{7}, std::size_t{64}, std::size_t{1} << 30}) {
    net::set_longest_round(round);
    blocks_arrive_whole();
  }
  const int pes = net::world.pes, pe = net::world.pe;
  std::vector<int> all(index(pes));
  net::all_gather(&pe, sizeof pe, all.data());
  for (int i = 0; i < pes; ++i) SKEIN_CHECK(all[index(i)] == i, "all_gather: %d at %d", all[index(i)], i);
  const std::vector<std::byte> block(index(pe), static_cast<std::byte>(pe));
  const std::vector<std::byte> blocks = net::all_gather_blocks(block);
  SKEIN_CHECK(blocks.size() == index(pes * (pes - 1) / 2), "all_gather_blocks: %zu bytes", blocks.size());
  for (std::size_t i = 0, at = 0; i < index(pes); ++i)
    for (std::size_t k = 0; k < i; ++k, ++at)
      SKEIN_CHECK(blocks[at] == static_cast<std::byte>(i), "all_gather_blocks: byte %zu", at);
  std::uint64_t sums[] = {1, static_cast<std::uint64_t>(pe)};
  net::sum_polling(sums);
  long_blocks_arrive_whole();
  broadcasts_keep_their_order();
  sums_agree();
  SKEIN_CHECK(sums[0] == index(pes) && sums[1] == index(pes * (pes - 1) / 2), "sum_polling");
}

/// Checks that a PE which has slept for want of messages does not begin its next wait asleep if it waited for
/// a collective call.
void collectives_end_waits() {
  const auto sleeps = [] {
    rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_nvcsw;
  };
  net::barrier(net::poll);
  for (const long before = sleeps(); sleeps() < before + 10;) net::idle();
  net::barrier(net::poll);
  const long before = sleeps();
  // Every wait begins with at least so many looks awake.
  for (int i = 0; i < 10; ++i) net::idle();
  SKEIN_CHECK(sleeps() == before, "the first looks after a barrier slept %ld times", sleeps() - before);
}

}  // namespace

int main(int argc, char** argv) {
  const bool with_rings = argc > 1 && std::string_view(argv[1]) == "--rings";
  net::start(&argc, &argv);
  if (with_rings) {
    net::open_descriptor_channel();
    net::open_rings();
    net::open_exchanges();
    net::open_rounds();
  }
  received.assign(index(net::world.pes), 0);
  net::count_apart(net::world.pes - 1);
  net::barrier();
  messages_keep_their_order();
  backlog_is_counted(with_rings);
  what_waits_goes_on();
  bulk_arrives_whole();
  counts_balance();
  counts_balance_apart();
  collectives_agree();
  collectives_end_waits();
  net::finish();
  std::printf("PE %d: all as it should be\n", net::world.pe);
}
