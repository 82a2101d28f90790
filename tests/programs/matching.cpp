// SPDX-License-Identifier: Apache-2.0
// `matching [ROUNDS]`: compares the matching of a rank's messages to itself with the rules of MPI 4.1,
// section 3.5, kept here as plain lists: a message takes the first posted receive that fits it, a receive the
// first message that fits it. Ranks move while both lists are full.
#include <deque>
#include <list>
#include <random>

#include "check.h"

namespace {

/// A message or a receive. In a deque, since MPI keeps the addresses.
struct Post {
  int tag;
  MPI_Comm comm;
  int number = -1;                ///< content of a message, or what a receive got
  const Post* partner = nullptr;  ///< its partner by the rules
  MPI_Request request = MPI_REQUEST_NULL;
};

bool fits(const Post& receive, const Post& message) {
  return receive.comm == message.comm && (receive.tag == MPI_ANY_TAG || receive.tag == message.tag);
}

/// Takes the first of `waiting` that `wanted` accepts out of the list; returns null if there is none.
template <class Wanted>
Post* take(std::list<Post*>& waiting, const Wanted& wanted) {
  for (auto it = waiting.begin(); it != waiting.end(); ++it)
    if (wanted(**it)) {
      Post* const found = *it;
      waiting.erase(it);
      return found;
    }
  return nullptr;
}

void meet(Post& receive, Post& message) {
  receive.partner = &message;
  message.partner = &receive;
}

class Model {
 public:
  void receive(int tag, MPI_Comm comm, bool any_source) {
    Post& post = receives_.emplace_back(Post{tag, comm});
    const int source = any_source ? MPI_ANY_SOURCE : rank_in(comm);
    MPI_Irecv(&post.number, 1, MPI_INT, source, tag, comm, &post.request);
    if (Post* const message = take(unexpected_, [&](const Post& m) { return fits(post, m); }))
      meet(post, *message);
    else
      posted_.push_back(&post);
  }

  void send(int tag, MPI_Comm comm, bool synchronous) {
    Post& post = messages_.emplace_back(Post{tag, comm, static_cast<int>(messages_.size())});
    const auto start = synchronous ? MPI_Issend : MPI_Isend;
    start(&post.number, 1, MPI_INT, rank_in(comm), tag, comm, &post.request);
    if (Post* const receive = take(posted_, [&](const Post& r) { return fits(r, post); }))
      meet(*receive, post);
    else
      unexpected_.push_back(&post);
  }

  void probe(int tag, MPI_Comm comm) const {
    const Post wanted{tag, comm};
    const Post* expected = nullptr;
    for (const Post* const message : unexpected_)
      if (!expected && fits(wanted, *message)) expected = message;
    int found = -1, bytes = -1;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, comm, &found, &status);
    CHECK(found == (expected != nullptr));
    if (!expected) return;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    CHECK(status.MPI_TAG == expected->tag && status.MPI_SOURCE == rank_in(comm) && bytes == sizeof(int));
  }

  /// Gives a partner to each post that has not met one. Then all have completed as they should.
  void finish() {
    while (!posted_.empty()) {
      const Post& lonely = *posted_.front();
      send(lonely.tag == MPI_ANY_TAG ? 1 : lonely.tag, lonely.comm, false);
    }
    while (!unexpected_.empty()) {
      const Post& lonely = *unexpected_.front();
      receive(lonely.tag, lonely.comm, false);
    }
    for (Post& receive : receives_) {
      MPI_Status status;
      MPI_Wait(&receive.request, &status);
      CHECK(receive.partner && receive.number == receive.partner->number);
      CHECK(status.MPI_TAG == receive.partner->tag);
    }
    for (Post& message : messages_) MPI_Wait(&message.request, MPI_STATUS_IGNORE);
  }

 private:
  static int rank_in(MPI_Comm comm) {
    int rank = -1;
    MPI_Comm_rank(comm, &rank);
    return rank;
  }

  std::deque<Post> receives_, messages_;
  std::list<Post*> posted_, unexpected_;
};

void play(unsigned seed, MPI_Comm other) {
  std::mt19937 random(seed);
  Model model;
  const unsigned receives_of_ten = 2 + random() % 6;  // either list becomes long in some rounds
  for (int step = 0; step < 60; ++step) {
    if (step % 20 == 10) maybe_move();
    const MPI_Comm comm = random() % 3 ? MPI_COMM_SELF : other;
    const int tag = static_cast<int>(random() % 4);
    const unsigned draw = random() % 10;
    if (draw == 0)
      model.probe(random() % 2 ? tag : MPI_ANY_TAG, comm);
    else if (draw <= receives_of_ten)
      model.receive(random() % 4 ? tag : MPI_ANY_TAG, comm, random() % 2);
    else
      model.send(tag, comm, random() % 2);
  }
  model.finish();
}

}  // namespace

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int rounds = number_argument(argc, argv, 1, 60);
  MPI_Comm other;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  for (int round = 0; round < rounds; ++round)
    play(static_cast<unsigned>(round * rank_count + my_rank), other);
  MPI_Comm_free(&other);
  finish("matching");
}
