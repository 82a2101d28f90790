// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/elements/insertion_grants.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "runtime/base/check.hpp"
#include "runtime/chare/elements/broadcasts.hpp"
#include "runtime/chare/elements/elements_state.hpp"
#include "runtime/chare/elements/reductions.hpp"
#include "runtime/chare/messages/early.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/net/pe_tree.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {
namespace {

/// The answer to a Wanted: the insertions are numbered from `first` on, and so many Beginnings follow. A
/// grant is the number of the request, then these.
struct GrantHeader {
  std::uint32_t array, first, beginnings;
};

/// The grant of an array's insertions, as PE 0 makes it.
struct Grant {
  std::uint32_t next_number;
  std::vector<Beginning> beginnings;
};
Grant grant_here(const Asking::Wanted& wanted) {
  Grant grant{elements_state->asking.insertions + 1, {}};
  elements_state->asking.insertions += wanted.count;
  const auto begin = [&](std::uint32_t array) {
    grant.beginnings.push_back({array, note_births(array, wanted.count), next_broadcast(array)});
  };
  for (const ArrayBase* const bound : array_number(wanted.array).bound) begin(bound->number());
  begin(wanted.array);
  return grant;
}

void append_grant(std::vector<std::byte>& message, const Asking::Wanted& wanted, Grant& from) {
  append(message, bytes_of(GrantHeader{wanted.array, from.next_number,
                                       static_cast<std::uint32_t>(from.beginnings.size())}));
  for (const Beginning& beginning : from.beginnings) append(message, bytes_of(beginning));
  from.next_number += wanted.count;
}

std::vector<Asking::Wanted> unpack_request(Bytes message) {
  std::vector<Asking::Wanted> wanted;
  while (!message.empty()) wanted.push_back(unpack_front<Asking::Wanted>(message));
  return wanted;
}

/// Sums up the insertions that the batch asks for, by array.
std::vector<Asking::Wanted> wanted_by(const Asking::Batch& batch) {
  std::map<std::uint32_t, std::uint32_t> counts;
  for (const Asking::ChildRequest& child : batch.children)
    for (const Asking::Wanted& wanted : child.wanted) counts[wanted.array] += wanted.count;
  for (const Asking::OwnRequest& own : batch.own)
    if (own.granted) ++counts[own.array];
  std::vector<Asking::Wanted> all;
  for (const auto& [array, count] : counts) all.push_back({array, count});
  return all;
}

/// Returns the last batch with a request of this PE's own, or null.
Asking::Batch* last_own_batch() {
  if (!elements_state->asking.next.own.empty()) return &elements_state->asking.next;
  const auto found = std::find_if(elements_state->asking.asked.rbegin(), elements_state->asking.asked.rend(),
                                  [](const Asking::Batch& batch) { return !batch.own.empty(); });
  return found == elements_state->asking.asked.rend() ? nullptr : &*found;
}

void ask_if_nobody_has() {
  if (elements_state->asking.asked.empty()) send_insertion_requests();
}

void answer_request(const Asking::ChildRequest& request) {
  std::vector<std::byte> answer;
  for (const Asking::Wanted& each : request.wanted) {
    Grant grant = grant_here(each);
    append_grant(answer, each, grant);
  }
  post(request.pe, Kind::insertion_grant, bytes_of(request.number), answer);
}

/// Answers requests in order on PE 0: the first may concern an array that PE 0 has yet to make.
void answer_requests(int, Bytes) {
  for (; !elements_state->asking.unanswered.empty(); elements_state->asking.unanswered.pop_front()) {
    for (const Asking::Wanted& each : elements_state->asking.unanswered.front().wanted)
      if (!await_array(answer_requests, 0, each.array, {})) return;
    answer_request(elements_state->asking.unanswered.front());
  }
}

void on_request(int from_pe, Bytes message) {
  const auto number = unpack_front<std::uint32_t>(message);
  std::vector<Asking::Wanted> wanted = unpack_request(message);
  if (net::world.pe == 0) {
    elements_state->asking.unanswered.push_back({from_pe, number, std::move(wanted)});
    return answer_requests(0, {});
  }
  elements_state->asking.next.children.push_back({from_pe, number, std::move(wanted)});
  ask_if_nobody_has();
}

/// Distributes what was granted; callbacks may ask anew.
void share_out(const Asking::Batch& batch, std::map<std::uint32_t, Grant>& grants) {
  for (const Asking::ChildRequest& child : batch.children) {
    std::vector<std::byte> answer;
    for (const Asking::Wanted& wanted : child.wanted) append_grant(answer, wanted, grants.at(wanted.array));
    post(child.pe, Kind::insertion_grant, bytes_of(child.number), answer);
  }
  for (const Asking::OwnRequest& own : batch.own) {
    if (!own.granted) {
      own.call();
      continue;
    }
    Grant& grant = grants.at(own.array);
    own.granted(grant.next_number++, grant.beginnings);
  }
}

void on_grant(int, Bytes message) {
  const auto number = unpack_front<std::uint32_t>(message);
  std::map<std::uint32_t, Grant> grants;
  while (!message.empty()) {
    const auto header = unpack_front<GrantHeader>(message);
    Grant& grant = grants[header.array];
    grant.next_number = header.first;
    for (std::uint32_t i = 0; i < header.beginnings; ++i)
      grant.beginnings.push_back(unpack_front<Beginning>(message));
  }
  SKEIN_CHECK(!elements_state->asking.asked.empty() && elements_state->asking.asked.front().number == number,
              "insertions were granted that nobody wants");
  const Asking::Batch batch = std::move(elements_state->asking.asked.front());
  elements_state->asking.asked.pop_front();
  ask_if_nobody_has();
  share_out(batch, grants);
}

const Receives requests_of_children(Kind::insertion_request, on_request);
const Receives grants_of_parent(Kind::insertion_grant, on_grant);

}  // namespace

void ask_for_insertion(std::uint32_t array, Granted granted) {
  if (net::world.pe == 0) {
    const Grant grant = grant_here({array, 1});
    return granted(grant.next_number, grant.beginnings);
  }
  elements_state->asking.next.own.push_back({array, std::move(granted), {}});
  ask_if_nobody_has();
}

std::uint32_t& insertions_granted() { return elements_state->asking.insertions; }

bool awaits_grants() { return last_own_batch() != nullptr; }

void after_grants(std::function<void()> call) {
  Asking::Batch* const last = last_own_batch();
  if (!last) return call();
  last->own.push_back({0, {}, std::move(call)});
}

void send_insertion_requests() {
  if (elements_state->asking.next.empty()) return;
  elements_state->asking.next.number = ++elements_state->asking.requests;
  std::vector<std::byte> packed;
  for (const Asking::Wanted& wanted : wanted_by(elements_state->asking.next))
    append(packed, bytes_of(wanted));
  post(net::place_in_tree().parent, Kind::insertion_request, bytes_of(elements_state->asking.next.number),
       packed);
  elements_state->asking.asked.push_back(std::exchange(elements_state->asking.next, {}));
}

}  // namespace skein::chare
