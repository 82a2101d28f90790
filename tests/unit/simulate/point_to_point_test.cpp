// SPDX-License-Identifier: Apache-2.0
// Timelines of small programs, worked out by hand to the nanosecond.
#include <doctest/doctest.h>

#include <string>

#include "tests/unit/simulate/make_trace.hpp"

using namespace skein::simulate;
using skein::trace::kAny;
using skein::trace::SendMode;

// On platform apart(), a short message of n bytes that is sent at t has left its sender at t + 100, and is
// there at t + 100 + 1000 + n / 2; its receiver continues 50 later.

TEST_CASE("simulate: a short message between two PEs") {
  Program program(2);
  program.on(0).send(1, 1000, 5000).end(10);
  program.on(1).receive(0, 1000, 200).end(300);
  const Timeline timeline = simulate(program.finish(), apart(2), in_blocks());
  // 0: computes until 5000, sends until 5100, ends at 5110. 1: the message is there at 6600.
  CHECK(timeline.makespan == 6600 + 50 + 300);
  CHECK(timeline.busy == std::vector<Ns>{5010, 500});
  CHECK(timeline.messages == 1);
  CHECK(timeline.remote_bytes == 1000);
  REQUIRE(timeline.bursts.size() == 4);
  CHECK(timeline.bursts[0].pe == 0);
  CHECK(timeline.bursts[1].end == 200);
}

TEST_CASE("simulate: a long message waits for its receiver, and its sender for its end") {
  Program program(2);
  program.on(0).send(1, 100000).end(10);
  program.on(1).receive(0, 100000, 7000).end();
  const Timeline timeline = simulate(program.finish(), apart(2), in_blocks());
  // The envelope has been there since 1100. At 7000 the receiver's PE takes it (50), matches and asks (100):
  // the request leaves at 7150, is there at 8150, taken at 8200; the data leave at 8300 and are there at 8300
  // + 1000 + 50000 = 59300. Both ranks continue then: the receiver takes 50.
  CHECK(timeline.interval_end.back() == 59350);
  CHECK(timeline.makespan == 59350);
}

TEST_CASE("simulate: a long message whose receiver has come before") {
  Program program(2);
  program.on(0).send(1, 100000, 3000).end(10);
  program.on(1).receive(0, 100000).end(5);
  const Timeline timeline = simulate(program.finish(), apart(2), in_blocks());
  // Envelope: 3100 out, 4100 there, taken at 4150; request out at 4250, there at 5250, taken at 5300; data
  // out at 5400, there at 5400 + 51000.
  CHECK(timeline.makespan == 56400 + 50 + 5);
}

TEST_CASE("simulate: within a node the receiver copies a long message, and tells") {
  Program program(2);
  program.on(0).send(1, 40000).end(10);
  program.on(1).receive(0, 40000, 1000).end();
  const Timeline timeline = simulate(program.finish(), together(2), in_blocks());
  // The envelope is there at 220. At 1000 it is taken (30), the data copied (10000), and the sender told
  // (20): the receiver ends at 11050. That message is there at 11250, taken at 11280, and the sender computes
  // 10 more.
  CHECK(timeline.makespan == 11290);
}

TEST_CASE("simulate: a synchronous send waits for the match, however short it is") {
  Program program(2);
  program.on(0).send(1, 0, 0, 0, SendMode::synchronous).end(10);
  program.on(1).receive(0, 0, 5000).end();
  const Timeline timeline = simulate(program.finish(), apart(2), in_blocks());
  // Taken at 5050, told at 5150, there at 6150, taken at 6200.
  CHECK(timeline.makespan == 6210);
}

TEST_CASE("simulate: ranks of one PE take turns, and a switch costs") {
  Platform platform = apart(1);
  platform.switch_ns = 7;
  Program program(2);
  program.on(0).receive(1, 8, 100).end(50);
  program.on(1).send(0, 8, 200).end(30);
  const Timeline timeline = simulate(program.finish(), platform, in_blocks());
  // 0 computes until 100 and blocks; 1 from 107 to 307, sends, goes on to its end at 337; 0 from 344 to 394.
  CHECK(timeline.makespan == 394);
  REQUIRE(timeline.bursts.size() == 4);
  CHECK(timeline.bursts[1].begin == 107);
  CHECK(timeline.bursts[2].begin == 307);
  CHECK(timeline.bursts[3].begin == 344);
  CHECK(timeline.remote_messages == 0);
}

TEST_CASE("simulate: on one PE a long message is an envelope, and its sender waits for the copy") {
  Platform platform = apart(1);
  platform.pe.receive_byte_ns = 0.5;
  platform.pe.send_byte_ns = 0.25;
  Program long_one(2);
  long_one.on(0).send(1, 20000, 10).end(1);
  long_one.on(1).receive(0, 20000, 100).end(5);
  // 0 blocks at 10; 1 copies from 110 to 10110, ends at 10115; 0 ends at 10116.
  CHECK(simulate(long_one.finish(), platform, in_blocks()).makespan == 10116);
  Program short_one(2);
  short_one.on(0).send(1, 1000, 10).end(1);
  short_one.on(1).receive(0, 1000, 100).end(5);
  // 0 copies until 260, ends at 261; 1 computes until 361, copies until 861, ends at 866.
  CHECK(simulate(short_one.finish(), platform, in_blocks()).makespan == 866);
  Program posted(2);
  posted.on(0).receive(1, 20000, 10).end(1);
  posted.on(1).send(0, 20000, 100).end(5);
  // The receive waits: 1 copies from 110 to 5110 and ends at 5115.
  CHECK(simulate(posted.finish(), platform, in_blocks()).makespan == 5116);
}

TEST_CASE("simulate: a ring of three PEs") {
  Program program(3);
  for (int rank = 0; rank < 3; ++rank) {
    program.on(static_cast<unsigned>(rank));
    if (rank == 0) program.send(1, 0, 1000);
    program.receive((rank + 2) % 3, 0);
    if (rank != 0) program.send((rank + 1) % 3, 0, 10);
    program.end();
  }
  const Timeline timeline = simulate(program.finish(), apart(3), in_blocks());
  // Each hop: 100 + 1000 + 50; 10 between.
  CHECK(timeline.makespan == 1000 + 3 * 1150 + 2 * 10);
}

TEST_CASE("simulate: waits for lists of requests end with the last of them") {
  Program program(3);
  program.on(0).ireceive(1, 0).ireceive(2, 0).isend(1, 0, 40).wait({2, 1, 0}, 60).end(7);
  program.on(1).ireceive(0, 0).send(0, 0, 500).wait({0}).end();
  program.on(2).send(0, 0, 3000).end();
  const Timeline timeline = simulate(program.finish(), apart(3), in_blocks());
  CHECK(timeline.makespan == 3000 + 1150 + 7);
}

TEST_CASE("simulate: a wildcard takes the message that it took when it was recorded") {
  Program three(3);
  three.on(0).ireceive(kAny, 0, 0, kAny).matched(0, 2, 9).wait({0}).receive(1, 0, 0, 4).end(3);
  three.on(1).send(0, 0, 100, 4).end();
  three.on(2).send(0, 0, 5000, 9).end();
  CHECK(simulate(three.finish(), apart(3), in_blocks()).makespan == 5000 + 1150 + 3);
}

TEST_CASE("simulate: a probe waits for its message, which stays") {
  Program program(2);
  program.on(0).probe(1, 16).receive(1, 16, 20).end(3);
  program.on(1).send(0, 16, 900).end();
  CHECK(simulate(program.finish(), apart(2), in_blocks()).makespan == 900 + 100 + 1008 + 50 + 20 + 3);
}

TEST_CASE("simulate: a message that is taken while a rank sleeps may keep its PE beyond the time to wake") {
  Program program(2);
  program.on(0).sleep(1120).receive(1, 0).end(1000);
  program.on(1).send(0, 0).end();
  // The message leaves at 100, is there at 1100, and taken at 1150.
  CHECK(simulate(program.finish(), apart(2), in_blocks()).makespan == 2150);
}

TEST_CASE("simulate: a rank that sleeps leaves its PE to others, a file call does not") {
  Program asleep(2);
  asleep.on(0).sleep(1000, 10).end(5);
  asleep.on(1).end(300);
  CHECK(simulate(asleep.finish(), apart(1), in_blocks()).makespan == 1015);
  Program reads(2);
  reads.on(0).file(1000, 10).end(5);
  reads.on(1).end(300);
  const Timeline timeline = simulate(reads.finish(), apart(1), in_blocks());
  CHECK(timeline.makespan == 1315);
  CHECK(timeline.busy == std::vector<Ns>{1315});
}

TEST_CASE("simulate: what came waits until the rank that computes gives way") {
  Program program(3, {0, 0, 1});
  Policy policy = in_blocks();
  policy.placement = Placement::recorded;
  program.on(0).receive(2, 0).end(10);
  program.on(1).end(9000);
  program.on(2).send(0, 0).end();
  // The message is there at 1100; rank 1 has the PE until 9000.
  CHECK(simulate(program.finish(), apart(2), policy).makespan == 9060);
}

TEST_CASE(
    "simulate: wildcards by arrival take what comes first, and leave what was posted before to its own") {
  Program program(3);
  // When it was recorded, the message of rank 2 came first.
  program.on(0).ireceive(kAny, 0, 0, kAny).matched(0, 2, 9).wait({0}).send(1, 0).ireceive(kAny, 0, 0, kAny);
  program.matched(0, 1, 4).wait({0}).end(3);
  program.on(1).send(0, 0, 100, 4).receive(0, 0).end();
  program.on(2).send(0, 0, 5000, 9).end();
  const skein::trace::Trace trace = program.finish();
  CHECK(simulate(trace, apart(3), in_blocks()).makespan == 5000 + 1150 + 100 + 1000 + 50);
  Policy policy = in_blocks();
  policy.wildcards_as_recorded = false;
  // Taken at 100 + 1150; the answer leaves at 1350; the second receive waits for rank 2.
  CHECK(simulate(trace, apart(3), policy).makespan == 5000 + 1150 + 3);

  Program posted(2);
  posted.on(0).ireceive(1, 0, 0, 5).ireceive(kAny, 0, 0, kAny).wait({1}).wait({0}, 10).end();
  posted.on(1).send(0, 0, 100, 5).send(0, 0, 1000, 5).end();
  // The first message goes to the receive that was posted first.
  CHECK(simulate(posted.finish(), apart(2), policy).makespan == 100 + 100 + 1000 + 1150);
}

TEST_CASE("simulate: a receive that was cancelled takes no message") {
  Program program(2);
  program.on(0).ireceive(1, 0).matched(0, kAny).wait({0}).receive(1, 0).end(3);
  program.on(1).send(0, 0, 100).end();
  CHECK(simulate(program.finish(), apart(2), in_blocks()).makespan == 100 + 1150 + 3);
}

TEST_CASE("simulate: a probe does not wait for a message that may have been cancelled later") {
  Program program(2);
  program.on(0).probe(1, 16).receive(1, 16, 20).end(3);
  program.on(1).isend(0, 16, 100).matched(0, kAny, kAny).wait({0}).send(0, 16, 900).end();
  CHECK(simulate(program.finish(), apart(2), in_blocks()).makespan == 1000 + 100 + 1008 + 50 + 3);
}

TEST_CASE("simulate: nothing is sent or received for requests that were cancelled, however late that was") {
  for (const bool by_arrival : {false, true}) {
    Policy policy = in_blocks();
    policy.wildcards_as_recorded = !by_arrival;
    Program program(2);
    // The receive is posted long after the second message, which is for the next receive, has come; the first
    // message's sender would wait for its receiver.
    program.on(0).isend(1, 100'000).matched(0, kAny, kAny).wait({0}).send(1, 0, 100).end();
    program.on(1).ireceive(0, 0, 50'000).matched(0, kAny, kAny).wait({0}).receive(0, 0, 7).end();
    const Timeline timeline = simulate(program.finish(), apart(2), policy);
    CHECK(timeline.messages == 1);
    CHECK(timeline.makespan == 50'000 + 7 + 50);  // computed, and taken
  }
}

TEST_CASE("simulate: who waits for ever is named, with what for") {
  Program program(3);
  program.on(0).receive(1, 8, 5, 17).end();
  program.on(1).ireceive(2, 8).wait({0}).end();
  program.on(2).end();
  try {
    (void)simulate(program.finish(), apart(3), in_blocks());
    FAIL("it came to an end");
  } catch (const SimulationError& error) {
    const std::string text = error.what();
    CHECK(text.find("2 of 3 ranks wait") != std::string::npos);
    CHECK(text.find("rank 0 at its event 1: a receive from rank 1, tag 17, communicator 0") !=
          std::string::npos);
    CHECK(text.find(
              "rank 1 at its event 2: a wait for 1 requests, of which 1 receives are not complete: a receive "
              "from rank 2") != std::string::npos);
  }
}

TEST_CASE("simulate: streams that are cut short are refused, but where all end at one place") {
  Program alike(2);
  alike.on(0).sync(8, 10).sync(8, 10);
  alike.on(1).sync(8, 10).sync(8, 30);
  CHECK(simulate(alike.finish(), apart(2), in_blocks()).makespan == 40);
  Program uneven(2);
  uneven.on(0).sync(8, 10);
  uneven.on(1).sync(8, 10).sync(8, 30).end();
  CHECK_THROWS_AS((void)simulate(uneven.finish(), apart(2), in_blocks()), SimulationError);
}

TEST_CASE("simulate: a faster network or PE is never slower without wildcards") {
  const auto program = [] {
    Program ring(8);
    for (int rank = 0; rank < 8; ++rank) {
      ring.on(static_cast<unsigned>(rank));
      for (int step = 0; step < 10; ++step) {
        ring.ireceive((rank + 7) % 8, 20000).ireceive((rank + 1) % 8, 500);
        ring.isend((rank + 1) % 8, 20000, static_cast<unsigned>(700 + 100 * rank))
            .isend((rank + 7) % 8, 500, 300);
        ring.wait({3, 2, 1, 0}, static_cast<unsigned>(2000 * (rank % 3)));
        ring.collective(skein::trace::Collective::allreduce, 8, 50);
      }
      ring.end();
    }
    return ring.finish();
  };
  Ns before = skein::simulate::Ns{1} << 60;
  for (const double latency : {8000., 4000., 1000., 100.}) {
    Platform platform = apart(8);
    platform.network.latency_ns = latency;
    const Ns makespan = simulate(program(), platform, in_blocks()).makespan;
    CHECK(makespan <= before);
    before = makespan;
  }
  for (const double speed : {1., 1.5, 4., 100.}) {
    Platform platform = apart(8);
    platform.speed = speed;
    platform.network.latency_ns = 100;
    const Ns makespan = simulate(program(), platform, in_blocks()).makespan;
    CHECK(makespan <= before);
    before = makespan;
  }
}
