// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>
#include <string>

#include "skein/advisor.h"
#include "skein/advisor.hpp"

struct skein_advisor {
  skein::Advisor advisor;
};

namespace {

thread_local std::string last_error;

/// Calls C++ code; no exception reaches C.
template <class Call>
int guarded(Call call) {
  try {
    call();
    return 0;
  } catch (const std::exception& error) {
    last_error = error.what();
    return -1;
  }
}

void fill(skein_advice& out, const skein::Advice& advice) {
  out.balance = advice.balance;
  std::snprintf(out.strategy, sizeof out.strategy, "%s", advice.strategy.c_str());
  out.gain_s = advice.gain_s;
  out.imbalance_percent = advice.imbalance_percent;
  out.imbalance_after_percent = advice.imbalance_after_percent;
  out.modelled_imbalance_percent = advice.model.modelled.imbalance_percent;
  out.rank_correlation = advice.model.rank_correlation;
  out.rmse = advice.model.rmse;
  out.awaited = advice.awaited;
  out.dropped = advice.dropped;
  out.calls_late = advice.calls_late;
}

}  // namespace

extern "C" {

int skein_advisor_create(MPI_Comm comm, double horizon_steps, skein_advisor** advisor) {
  return skein_advisor_create_with(comm, horizon_steps, nullptr, advisor);
}
int skein_advisor_create_with(MPI_Comm comm, double horizon_steps, const char* strategy,
                              skein_advisor** advisor) {
  return guarded([&] {
    *advisor = new skein_advisor{skein::Advisor(comm, {horizon_steps, 1, strategy ? strategy : ""})};
  });
}

int skein_advisor_free(skein_advisor** advisor) {
  return guarded([&] {
    delete *advisor;
    *advisor = nullptr;
  });
}

int skein_advisor_begin_work(skein_advisor* advisor) {
  return guarded([&] { advisor->advisor.begin_work(); });
}
int skein_advisor_end_work(skein_advisor* advisor) {
  return guarded([&] { advisor->advisor.end_work(); });
}
int skein_advisor_add_work(skein_advisor* advisor, double seconds) {
  return guarded([&] { advisor->advisor.add_work(seconds); });
}

int skein_advisor_tell_interactions(skein_advisor* advisor, size_t interaction_count, const size_t* first,
                                    const uint64_t* element, const double* bytes) {
  return guarded([&] {
    std::vector<skein::AdvisorInteraction> given;
    for (std::size_t h = 0; h < interaction_count; ++h)
      given.push_back({{element + first[h], element + first[h + 1]}, bytes[h]});
    advisor->advisor.tell_interactions(given);
  });
}

int skein_advisor_advise(skein_advisor* advisor, const skein_advisor_element* elements, size_t element_count,
                         const skein_advisor_edge* edges, size_t edge_count, const float* positions,
                         uint64_t steps, skein_advice* advice, int* process) {
  return guarded([&] {
    std::vector<skein::AdvisorElement> given;
    std::vector<std::array<float, 3>> places;
    for (std::size_t k = 0; k < element_count; ++k) {
      given.push_back({elements[k].id, elements[k].weight, elements[k].bytes});
      if (positions) places.push_back({positions[3 * k], positions[3 * k + 1], positions[3 * k + 2]});
    }
    std::vector<skein::AdvisorEdge> links;
    for (std::size_t k = 0; k < edge_count; ++k)
      links.push_back({edges[k].from, edges[k].to, edges[k].bytes});
    const skein::Advice answer = advisor->advisor.advise(given, links, places, steps);
    fill(*advice, answer);
    // Without elements there is no new place either.
    for (std::size_t k = 0; k < answer.process.size(); ++k) process[k] = answer.process[k];
  });
}

int skein_advisor_moved(skein_advisor* advisor, double seconds) {
  return guarded([&] { advisor->advisor.moved(seconds); });
}

const char* skein_advisor_error(void) { return last_error.c_str(); }
}
