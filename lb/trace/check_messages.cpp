// SPDX-License-Identifier: Apache-2.0
// Checks sends and receives: each sender, receiver, communicator and tag must have as many of both.
#include <algorithm>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "lb/trace/channel.hpp"
#include "lb/trace/check.hpp"
#include "lb/trace/kinds.hpp"

namespace skein::trace {
namespace {

struct Counts {
  std::uint64_t sends = 0, receives = 0;
  std::uint64_t sent_bytes = 0, received_bytes = 0;
  bool all_bytes_known = true;  // else some receives only tell their room
};

/// Follows the requests of an object, in the order of its events.
class Requests {
 public:
  /// Looks at an event. Calls take(channel, bytes, bytes known) for each receive that took a message, and
  /// withdraw(channel, bytes) for each cancelled send.
  template <typename Take, typename Withdraw, typename Report>
  void look(ObjectIndex object, const Event& event, Take take, Withdraw withdraw, Report report) {
    const auto channel = [&](std::int32_t from, std::int32_t tag) {
      return Channel{static_cast<ObjectIndex>(from), object, event.communicator, tag};
    };
    switch (event.kind) {
      case EventKind::send:
        if (event.starts_request)
          open_.push_back({started_,
                           {object, static_cast<ObjectIndex>(event.partner), event.communicator, event.tag},
                           true,
                           false,
                           event.bytes});
        break;
      case EventKind::receive:
        if (event.starts_request) {
          open_.push_back({started_, channel(event.partner, event.tag), false,
                           event.partner == kAny || event.tag == kAny, event.bytes});
        } else if (event.partner == kAny || event.tag == kAny) {
          report(
              "a blocking receive lacks the source or tag of the message that it got; record the run "
              "anew");
        } else {
          take(channel(event.partner, event.tag), event.bytes, true);
        }
        break;
      case EventKind::matched:
        for (const std::uint64_t back : event.list)
          if (const auto open = find(back); open != open_.end()) {
            if (is_cancel(event)) {
              if (open->sends) withdraw(open->channel, open->bytes);
            } else if (event.partner == kAny || event.tag == kAny)
              report("`matched` lacks the source or tag of the message that it got; record the run anew");
            else
              take(channel(event.partner, event.tag), event.bytes, true);
            open_.erase(open);
          }
        break;
      case EventKind::wait:
        for (const std::uint64_t back : event.list)
          if (const auto open = find(back); open != open_.end()) {
            if (open->wildcard)
              report(
                  "a receive of any source or tag is complete, but nothing tells what it got; record the run "
                  "anew");
            else if (!open->sends)
              take(open->channel, open->bytes, false);
            open_.erase(open);
          }
        break;
      default:
        break;
    }
    started_ += event.starts_request;
  }

 private:
  struct OpenRequest {
    std::uint64_t request;
    Channel channel;
    bool sends;
    bool wildcard;  // for a receive
    std::uint64_t bytes;
  };
  std::deque<OpenRequest>::iterator find(std::uint64_t back) {
    if (back >= started_) return open_.end();
    const std::uint64_t request = started_ - 1 - back;
    const auto found =
        std::lower_bound(open_.begin(), open_.end(), request,
                         [](const OpenRequest& open, std::uint64_t r) { return open.request < r; });
    return found != open_.end() && found->request == request ? found : open_.end();
  }

  std::uint64_t started_ = 0;
  std::deque<OpenRequest> open_;  // by rising request
};

/// Visits an object's sends and receives.
template <typename Send, typename Take, typename Withdraw, typename Report>
void walk(const Trace& trace, ObjectIndex object, Send send, Take take, Withdraw withdraw, Report report) {
  Cursor cursor = trace.events(object);
  Requests requests;
  for (std::uint64_t number = 0; const Event* const event = cursor.next(); ++number) {
    if (event->kind == EventKind::send) {
      if (event->partner == kAny)
        report(number, "a send to nobody; record the run anew");
      else
        send(number,
             Channel{object, static_cast<ObjectIndex>(event->partner), event->communicator, event->tag},
             event->bytes);
    }
    requests.look(
        object, *event,
        [&](const Channel& channel, std::uint64_t bytes, bool known) { take(number, channel, bytes, known); },
        withdraw, [&](const char* what) { report(number, what); });
  }
}

/// Returns the event of the `wanted`-th (from 0) send, or receive, of the channel.
std::uint64_t place_of(const Trace& trace, const Channel& channel, std::uint64_t wanted, bool send) {
  std::uint64_t place = 0, seen = 0;
  const auto look = [&](std::uint64_t number, const Channel& other) {
    if (other == channel && seen++ == wanted) place = number;
  };
  walk(
      trace, send ? channel.sender : channel.receiver,
      [&](std::uint64_t number, const Channel& other, std::uint64_t) {
        if (send) look(number, other);
      },
      [&](std::uint64_t number, const Channel& other, std::uint64_t, bool) {
        if (!send) look(number, other);
      },
      [](const Channel&, std::uint64_t) {}, [](std::uint64_t, const char*) {});
  return place;
}

std::string text_of(const Channel& channel) {
  return "with tag " + std::to_string(channel.tag) + " on communicator " +
         std::to_string(channel.communicator);
}

void report_channel(const Trace& trace, const Channel& channel, const Counts& counts, Findings& findings) {
  const bool lost = counts.sends > counts.receives;
  const std::string cause = trace.complete()
                                ? "; was a receive cancelled, or a rank left out? Record the run anew"
                                : "; the trace is cut short: leave out what comes after";
  if (counts.sends == counts.receives) {
    findings.note(channel.sender, 0,
                  "sends " + std::to_string(counts.sent_bytes) + " B in " + std::to_string(counts.sends) +
                      " messages to object " + std::to_string(channel.receiver) + " " + text_of(channel) +
                      ", which received " + std::to_string(counts.received_bytes) + " B" + cause);
    return;
  }
  const ObjectIndex object = lost ? channel.sender : channel.receiver;
  const std::uint64_t place =
      findings.lists() ? place_of(trace, channel, std::min(counts.sends, counts.receives), lost) : 0;
  const std::string what =
      lost ? "the message to object " + std::to_string(channel.receiver) + " " + text_of(channel) +
                 " is never received: " + std::to_string(counts.sends) + " are sent and " +
                 std::to_string(counts.receives) + " received"
           : "the message from object " + std::to_string(channel.sender) + " " + text_of(channel) +
                 " was never sent: " + std::to_string(counts.receives) + " are received and " +
                 std::to_string(counts.sends) + " sent";
  // A receive without a message waits for ever; a message without a receive is only lost.
  if (lost)
    findings.note(object, place, what + cause);
  else
    findings.error(object, place, what + cause);
}

}  // namespace

void check_messages(const Trace& trace, Findings findings) {
  std::unordered_map<Channel, Counts, ChannelHash> channels;
  for (ObjectIndex object = 0; object < trace.object_count(); ++object)
    walk(
        trace, object,
        [&](std::uint64_t, const Channel& channel, std::uint64_t bytes) {
          Counts& counts = channels[channel];
          ++counts.sends;
          counts.sent_bytes += bytes;
        },
        [&](std::uint64_t, const Channel& channel, std::uint64_t bytes, bool known) {
          Counts& counts = channels[channel];
          ++counts.receives;
          counts.received_bytes += bytes;
          counts.all_bytes_known = counts.all_bytes_known && known;
        },
        [&](const Channel& channel, std::uint64_t bytes) {
          Counts& counts = channels[channel];
          --counts.sends;
          counts.sent_bytes -= bytes;
        },
        [&](std::uint64_t number, const char* what) { findings.error(object, number, what); });
  std::vector<std::pair<Channel, Counts>> wrong;
  for (const auto& [channel, counts] : channels)
    if (counts.sends != counts.receives ||
        (counts.all_bytes_known && counts.sent_bytes != counts.received_bytes))
      wrong.emplace_back(channel, counts);
  std::sort(wrong.begin(), wrong.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [channel, counts] : wrong) report_channel(trace, channel, counts, findings);
}

}  // namespace skein::trace
