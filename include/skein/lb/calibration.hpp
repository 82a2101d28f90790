// SPDX-License-Identifier: Apache-2.0
// Fits a platform to measurements of a machine: straight lines with non-negative terms through the measured
// times, by least squares of relative errors. Pure.
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
  std::vector<SizeTime> sends;     // each of several short messages in a row: the sender's call
  std::vector<SizeTime> receives;  // the receiver's call once all messages have arrived
};

/// The time of an LB step with objects of one size: how much longer an interval between two sync points is
/// with a step than without, when the program fills the caches in between. It includes the costs behind the
/// step: cold caches, and pages that are touched anew.
struct StepTime {
  double objects;
  double bytes;  // of each object
  bool moves;    // true: each object moves to another PE; false: none moves
  double ns;
};

/// The time of a piece of work while `pes` PEs of a node compute.
struct ComputingTime {
  std::uint32_t pes;
  double ns;
};

/// The time that a strategy took to decide.
struct DecisionTime {
  std::string strategy;
  double elements;  // objects, PEs and edges
  double ns;
};

/// The time of `deciding` PEs that decide together. Measured about the same objects on two other PEs, so few
/// that partitions have two parts; only the ratio to the time of one PE is used.
struct TogetherTime {
  std::string strategy;
  std::uint32_t deciding;  // PEs; 1: one PE alone
  double elements;
  double ns;
};

struct Measurements {
  std::uint32_t nodes = 1;
  std::uint32_t pes_per_node = 1;
  std::uint64_t eager_bytes = 0;   // messages up to this size leave without waiting for the receiver
  MessageTimes pe, node, network;  // node, network: empty if no two such PEs were measured
  double switch_ns = 0;
  std::vector<ComputingTime> computing;  // in rounds that begin with one PE each; rounds are compared
  std::vector<StepTime> node_steps;      // on the PEs of one node
  std::vector<StepTime> network_steps;   // on PEs that are each on a different node
  std::uint32_t step_pes = 1;            // PEs of node_steps
  std::vector<DecisionTime> decisions;
  std::vector<TogetherTime> together;
};

struct Line {
  double constant = 0, slope = 0;
  double residual = 0;  // the largest relative error
};
/// Fits a line to points whose y is above 0; through one point it is constant.
Line fit_line(std::span<const SizeTime> points);

struct Calibration {
  Platform platform;
  std::vector<std::string> lines;  // the fitted terms and their errors, for people
};
Calibration calibrate(const Measurements& measured);

}  // namespace skein::simulate
