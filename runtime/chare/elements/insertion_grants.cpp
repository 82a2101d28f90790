// SPDX-License-Identifier: Apache-2.0
#include "runtime/chare/elements/insertion_grants.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "runtime/base/check.hpp"
#include "runtime/base/pe_runtime.hpp"
#include "runtime/chare/elements/broadcasts.hpp"
#include "runtime/chare/elements/reductions.hpp"
#include "runtime/chare/messages/early.hpp"
#include "runtime/chare/messages/wire.hpp"
#include "runtime/net/pe_tree.hpp"
#include "runtime/net/transport.hpp"

namespace skein::chare {
namespace {

/// As many insertions into an array; a request is its number, then these.
struct Wanted {
  std::uint32_t array, count;
};
/// The answer to a Wanted: the insertions are numbered from `first` on, and so many Beginnings follow. A
/// grant is the number of the request, then these.
struct GrantHeader {
  std::uint32_t array, first, beginnings;
};

struct ChildRequest {
  int pe;
  std::uint32_t number;
  std::vector<Wanted> wanted;
};
/// A request of this PE; without `granted`, `call` waits for those before it.
struct OwnRequest {
  std::uint32_t array;
  Granted granted;
  std::function<void()> call;
};
/// What is asked for in one message.
struct Batch {
  std::uint32_t number = 0;
  std::vector<ChildRequest> children;
  std::vector<OwnRequest> own;
  bool empty() const { return children.empty() && own.empty(); }
};

struct Asking {
  std::deque<Batch> asked;  // for, and not answered, in the order of asking
  Batch next;               // what comes behind them
  std::uint32_t requests = 0;
  std::deque<ChildRequest> unanswered;  // of PE 0
  std::uint32_t insertions = 0;         // granted so far, by PE 0
};
PerRuntime<Asking> asking;

/// By PE 0.
struct Grant {
  std::uint32_t next_number;
  std::vector<Beginning> beginnings;
};
Grant grant_here(const Wanted& wanted) {
  Grant grant{asking->insertions + 1, {}};
  asking->insertions += wanted.count;
  const auto begin = [&](std::uint32_t array) {
    grant.beginnings.push_back({array, note_births(array, wanted.count), next_broadcast(array)});
  };
  for (const ArrayBase* const bound : array_number(wanted.array).bound) begin(bound->number());
  begin(wanted.array);
  return grant;
}

void append_grant(std::vector<std::byte>& message, const Wanted& wanted, Grant& from) {
  append(message, bytes_of(GrantHeader{wanted.array, from.next_number,
                                       static_cast<std::uint32_t>(from.beginnings.size())}));
  for (const Beginning& beginning : from.beginnings) append(message, bytes_of(beginning));
  from.next_number += wanted.count;
}

std::vector<Wanted> unpack_request(Bytes message) {
  std::vector<Wanted> wanted;
  while (!message.empty()) wanted.push_back(unpack_front<Wanted>(message));
  return wanted;
}

/// All that the batch wants, each array once.
std::vector<Wanted> wanted_by(const Batch& batch) {
  std::map<std::uint32_t, std::uint32_t> counts;
  for (const ChildRequest& child : batch.children)
    for (const Wanted& wanted : child.wanted) counts[wanted.array] += wanted.count;
  for (const OwnRequest& own : batch.own)
    if (own.granted) ++counts[own.array];
  std::vector<Wanted> all;
  for (const auto& [array, count] : counts) all.push_back({array, count});
  return all;
}

/// The last that this PE asked something for itself in, or null.
Batch* last_own_batch() {
  if (!asking->next.own.empty()) return &asking->next;
  const auto found = std::find_if(asking->asked.rbegin(), asking->asked.rend(),
                                  [](const Batch& batch) { return !batch.own.empty(); });
  return found == asking->asked.rend() ? nullptr : &*found;
}

void ask_if_nobody_has() {
  if (asking->asked.empty()) send_insertion_requests();
}

void answer_request(const ChildRequest& request) {
  std::vector<std::byte> answer;
  for (const Wanted& each : request.wanted) {
    Grant grant = grant_here(each);
    append_grant(answer, each, grant);
  }
  post(request.pe, Kind::insertion_grant, bytes_of(request.number), answer);
}

/// PE 0 answers in order: the first request may want an array that PE 0 has yet to make.
void answer_requests(int, Bytes) {
  for (; !asking->unanswered.empty(); asking->unanswered.pop_front()) {
    for (const Wanted& each : asking->unanswered.front().wanted)
      if (!await_array(answer_requests, 0, each.array, {})) return;
    answer_request(asking->unanswered.front());
  }
}

void on_request(int from_pe, Bytes message) {
  const auto number = unpack_front<std::uint32_t>(message);
  std::vector<Wanted> wanted = unpack_request(message);
  if (net::world.pe == 0) {
    asking->unanswered.push_back({from_pe, number, std::move(wanted)});
    return answer_requests(0, {});
  }
  asking->next.children.push_back({from_pe, number, std::move(wanted)});
  ask_if_nobody_has();
}

/// Shares out what was granted; who is called back may ask anew.
void share_out(const Batch& batch, std::map<std::uint32_t, Grant>& grants) {
  for (const ChildRequest& child : batch.children) {
    std::vector<std::byte> answer;
    for (const Wanted& wanted : child.wanted) append_grant(answer, wanted, grants.at(wanted.array));
    post(child.pe, Kind::insertion_grant, bytes_of(child.number), answer);
  }
  for (const OwnRequest& own : batch.own) {
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
  SKEIN_CHECK(!asking->asked.empty() && asking->asked.front().number == number,
              "insertions were granted that nobody wants");
  const Batch batch = std::move(asking->asked.front());
  asking->asked.pop_front();
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
  asking->next.own.push_back({array, std::move(granted), {}});
  ask_if_nobody_has();
}

std::uint32_t& insertions_granted() { return asking->insertions; }

bool awaits_grants() { return last_own_batch() != nullptr; }

void after_grants(std::function<void()> call) {
  Batch* const last = last_own_batch();
  if (!last) return call();
  last->own.push_back({0, {}, std::move(call)});
}

void send_insertion_requests() {
  if (asking->next.empty()) return;
  asking->next.number = ++asking->requests;
  std::vector<std::byte> packed;
  for (const Wanted& wanted : wanted_by(asking->next)) append(packed, bytes_of(wanted));
  post(net::place_in_tree().parent, Kind::insertion_request, bytes_of(asking->next.number), packed);
  asking->asked.push_back(std::exchange(asking->next, {}));
}

}  // namespace skein::chare
