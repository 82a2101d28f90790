// SPDX-License-Identifier: Apache-2.0
// From what was measured on a machine to a platform: straight lines through measured times, by least squares
// of relative errors, none of whose terms is below zero. Pure.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "skein/lb/platform.hpp"

namespace skein::simulate {

struct SizeTime {
  double bytes;
  double ns;
};

/// The times of messages between two ranks.
struct MessageTimes {
  std::vector<SizeTime> trips;     // one way of a ping-pong, as the ranks see it
  std::vector<SizeTime> sends;     // each of a row of short ones: the sender's call
  std::vector<SizeTime> receives;  // the receiver's call, when all have arrived
};

/// What an LB step takes, with all objects of one size: by how much the time from sync point to sync point is
/// longer with a step than without, where the program fills the caches in between. What objects meet behind
/// the step, cold caches and their pages anew, is in it.
struct StepTime {
  double objects;
  double bytes;  // of each object
  bool moves;    // each object goes from one PE to another; else none does
  double ns;
};

/// What a piece of work takes while so many PEs of a node compute.
struct ComputingTime {
  std::uint32_t pes;
  double ns;
};

/// What a strategy took to decide.
struct DecisionTime {
  std::string strategy;
  double elements;  // objects, PEs and edges
  double ns;
};

/// The times of several PEs that decide together, and of one in their place: about the same objects on two
/// other PEs, so few that partitions have two parts. What is used is how the others compare with one.
struct TogetherTime {
  std::string strategy;
  std::uint32_t deciding;  // PEs; 1: alone
  double elements;
  double ns;
};

struct Measurements {
  std::uint32_t nodes = 1;
  std::uint32_t pes_per_node = 1;
  std::uint64_t eager_bytes = 0;   // sizes up to this leave without their receiver
  MessageTimes pe, node, network;  // node, network: empty where there are no two such PEs
  double switch_ns = 0;
  std::vector<ComputingTime> computing;  // round after round, each from one PE on, which are compared
  std::vector<StepTime> node_steps;      // on the PEs of one node
  std::vector<StepTime> network_steps;   // on PEs that are all on different nodes
  std::uint32_t step_pes = 1;            // PEs of node_steps
  std::vector<DecisionTime> decisions;
  std::vector<TogetherTime> together;
};

struct Line {
  double constant = 0, slope = 0;
  double residual = 0;  // the largest relative error
};
/// Through points whose y is above 0. Of one point, a constant.
Line fit_line(std::span<const SizeTime> points);

struct Calibration {
  Platform platform;
  std::vector<std::string> lines;  // what was fitted, and how well: for people
};
Calibration calibrate(const Measurements& measured);

}  // namespace skein::simulate
