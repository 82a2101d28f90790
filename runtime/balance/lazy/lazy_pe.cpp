// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/lazy/lazy_pe.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "runtime/balance/lazy/decider.hpp"
#include "runtime/balance/lazy/lazy_state.hpp"
#include "runtime/balance/lazy/messages.hpp"
#include "runtime/balance/objects.hpp"
#include "runtime/balance/reserved/answer_watch.hpp"
#include "runtime/balance/roles.hpp"
#include "runtime/base/check.hpp"
#include "runtime/net/pe_collectives.hpp"
#include "runtime/net/transport.hpp"

namespace skein::balance {

PerRuntime<Lazy> lazy;

namespace {

using lb::lazy::Point;

net::Handler on_message_to_member, on_message_to_coordinator;
const net::MessageKind message_to_member("lazy-to-member", on_message_to_member);
const net::MessageKind message_to_coordinator("lazy-to-coordinator", on_message_to_coordinator);

void tell_coordinator(const ToCoordinator& message, net::Bytes piece = {}) {
  net::send(decider_of(net::world.pe), message_to_coordinator, {&message, sizeof message}, piece);
}

void send_share(const OpenShare& share) {
  constexpr std::size_t longest = net::kLongestMessage - sizeof(ToCoordinator);
  const ToCoordinator header{
      .kind = ToCoordinator::Kind::share, .point = share.point, .bytes = share.bytes.size()};
  std::size_t at = 0;
  do {
    const std::size_t piece = std::min(longest, share.bytes.size() - at);
    tell_coordinator(header, {share.bytes.data() + at, piece});
    at += piece;
  } while (at < share.bytes.size());
}

/// Sends complete shares, from the oldest on: objects come to points in order.
void send_whole_shares() {
  while (!lazy->open.empty() && lazy->open.front().missing == 0) {
    send_share(lazy->open.front());
    lazy->open.pop_front();
  }
}

void say_if_dry() {
  if (lazy->running == 0) tell_coordinator({.kind = ToCoordinator::Kind::dry, .point = lazy->applications});
}

void on_message_to_member(int, const std::byte* bytes, std::size_t) {
  ToMember message;
  memcpy(&message, bytes, sizeof message);
  lb::lazy::Member& member = pace->member;
  switch (message.kind) {
    case ToMember::Kind::answered:
      member.answered(message.point);
      break;
    case ToMember::Kind::decided: {
      // Objects that moved by themselves may be anywhere, and have passed points there that this PE does not
      // know.
      const bool empty = lazy->running == 0 && !lazy->come_and_go;
      if (const auto promise = member.decided(message.point, empty, message.drop))
        tell_coordinator({.kind = ToCoordinator::Kind::promise, .point = *promise, .about = message.point});
      break;
    }
    case ToMember::Kind::agreed:
      member.agreed(message.point);
      break;
    case ToMember::Kind::silent:
      member.silent();
      break;
  }
  lazy->release();
}

void on_message_to_coordinator(int from_pe, const std::byte* bytes, std::size_t size) {
  ToCoordinator message;
  memcpy(&message, bytes, sizeof message);
  hear_member(from_pe, message, {bytes + sizeof message, size - sizeof message});
}

}  // namespace

void allow_lazy(void (*release)()) { lazy->release = release; }

void send_to_member(int pe, const ToMember& message) {
  net::send(pe, message_to_member, {&message, sizeof message});
}

void begin_lazy(const StepConfig& config, Point from, lb::LazyTrial trial) {
  lazy->come_and_go = objects().when_lazy()->come_and_go();
  pace->lazy = true;
  pace->member = lb::lazy::Member(config.period.points, config.mode.wait, from);
  if (decides_here()) start_deciding(config, from, trial);
  begin_witness(config.mode, lazy->release);
}

void leave_lazy() {
  pace->lazy = false;
  end_witness();
}

std::vector<std::byte>& open_share(Point n, std::size_t running) {
  auto share = std::ranges::lower_bound(lazy->open, n, {}, &OpenShare::point);
  if (share == lazy->open.end() || share->point != n) {
    SKEIN_CHECK(lazy->open.empty() || lazy->open.back().point < n, "a share for sync point %llu behind %llu",
                static_cast<unsigned long long>(n), static_cast<unsigned long long>(lazy->open.back().point));
    lazy->open.push_back({n, running, {}});
    lazy->newest = n;
    share = lazy->open.end() - 1;
  }
  return share->bytes;
}

bool is_share_open(Point n) { return std::ranges::binary_search(lazy->open, n, {}, &OpenShare::point); }
Point newest_share() { return lazy->newest; }

void leave_share(Point n) {
  pace->member.asks(n);
  --std::ranges::lower_bound(lazy->open, n, {}, &OpenShare::point)->missing;
  send_whole_shares();
}

void note_end(Point asked, std::size_t running) {
  lazy->running = running;
  for (OpenShare& share : lazy->open)
    if (share.point > asked) --share.missing;
  send_whole_shares();
  say_if_dry();
}

void note_running(std::size_t running) {
  lazy->running = running;
  if (computes(net::world.pe)) say_if_dry();
}

bool is_deciding() { return pace->lazy && decides_here() && strategy_works(); }
bool serve_lazy() { return pace->lazy && decides_here() && go_on_deciding(); }

void note_applied() {
  // Objects that came meanwhile need not have come to all points.
  SKEIN_CHECK(lazy->open.empty() || lazy->come_and_go, "%zu shares are not whole at the agreed sync point",
              lazy->open.size());
  lazy->open.clear();
  pace->member.applied();
  ++lazy->applications;
  if (decides_here()) note_decision_applied();
}

void end_lazy(AfterJob after) {
  if (!pace->lazy) return;
  if (decides_here()) stop_deciding();
  for (;;) {
    const net::Traffic now = net::traffic();
    std::array<std::uint64_t, 2> sums{now.sent, now.received};
    net::sum_polling(sums);
    if (sums[0] == sums[1]) break;
  }
  if (decides_here()) finish_deciding(after);
  pace->lazy = false;
}

}  // namespace skein::balance
