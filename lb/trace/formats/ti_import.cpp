// SPDX-License-Identifier: Apache-2.0
// Imports SimGrid's time-independent traces. Lines have the meaning that src/smpi/internals/smpi_replay.cpp
// of SimGrid 3.32 gives them, and lines of earlier versions the meaning in version 3.18.
#include "lb/trace/formats/ti_files.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <utility>

#include "lb/trace/formats/collectives.hpp"
#include "lb/trace/formats/messages.hpp"
#include "lb/trace/formats/remarks.hpp"

namespace skein::trace {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

bool is_message(const std::string& action) {
  return action == "send" || action == "isend" || action == "recv" || action == "irecv" ||
         action == "ssend" || action == "issend";
}

/// Returns true for the spelling before tags: SimGrid 3.19 and earlier wrote messages without tags, and waits
/// that name nothing. A message with three arguments may be either, so other lines decide.
bool find_old_spelling(const TiLines& lines) {
  for (std::size_t rank = 0; rank < lines.ranks(); ++rank)
    for (const TiLine& line : lines.of(rank)) {
      const TiWords words(line);
      const std::string action = lower(words.action());
      if (is_message(action) && (words.count() == 2 || words.action()[0] == 'I')) return true;
      if ((action == "wait" || action == "test") && words.count() == 0) return true;
    }
  return false;
}

/// Returns the bytes of an item of the type with this id, in the numbering of SimGrid's smpi_datatype.cpp.
std::uint64_t type_size(const TiWords& words, std::size_t index, std::uint64_t otherwise) {
  constexpr std::uint8_t sizes[] = {8, 4,  1, 2,  8,  4, 1,  8,  1, 1,  2,  4,  8,  8,  16, 4, 1,  1,  2, 4,
                                    8, 1,  2, 4,  8,  8, 16, 32, 8, 8,  8,  16, 16, 8,  8,  8, 16, 16, 4, 4,
                                    8, 16, 8, 16, 16, 4, 2,  4,  8, 16, 32, 1,  8,  16, 32, 0, 0,  1,  8, 8};
  if (!words.has(index)) return otherwise;
  const std::int32_t id = words.integer(index);
  if (id == -1) return otherwise;  // a type that was no predefined one
  if (id < 0 || id >= static_cast<std::int32_t>(std::size(sizes)))
    words.fail("there is no datatype " + std::to_string(id));
  return sizes[id];
}

class RankReader {
 public:
  RankReader(const TiLines& lines, std::uint32_t rank, const TiOptions& options, bool old, Remarker& remarks)
      : lines_(lines), rank_(rank), ranks_(lines.ranks()), options_(options), old_(old), remarks_(remarks) {}

  void read(TraceBuilder& builder);

 private:
  struct ImportedEvent {
    Event event;
    std::vector<std::uint64_t> list;
    bool left_out = false;  // only its burst counts
  };
  struct Request {
    std::uint64_t number;
    std::uint32_t sender, receiver;
    std::int32_t tag;
    std::optional<std::size_t> test;  // its last test, in made_
    std::uint64_t started_by_then = 0;
  };

  void act(const TiWords& words, const std::string& action);
  bool act_on_messages(const TiWords& words, const std::string& action);
  bool act_together(const TiWords& words, const std::string& action);
  void message(const TiWords& words, const std::string& action);
  void send_receive(const TiWords& words);
  void wait(const TiWords& words, bool is_test);
  void wait_for_all();
  Event& add(EventKind kind);
  Event& collective(Collective kind, std::uint64_t bytes, std::int32_t root = kAny);
  void start(Event& event, std::uint32_t sender, std::uint32_t receiver, std::int32_t tag);
  void compute(const TiWords& words, std::size_t index);
  std::uint64_t time_of(const TiWords& words, double ns);

  std::uint64_t bytes(const TiWords& words, std::size_t amount, std::size_t type) const {
    return words.amount(amount) * type_size(words, type, default_size_);
  }
  std::int32_t root(const TiWords& words, std::size_t index) const {
    return words.has(index) ? static_cast<std::int32_t>(words.rank(index, ranks_)) : 0;
  }
  std::vector<std::uint64_t> counts(const TiWords& words, std::size_t first, std::uint64_t size) const {
    std::vector<std::uint64_t> all;
    words.need(first + ranks_);
    for (std::size_t i = 0; i < ranks_; ++i) all.push_back(words.amount(first + i) * size);
    return all;
  }

  const TiLines& lines_;
  const std::uint32_t rank_;
  const std::size_t ranks_;
  const TiOptions& options_;
  const bool old_;
  Remarker& remarks_;
  std::uint64_t default_size_ = 1;
  std::uint64_t burst_ns_ = 0;
  double total_ns_ = 0;
  std::uint64_t started_ = 0;
  bool finalized_ = false;
  std::vector<ImportedEvent> made_;
  std::vector<Request> pending_;  // in the order of starting
};

void RankReader::read(TraceBuilder& builder) {
  for (const TiLine& line : lines_.of(rank_)) {
    const TiWords words(line);
    act(words, lower(words.action()));
  }
  if (!finalized_) remarks_.add("rank without finalize: its part of the trace may be cut off");
  // A request that was tested and never waited for: its last test found it complete.
  std::erase_if(pending_, [&](const Request& request) {
    if (!request.test) return false;
    ImportedEvent& test = made_[*request.test];
    test.left_out = false;
    test.list = {request.started_by_then - 1 - request.number};
    return true;
  });
  wait_for_all();  // as SimGrid does at the end
  add(EventKind::end);
  std::uint64_t carried_ns = 0;
  for (ImportedEvent& made : made_) {
    made.event.burst_ns += std::exchange(carried_ns, 0);
    if (made.left_out) {
      carried_ns = made.event.burst_ns;
      continue;
    }
    made.event.list = made.list;
    builder.add(rank_, made.event);
  }
}

Event& RankReader::add(EventKind kind) {
  ImportedEvent& made = made_.emplace_back();
  made.event.kind = kind;
  made.event.burst_ns = std::exchange(burst_ns_, 0);
  return made.event;
}

Event& RankReader::collective(Collective kind, std::uint64_t bytes, std::int32_t root) {
  Event& event = add(EventKind::collective);
  event.what = static_cast<std::uint8_t>(kind);
  event.partner = root;
  event.bytes = bytes;
  return event;
}

/// The limit of the sum of a rank's times, so that no sum of them overflows: some 73 years.
constexpr double kMostNs = 0x1p61;

std::uint64_t RankReader::time_of(const TiWords& words, double ns) {
  total_ns_ += ns;
  if (total_ns_ > kMostNs) words.fail("the rank's times add up to more than 70 years; see --flops");
  return static_cast<std::uint64_t>(ns);
}

void RankReader::compute(const TiWords& words, std::size_t index) {
  burst_ns_ += time_of(words, std::round(words.real(index) / options_.flops * 1e9));
}

void RankReader::start(Event& event, std::uint32_t sender, std::uint32_t receiver, std::int32_t tag) {
  event.starts_request = true;
  pending_.push_back({started_++, sender, receiver, tag, {}, 0});
}

void RankReader::act(const TiWords& words, const std::string& action) {
  if (act_on_messages(words, action) || act_together(words, action)) return;
  if (action == "init") {
    default_size_ = words.has(0) ? 8 : 1;
  } else if (action == "finalize") {
    finalized_ = true;
  } else if (action == "compute") {
    compute(words, 0);
  } else if (action == "sleep") {
    add(EventKind::sleep).call_ns = time_of(words, std::round(words.real(0) * 1e9));
  } else if (action == "migrate") {
    add(EventKind::sync).bytes = words.amount(0);
  } else if (action == "waitany" || action == "waitsome" || action == "testall" || action == "testany") {
    words.fail(
        std::string(words.action()) +
        " does not tell which requests were complete, so it cannot be imported (nor played by SimGrid)");
  } else if (action != "comm_size" && action != "comm_split" && action != "comm_dup" &&
             action != "location") {
    words.fail(
        "unknown action '" + std::string(words.action().substr(0, 40)) +
        "'; known are init, finalize, compute, sleep, location, migrate, comm_size, comm_split, comm_dup, "
        "send, isend, recv, irecv, sendRecv, wait, waitall, test, barrier, bcast, reduce, allreduce, "
        "alltoall, alltoallv, gather, gatherv, scatter, scatterv, allgather, allgatherv, reducescatter, "
        "scan and exscan");
  }
}

bool RankReader::act_on_messages(const TiWords& words, const std::string& action) {
  if (is_message(action))
    message(words, action);
  else if (action == "sendrecv")
    send_receive(words);
  else if (action == "wait" || action == "test")
    wait(words, action == "test");
  else if (action == "waitall")
    wait_for_all();
  else
    return false;
  return true;
}

void RankReader::message(const TiWords& words, const std::string& action) {
  const std::size_t at = old_ ? 1 : 2;
  words.need(at + 1);
  const bool sends = action.ends_with("send");
  const std::uint32_t partner = words.rank(0, ranks_);
  const std::int32_t tag = old_ ? 0 : words.integer(1);
  if (tag < 0)
    words.fail("tag " + std::to_string(tag) +
               ": a receive of any tag does not tell which message it got, and so cannot be imported");
  // Receivers that do not know the size leave it to the message.
  const bool unknown = !sends && words.word(at).starts_with('-');
  if (unknown) remarks_.add("receive of unknown size: its size is the message's");
  Event& event = add(sends ? EventKind::send : EventKind::receive);
  if (action == "ssend" || action == "issend") event.what = static_cast<std::uint8_t>(SendMode::synchronous);
  event.partner = static_cast<std::int32_t>(partner);
  event.tag = tag;
  event.bytes = unknown ? 0 : bytes(words, at, at + 1);
  if (action[0] == 'i') start(event, sends ? rank_ : partner, sends ? partner : rank_, tag);
}

void RankReader::send_receive(const TiWords& words) {
  words.need(4);
  const std::uint32_t to = words.rank(1, ranks_), from = words.rank(3, ranks_);
  Event& out = add(EventKind::send);
  out.partner = static_cast<std::int32_t>(to);
  out.bytes = bytes(words, 0, 4);
  out.starts_request = true;
  Event& in = add(EventKind::receive);
  in.partner = static_cast<std::int32_t>(from);
  in.bytes = bytes(words, 2, 5);
  in.starts_request = true;
  started_ += 2;
  add(EventKind::wait);
  made_.back().list = {1, 0};
}

void RankReader::wait(const TiWords& words, bool is_test) {
  auto found = pending_.end();
  if (old_) {
    if (words.count() > 0)
      words.fail(
          "a wait that names its message, in a trace with messages without tags: old and new spellings are "
          "mixed");
    if (!pending_.empty()) found = pending_.end() - 1;  // SimGrid 3.19 took the last one
  } else {
    const std::int32_t sender = words.integer(0), receiver = words.integer(1), tag = words.integer(2);
    found = std::ranges::find_if(pending_, [&](const Request& request) {
      return static_cast<std::int64_t>(request.sender) == sender &&
             static_cast<std::int64_t>(request.receiver) == receiver && request.tag == tag;
    });
  }
  if (found == pending_.end())
    words.fail("rank " + std::to_string(rank_) +
               " has no request of that name: all that it started are complete");
  add(EventKind::wait);
  if (is_test) {
    // The line does not tell if the request is complete. It is if no later line waits for it.
    made_.back().left_out = true;
    found->test = made_.size() - 1;
    found->started_by_then = started_;
    return;
  }
  made_.back().list = {started_ - 1 - found->number};
  pending_.erase(found);
}

void RankReader::wait_for_all() {
  if (pending_.empty()) return;
  add(EventKind::wait);
  for (const Request& request : pending_) made_.back().list.push_back(started_ - 1 - request.number);
  pending_.clear();
}

bool RankReader::act_together(const TiWords& words, const std::string& action) {
  using C = Collective;
  const std::size_t n = ranks_;
  const auto type = [&](std::size_t index) { return type_size(words, index, default_size_); };
  if (action == "barrier") {
    collective(C::barrier, 0);
  } else if (action == "bcast") {
    collective(C::bcast, bytes(words, 0, 2), root(words, 1));
  } else if (action == "reduce") {
    collective(C::reduce, bytes(words, 0, 3), root(words, 2));
    compute(words, 1);
  } else if (action == "allreduce") {
    collective(C::allreduce, bytes(words, 0, 2));
    compute(words, 1);
  } else if (action == "scan" || action == "exscan") {
    collective(action == "scan" ? C::scan : C::exscan, bytes(words, 0, 2));
    compute(words, 1);
  } else if (action == "gather") {
    words.need(2);
    const std::uint64_t out = bytes(words, 0, 3);  // none at a root whose part is in place
    collective(C::gather, out ? out : bytes(words, 1, 4), root(words, 2));
  } else if (action == "scatter") {
    words.need(2);
    collective(C::scatter, std::max(bytes(words, 0, 3), bytes(words, 1, 4)), root(words, 2));
  } else if (action == "allgather") {
    words.need(2);
    const std::uint64_t out = bytes(words, 0, 2);
    collective(C::allgather, out ? out : bytes(words, 1, 3));
  } else if (action == "alltoall") {
    words.need(2);
    const std::uint64_t out = bytes(words, 0, 2);
    collective(C::alltoall, out ? out : bytes(words, 1, 3));
  } else if (action == "gatherv") {
    words.need(n + 1);
    collective(C::gatherv, bytes(words, 0, n + 2), root(words, n + 1));
  } else if (action == "allgatherv") {
    words.need(n + 1);
    // Displacements may follow, alone or behind the types.
    const bool has_types = words.count() > 2 * n + 1 || words.count() <= n + 3;
    collective(C::allgatherv, words.amount(0) * (has_types ? type(n + 1) : default_size_));
  } else if (action == "scatterv") {
    words.need(n + 1);
    const std::int32_t from = root(words, n + 1);
    const std::uint64_t mine = words.amount(n) * type(n + 3);
    std::vector<std::uint64_t> list;
    if (static_cast<std::uint32_t>(from) == rank_) list = counts(words, 0, type(n + 2));
    collective(C::scatterv, mine, from);
    made_.back().list = std::move(list);
  } else if (action == "alltoallv") {
    words.need(2 * n + 2);
    std::vector<std::uint64_t> list = counts(words, 1, type(2 * n + 2));
    (void)counts(words, n + 2,
                 type(2 * n + 3));  // the sizes that others send: checked here, and read from their lines
    collective(C::alltoallv, 0);
    made_.back().list = std::move(list);
  } else if (action == "reducescatter") {
    words.need(n + 1);
    std::vector<std::uint64_t> list = counts(words, 0, type(n + 1));
    collective(C::reduce_scatter, 0);
    made_.back().list = std::move(list);
    compute(words, n);
  } else {
    return false;
  }
  return true;
}

}  // namespace

Trace import_ti_texts(std::deque<TiText> texts, const TiOptions& options, Remarks* remarks) {
  const std::string name = texts.empty() ? "the trace" : texts[0].name;
  const TiLines lines(std::move(texts));
  const bool old = find_old_spelling(lines);
  Remarker remarker;
  Header header;
  header.program = "imported from SimGrid: " + name;
  header.pes = static_cast<std::uint32_t>(lines.ranks());
  for (std::uint32_t rank = 0; rank < lines.ranks(); ++rank) header.placement.push_back(rank);
  TraceBuilder builder(std::move(header), lines.ranks());
  for (std::uint32_t rank = 0; rank < lines.ranks(); ++rank)
    RankReader(lines, rank, options, old, remarker).read(builder);
  Trace trace = std::move(builder).finish();
  try {
    const Messages messages(trace);
    check_received(trace, messages);
    const Collectives collectives(trace, messages);
  } catch (const TraceError& error) {
    throw TraceError(name + (lines.ranks() > 1 ? " and the others" : "") + ": " + error.what() +
                     ". Is a file cut off, or of another run?");
  }
  if (remarks) *remarks = remarker.take();
  return trace;
}

Trace import_ti(const std::string& path, const TiOptions& options, Remarks* remarks) {
  return import_ti_texts(read_ti_files(path), options, remarks);
}

}  // namespace skein::trace
