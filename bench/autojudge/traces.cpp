// SPDX-License-Identifier: Apache-2.0
// Prints how long a trace takes on a platform, by full simulation: messages, meetings, moves.
//
// usage: autojudge_traces WHAT TRACE PLATFORM PES[,PES...] [--points N] [--copies N]
//
// WHAT is
//   fixed      all strategies that a user can name, and periods from 1 to 50 sync points, by the fast
//              network; none and the best three again by flows (simgrid)
//   auto       --lb auto --lb-period auto, by both; auto-fast: by the fast network alone
//   NAME@K     that strategy every K sync points, by the fast network
//
//   --points   plays the trace up to that sync point
//   --copies   plays so many copies of the trace side by side, whose bursts take from 0.7 to 1.3 times as
//              long; all copies take part in collectives of the world
//
// Prints a line of JSON for each number of PEs. bench/autojudge/judge.py runs it, and tells which traces are
// held out.
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>

#include "bench/autojudge/search.hpp"
#include "bench/autojudge/tile.hpp"
#include "skein/lb/trace_beginning.hpp"

namespace {

using namespace skein;
using autojudge::Choice;
using nlohmann::json;
using simulate::NetworkEngine;
using simulate::Platform;

constexpr std::size_t finalists = 3;

json to_json(const Choice& choice) {
  return {{"strategy", choice.strategy},
          {"period", choice.period},
          {"s", choice.seconds},
          {"steps", choice.steps}};
}

json fixed(const trace::Trace& trace, const Platform& platform) {
  json told{{"fast", json::array()}, {"flows", json::array()}};
  std::size_t played = 0;
  for (const Choice& choice : autojudge::search(trace, platform, {})) {
    told["fast"].push_back(to_json(choice));
    if (played < finalists || choice.strategy == "none") {
      told["flows"].push_back(to_json(autojudge::play(trace, platform, choice, NetworkEngine::simgrid)));
      ++played;
    }
  }
  return told;
}

json one(const trace::Trace& trace, const Platform& platform, const Choice& choice, bool flows) {
  json told{{"fast", to_json(autojudge::play(trace, platform, choice, NetworkEngine::fast))}};
  if (flows) told["flows"] = to_json(autojudge::play(trace, platform, choice, NetworkEngine::simgrid));
  return told;
}

Choice choice_of(const std::string& what) {
  const std::size_t at = what.find('@');
  if (at == std::string::npos) return {"auto", 0};
  return {what.substr(0, at), std::stoul(what.substr(at + 1))};
}

struct Request {
  std::string what, trace, platform, pes;
  std::uint64_t points = 0;
  std::size_t copies = 1;
};

Request parse(int argc, char** argv) {
  Request request;
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if ((word == "--points" || word == "--copies") && i + 1 < argc)
      (word == "--points" ? request.points : request.copies) = std::stoul(argv[++i]);
    else
      words.push_back(word);
  }
  if (words.size() != 4 || (words[0] != "fixed" && words[0] != "auto" && words[0] != "auto-fast" &&
                            words[0].find('@') == std::string::npos))
    throw std::invalid_argument(
        "usage: autojudge_traces fixed|auto|auto-fast|NAME@PERIOD TRACE PLATFORM PES[,PES...] [--points N] "
        "[--copies N]");
  request.what = words[0], request.trace = words[1], request.platform = words[2], request.pes = words[3];
  return request;
}

void answer(const Request& request) {
  trace::Trace trace = trace::read_trace(request.trace);
  if (request.points > 0) trace = trace::beginning(trace, request.points);
  if (request.copies > 1) trace = autojudge::tile(trace, request.copies);
  const Platform machine = simulate::load_platform(request.platform);
  std::istringstream pes(request.pes);
  for (std::string number; std::getline(pes, number, ',');) {
    const Platform platform = simulate::with_pes(machine, static_cast<std::uint32_t>(std::stoul(number)));
    json told = request.what == "fixed"
                    ? fixed(trace, platform)
                    : one(trace, platform, choice_of(request.what), request.what == "auto");
    told["pes"] = std::stoul(number);
    told["objects"] = trace.object_count();
    std::printf("%s\n", told.dump().c_str());
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    answer(parse(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "autojudge_traces: %s\n", error.what());
    return 2;
  }
}
