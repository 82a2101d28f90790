// SPDX-License-Identifier: Apache-2.0
#include "runtime/vmpi/io/home.hpp"

#include <cstring>

#include "runtime/net/transport.hpp"
#include "runtime/pe/location.hpp"
#include "runtime/rank/scheduler.hpp"

namespace skein::vmpi {

/// An answer, on the stack of the fiber that waits for it.
struct Answer {
  Fiber* fiber = nullptr;  ///< the blocked fiber, or null
  bool here = false;
  std::int64_t value = 0;
};

namespace {

enum class Question : std::uint8_t { add, take_turn, end_turn };

struct PointerRequest {  // from a member's PE to the home's PE
  File* home;
  Question question;
  int rank;
  std::int64_t amount;
  Answer* answer;
};
struct PointerReply {  // from the home's PE to a member's PE
  Answer* answer;
  std::int64_t value;
};

net::Handler on_asked, on_answered;
const net::MessageKind request_message("file-asked", on_asked);
const net::MessageKind reply_message("file-answered", on_answered);

void arrives(Answer& answer, std::int64_t value) {
  answer.value = value;
  answer.here = true;
  if (answer.fiber) make_ready(*answer.fiber);
}

void reply(int rank, Answer* answer, std::int64_t value) {
  if (pe::is_here(rank)) return arrives(*answer, value);
  const PointerReply answered{answer, value};
  net::send(pe::pe_of(rank), reply_message, {&answered, sizeof answered});
}

void give_next_turn(Common& common) {
  common.taken = !common.waiting.empty();
  if (!common.taken) return;
  const Common::Waiting next = common.waiting.front();
  common.waiting.pop_front();
  reply(next.rank, next.answer, 0);
}

/// Serves a request. Called on the home's PE.
void serve(const PointerRequest& asked) {
  Common& common = asked.home->common;
  switch (asked.question) {
    case Question::add:
      reply(asked.rank, asked.answer, common.shared_position);
      common.shared_position += asked.amount;
      return;
    case Question::take_turn:
      if (common.taken) return common.waiting.push_back({asked.rank, asked.answer});
      common.taken = true;
      return reply(asked.rank, asked.answer, 0);
    case Question::end_turn:
      return give_next_turn(common);
  }
}

void on_asked(int, const std::byte* message, std::size_t) {
  PointerRequest asked;
  memcpy(&asked, message, sizeof asked);
  serve(asked);
}

void on_answered(int, const std::byte* message, std::size_t) {
  PointerReply answered;
  memcpy(&answered, message, sizeof answered);
  arrives(*answered.answer, answered.value);
}

void put(const PointerRequest& asked, int home_rank) {
  if (pe::is_here(home_rank)) return serve(asked);
  net::send(pe::pe_of(home_rank), request_message, {&asked, sizeof asked});
}

std::int64_t ask(File& file, Question question, std::int64_t amount, const char* waiting) {
  Answer answer;
  put({file.home, question, file.state.rank.id, amount, &answer}, file.comm.world_rank(0));
  if (!answer.here) {
    answer.fiber = current_fiber();
    block({waiting, {}});
  }
  return answer.value;
}

}  // namespace

std::int64_t add_to_shared_position(File& file, std::int64_t etypes) {
  return ask(file, Question::add, etypes, "for the shared pointer of a file");
}

Turn::Turn(File& file) : file_(file.atomic ? &file : nullptr) {
  if (file_) (void)ask(file, Question::take_turn, 0, "for its turn in a file in atomic mode");
}

Turn::~Turn() {
  if (file_)
    put({file_->home, Question::end_turn, file_->state.rank.id, 0, nullptr}, file_->comm.world_rank(0));
}

}  // namespace skein::vmpi
