// SPDX-License-Identifier: Apache-2.0
// `tied [ROUNDS]`: requests that recur, persistent ones and nonblocking calls with the same arguments, among
// other messages of the same keys, compared with the rules of MPI 4.1, section 3.5, kept here as plain lists.
// First each rank exchanges with itself, so that the order of everything is known: sends and receives that
// recur and others, wildcards, probes, cancels, messages too long for their receive, requests that are freed,
// active or not, moves in between. Then neighbours exchange data of derived types, partitioned messages of
// the same tags, messages on communicators that come and go, and with very many buffers and types of the same
// size.
#include <algorithm>
#include <array>
#include <deque>
#include <list>
#include <random>
#include <vector>

#include "check.h"

namespace {

// Ints of a message: the size that a tie keeps, just more, and sizes that are copied later or by their
// receiver alone.
constexpr std::array sizes{1, 16, 17, 100, 3000, 6000};
constexpr int longest = 6000;
constexpr int longest_kept = 16 * 1024 / sizeof(int);

/// One start of a send or a receive. In a deque or a recurring post, since MPI keeps the addresses.
struct Post {
  int peer = 0;
  int tag = 0;
  int ints = 0;  ///< of the message, or the room for it
  MPI_Comm comm = MPI_COMM_SELF;
  bool synchronous = false;
  bool persistent = false;  ///< else started by nonblocking calls
  int number = -1;          ///< of a message: the content of each int
  int got = -1;             ///< of a receive: the number of the message that it must get, and its length
  int got_ints = -1, got_tag = -1;
  bool met = false;
  bool active = false;
  std::vector<int> data;
  MPI_Request request = MPI_REQUEST_NULL;
};

int rank_in(MPI_Comm comm) {
  int rank = -1;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

bool fits(const Post& receive, const Post& message) {
  return receive.comm == message.comm && (receive.tag == MPI_ANY_TAG || receive.tag == message.tag);
}

class Model {
 public:
  Model(unsigned seed, MPI_Comm other) : random_(seed), other_(other) {
    for (Post& send : sends_) make_send(send);
    for (Post& receive : receives_) make_receive(receive);
  }
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  void play(int steps) {
    const int plain_of_ten = below(3);  // mostly or only recurring ones, so that ties last
    for (int step = 0; step < steps; ++step) {
      if (step % 60 == 30) maybe_move();  // all ranks alike
      if (below(10) < plain_of_ten)
        play_other();
      else
        play_recurring();
    }
  }

  /// Gives a partner to each post that has not met one; then all complete as they should.
  void finish() {
    while (!posted_.empty()) {
      const Post& lonely = *posted_.front();
      send_once(lonely.tag == MPI_ANY_TAG ? 1 : lonely.tag, lonely.comm, false);
    }
    while (!waiting_.empty()) receive_once(waiting_.front()->tag, waiting_.front()->comm);
    for (Post& receive : receives_) take_receive(receive);
    for (Post& receive : received_once_) take_receive(receive);
    for (Post& receive : receives_) CHECK(!receive.active);
    for (const Post& receive : freed_receives_) {
      CHECK(receive.met);
      check_data(receive);
    }
    for (Post& send : sends_) take_send(send);
    for (Post& send : sent_once_) take_send(send);
    for (Post& send : sends_) CHECK(!send.active);
    for (Post& send : sends_) free_inactive(send);
    for (Post& receive : receives_) free_inactive(receive);
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  MPI_Comm some_comm() { return below(3) ? MPI_COMM_SELF : other_; }

  void make_send(Post& send) {
    send = {};
    send.tag = below(3);
    send.comm = some_comm();
    send.ints = sizes[static_cast<std::size_t>(below(sizes.size()))];
    send.synchronous = below(4) == 0;
    send.peer = rank_in(send.comm);
    send.persistent = below(2);
    send.data.resize(static_cast<std::size_t>(send.ints));
    if (send.persistent) call(send, send.synchronous ? MPI_Ssend_init : MPI_Send_init);
  }
  void make_receive(Post& receive) {
    receive = {};
    receive.tag = below(8) ? below(3) : MPI_ANY_TAG;
    receive.comm = some_comm();
    receive.ints = below(8) ? longest : sizes[static_cast<std::size_t>(below(sizes.size()))];
    receive.data.resize(static_cast<std::size_t>(receive.ints));
    receive.peer = below(8) ? rank_in(receive.comm) : MPI_ANY_SOURCE;
    receive.persistent = below(2);
    if (receive.persistent) call(receive, MPI_Recv_init);
  }
  template <class Function>
  static void call(Post& post, Function function) {
    function(post.data.data(), post.ints, MPI_INT, post.peer, post.tag, post.comm, &post.request);
  }
  static void start_send(Post& send) {
    if (send.persistent)
      MPI_Start(&send.request);
    else
      call(send, send.synchronous ? MPI_Issend : MPI_Isend);
  }
  static void start_receive(Post& receive) {
    if (receive.persistent)
      MPI_Start(&receive.request);
    else
      call(receive, MPI_Irecv);
  }
  static void free_inactive(Post& post) {
    CHECK((post.request != MPI_REQUEST_NULL) == post.persistent);
    if (post.persistent) MPI_Request_free(&post.request);
  }

  void meet(Post& receive, Post& message) {
    receive.got = message.number;
    receive.got_ints = message.ints;
    receive.got_tag = message.tag;
    receive.met = message.met = true;
  }
  void comes(Post& message) {
    message.active = true;
    for (auto at = posted_.begin(); at != posted_.end(); ++at)
      if (fits(**at, message)) {
        meet(**at, message);
        posted_.erase(at);
        return;
      }
    waiting_.push_back(&message);
  }
  void is_posted(Post& receive) {
    receive.active = true;
    for (auto at = waiting_.begin(); at != waiting_.end(); ++at)
      if (fits(receive, **at)) {
        meet(receive, **at);
        waiting_.erase(at);
        return;
      }
    posted_.push_back(&receive);
  }

  void fill(Post& send) {
    send.number = next_number_++;
    send.met = false;
    std::fill(send.data.begin(), send.data.end(), send.number);
  }
  void clear(Post& receive) {
    receive.met = false;
    std::fill(receive.data.begin(), receive.data.end(), -1);
  }

  void play_recurring() {
    Post& send = sends_[static_cast<std::size_t>(below(sends_.size()))];
    Post& receive = receives_[static_cast<std::size_t>(below(receives_.size()))];
    switch (below(32)) {
      case 0:
        return cancel(receive, posted_);
      case 1:
        return cancel(send, waiting_);
      case 2:
        if (send.active) return;
        free_inactive(send);
        return make_send(send);
      case 3:
        if (receive.active) return;
        free_inactive(receive);
        return make_receive(receive);
      case 4:
        if (!send.active) return;
        free_active(send, freed_sends_, waiting_);
        return make_send(send);
      case 5:
        if (!receive.active) return;
        free_active(receive, freed_receives_, posted_);
        return make_receive(receive);
      default:
        break;
    }
    if (below(2)) {
      if (send.active) return take_send(send);
      fill(send);
      start_send(send);
      comes(send);
    } else {
      if (receive.active) return take_receive(receive);
      clear(receive);
      start_receive(receive);
      is_posted(receive);
    }
  }

  void play_other() {
    const int tag = below(3);
    switch (below(4)) {
      case 0:
        return probe(below(2) ? tag : MPI_ANY_TAG, some_comm());
      case 1:
        return receive_once(below(3) ? tag : MPI_ANY_TAG, some_comm());
      default:
        return send_once(tag, some_comm(), below(2));
    }
  }

  void send_once(int tag, MPI_Comm comm, bool synchronous) {
    Post& send = sent_once_.emplace_back();
    send.tag = tag;
    send.comm = comm;
    send.ints = sizes[static_cast<std::size_t>(below(sizes.size()))];
    send.synchronous = synchronous;
    send.data.resize(static_cast<std::size_t>(send.ints));
    fill(send);
    const auto start = synchronous ? MPI_Issend : MPI_Isend;
    start(send.data.data(), send.ints, MPI_INT, rank_in(comm), tag, comm, &send.request);
    comes(send);
  }
  void receive_once(int tag, MPI_Comm comm) {
    Post& receive = received_once_.emplace_back();
    receive.tag = tag;
    receive.comm = comm;
    receive.ints = longest;
    receive.data.resize(longest);
    clear(receive);
    MPI_Irecv(receive.data.data(), longest, MPI_INT, below(2) ? MPI_ANY_SOURCE : rank_in(comm), tag, comm,
              &receive.request);
    is_posted(receive);
  }
  void probe(int tag, MPI_Comm comm) {
    Post wanted;
    wanted.tag = tag;
    wanted.comm = comm;
    const Post* expected = nullptr;
    for (const Post* const message : waiting_)
      if (!expected && fits(wanted, *message)) expected = message;
    int found = -1, ints = -1;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, comm, &found, &status);
    CHECK(found == (expected != nullptr));
    if (!expected) return;
    MPI_Get_count(&status, MPI_INT, &ints);
    CHECK(status.MPI_TAG == expected->tag && ints == expected->ints);
  }

  /// `unmet`: the list of posts that have not met a partner.
  void cancel(Post& post, std::list<Post*>& unmet) {
    if (!post.active) return;
    MPI_Cancel(&post.request);
    MPI_Status status;
    if (post.met) {
      return &unmet == &posted_ ? take_receive(post) : take_send(post);
    }
    MPI_Wait(&post.request, &status);
    int cancelled = -1;
    MPI_Test_cancelled(&status, &cancelled);
    CHECK(cancelled == 1);
    unmet.remove(&post);
    post.active = false;
  }

  /// The freed operation goes on; its data stays until all is over.
  void free_active(Post& post, std::deque<Post>& freed, std::list<Post*>& unmet) {
    MPI_Request_free(&post.request);
    CHECK(post.request == MPI_REQUEST_NULL);
    Post& kept = freed.emplace_back(std::move(post));
    std::replace(unmet.begin(), unmet.end(), &post, &kept);
  }

  void take_send(Post& send) {
    if (!send.active) return;
    if (!send.met && (send.synchronous || send.ints > longest_kept)) {
      int complete = -1;
      MPI_Test(&send.request, &complete, MPI_STATUS_IGNORE);
      CHECK(complete == 0);
      return;
    }
    if (!send.met && below(2)) return;
    if (!send.met) *std::find(waiting_.begin(), waiting_.end(), &send) = &left_.emplace_back(send);
    MPI_Wait(&send.request, MPI_STATUS_IGNORE);
    std::fill(send.data.begin(), send.data.end(), -2);  // the data belongs to the program again
    send.active = false;
  }
  void take_receive(Post& receive) {
    if (!receive.active) return;
    MPI_Status status;
    if (!receive.met) {
      int complete = -1;
      MPI_Test(&receive.request, &complete, &status);
      CHECK(complete == 0);
      return;
    }
    const int error = MPI_Wait(&receive.request, &status);
    int ints = -1;
    MPI_Get_count(&status, MPI_INT, &ints);
    const int expected = std::min(receive.ints, receive.got_ints);
    CHECK(class_of(error) == (receive.got_ints > receive.ints ? MPI_ERR_TRUNCATE : MPI_SUCCESS));
    CHECK(ints == expected && status.MPI_TAG == receive.got_tag &&
          status.MPI_SOURCE == rank_in(receive.comm));
    check_data(receive);
    receive.active = false;
  }
  void check_data(const Post& receive) {
    const auto expected = static_cast<std::size_t>(std::min(receive.ints, receive.got_ints));
    for (std::size_t i = 0; i < expected; ++i) CHECK(receive.data[i] == receive.got);
    for (std::size_t i = expected; i < receive.data.size(); ++i) CHECK(receive.data[i] == -1);
  }

  std::mt19937 random_;
  MPI_Comm other_;
  int next_number_ = 0;
  std::array<Post, 5> sends_, receives_;
  std::deque<Post> sent_once_, received_once_;
  std::deque<Post> freed_sends_, freed_receives_;  // while they were active
  std::deque<Post> left_;                          // messages that wait while their send has been taken
  std::list<Post*> posted_, waiting_;
};

/// Exchanges data with both neighbours in a ring, different data in each start; every other int of it if
/// `strided`. Uses persistent requests, or nonblocking calls.
void exchange(int rounds, int ints, bool strided, bool persistent, unsigned seed) {
  std::mt19937 random(seed);
  MPI_Datatype type;
  MPI_Type_vector(ints, 1, strided ? 2 : 1, MPI_INT, &type);
  MPI_Type_commit(&type);
  const auto length = static_cast<std::size_t>(2 * ints);
  const int step = strided ? 2 : 1;
  const int neighbours[] = {(my_rank + rank_count - 1) % rank_count, (my_rank + 1) % rank_count};
  std::array<std::vector<int>, 2> out, in;
  std::array<MPI_Request, 4> requests;
  for (unsigned side = 0; side < 2; ++side) {
    out[side].resize(length);
    in[side].resize(length);
    if (!persistent) continue;
    // Messages upwards have tag 1.
    MPI_Send_init(out[side].data(), 1, type, neighbours[side], static_cast<int>(side), MPI_COMM_WORLD,
                  &requests[side]);
    MPI_Recv_init(in[side].data(), ints, MPI_INT, neighbours[side], static_cast<int>(1 - side),
                  MPI_COMM_WORLD, &requests[2 + side]);
  }
  const auto start = [&](std::size_t each) {
    const std::size_t side = each % 2;
    if (persistent)
      MPI_Start(&requests[each]);
    else if (each >= 2)
      MPI_Irecv(in[side].data(), ints, MPI_INT, neighbours[side], static_cast<int>(1 - side), MPI_COMM_WORLD,
                &requests[each]);
    else
      MPI_Isend(out[side].data(), strided ? 1 : ints, strided ? type : MPI_INT, neighbours[side],
                static_cast<int>(side), MPI_COMM_WORLD, &requests[each]);
  };
  if (persistent) MPI_Type_free(&type);
  // Partitions go upwards, with the tag of that direction.
  constexpr int partitions = 3;
  std::vector<int> out_parts(static_cast<std::size_t>(partitions * ints)), in_parts(out_parts.size());
  std::array<MPI_Request, 2> in_partitions;
  MPI_Psend_init(out_parts.data(), partitions, ints, MPI_INT, neighbours[1], 1, MPI_COMM_WORLD, MPI_INFO_NULL,
                 &in_partitions[0]);
  MPI_Precv_init(in_parts.data(), partitions, ints, MPI_INT, neighbours[0], 1, MPI_COMM_WORLD, MPI_INFO_NULL,
                 &in_partitions[1]);
  for (int round = 0; round < rounds; ++round) {
    for (unsigned side = 0; side < 2; ++side)
      for (int i = 0; i < ints; ++i)
        out[side][static_cast<std::size_t>(step * i)] =
            1000 * (my_rank + round) + 2 * i + static_cast<int>(side);
    for (std::size_t i = 0; i < out_parts.size(); ++i)
      out_parts[i] = 1000 * (my_rank - round) + static_cast<int>(i);
    std::fill(in_parts.begin(), in_parts.end(), -1);
    MPI_Startall(2, in_partitions.data());
    const bool moves_pending = round % 7 == 3;
    // Receives first, sends first, or any order, so that each side comes first at times.
    std::array<int, 4> order{0, 1, 2, 3};
    std::shuffle(order.begin(), order.end(), random);
    for (const int each : order) {
      if (each < partitions) MPI_Pready(each, in_partitions[0]);
      start(static_cast<std::size_t>(each));
      if (moves_pending && each == order[1]) maybe_move();
    }
    if (round % 5 == 4) MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
    MPI_Waitall(2, in_partitions.data(), MPI_STATUSES_IGNORE);
    for (std::size_t i = 0; i < in_parts.size(); ++i)
      CHECK(in_parts[i] == 1000 * (neighbours[0] - round) + static_cast<int>(i));
    for (unsigned side = 0; side < 2; ++side)
      for (int i = 0; i < ints; ++i)
        CHECK(in[side][static_cast<std::size_t>(i)] ==
              1000 * (neighbours[side] + round) + 2 * i + static_cast<int>(1 - side));
    if (round % 7 == 6) maybe_move();
  }
  for (MPI_Request& request : requests) {
    CHECK((request != MPI_REQUEST_NULL) == persistent);
    if (persistent) MPI_Request_free(&request);
  }
  if (!persistent) MPI_Type_free(&type);
  for (MPI_Request& request : in_partitions) MPI_Request_free(&request);
}

/// Sends messages upwards in a ring on communicators that come and go, mostly at one address: a message on
/// one is received on none of the others, and a message that is under way when its communicator is freed
/// arrives.
void change_communicators(int rounds) {
  std::vector<int> out(40), in(40);
  for (int round = 0; round < rounds; ++round) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const int up = (my_rank + 1) % rank_count, down = (my_rank + rank_count - 1) % rank_count;
    for (int again = 0; again < 4; ++again) {
      std::fill(out.begin(), out.end(), 1000 * round + 10 * my_rank + again);
      std::fill(in.begin(), in.end(), -1);
      MPI_Request requests[2];
      MPI_Irecv(in.data(), 40, MPI_INT, down, 0, comm, &requests[0]);
      if (again == 2) maybe_move();
      MPI_Isend(out.data(), 40, MPI_INT, up, 0, comm, &requests[1]);
      if (again == 3) MPI_Comm_free(&comm);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
      for (const int each : in) CHECK(each == 1000 * round + 10 * down + again);
    }
    CHECK(comm == MPI_COMM_NULL);
  }
}

/// Uses more buffers than are remembered, each with a message upwards and, of the same bytes but another
/// type, one back.
void use_many_buffers(int rounds) {
  struct Pair {
    double value;
    int index;
  };
  constexpr int count = 150;
  const int up = (my_rank + 1) % rank_count, down = (my_rank + rank_count - 1) % rank_count;
  std::vector<std::array<Pair, 4>> out(count), in(count);
  std::vector<MPI_Request> requests(2 * count);
  for (int round = 0; round < rounds; ++round) {
    // Three pairs are 36 bytes, and so are nine ints.
    const bool pairs = round % 2;
    for (std::size_t i = 0; i < count; ++i) {
      out[i].fill({my_rank + 0.5, static_cast<int>(i) + round});
      in[i].fill({-1, -1});
      if (!pairs) std::fill_n(reinterpret_cast<char*>(&out[i]), 36, static_cast<char>(round + my_rank));
    }
    const MPI_Datatype type = pairs ? MPI_DOUBLE_INT : MPI_INT;
    for (int i = 0; i < count; ++i)
      MPI_Irecv(&in[static_cast<std::size_t>(i)], pairs ? 3 : 9, type, down, i % 100, MPI_COMM_WORLD,
                &requests[static_cast<std::size_t>(i)]);
    for (int i = 0; i < count; ++i)
      MPI_Isend(&out[static_cast<std::size_t>(i)], pairs ? 3 : 9, type, up, i % 100, MPI_COMM_WORLD,
                &requests[static_cast<std::size_t>(count + i)]);
    for (std::size_t i = 0; i < requests.size(); i += 50) MPI_Waitall(50, &requests[i], MPI_STATUSES_IGNORE);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; pairs && k < 3; ++k)
        CHECK(in[i][k].value == down + 0.5 && in[i][k].index == static_cast<int>(i) + round);
      for (std::size_t k = 0; !pairs && k < 36; ++k)
        CHECK(reinterpret_cast<const char*>(&in[i])[k] == static_cast<char>(round + down));
      CHECK(in[i][3].index == -1);  // nothing was written behind it
    }
    if (round % 5 == 2) maybe_move();
  }
}

}  // namespace

int main(int argc, char** argv) {
  begin(&argc, &argv);
  const int rounds = number_argument(argc, argv, 1, 30);
  MPI_Comm other;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  MPI_Comm_set_errhandler(other, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  for (int round = 0; round < rounds; ++round) {
    Model model(static_cast<unsigned>(round * rank_count + my_rank), other);
    model.play(300);
    model.finish();
  }
  MPI_Comm_free(&other);
  for (const int ints : sizes)
    for (const bool strided : {false, true})
      for (const bool persistent : {false, true})
        exchange(rounds, ints, strided, persistent, static_cast<unsigned>(ints * rank_count + my_rank));
  change_communicators(rounds);
  use_many_buffers(rounds);
  finish("tied");
}
