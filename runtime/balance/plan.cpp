// SPDX-License-Identifier: Apache-2.0
#include "runtime/balance/plan.hpp"

#include "runtime/balance/roles.hpp"
#include "runtime/base/bytes.hpp"
#include "runtime/net/pe_collectives.hpp"

namespace skein::balance {
namespace {

/// Packs whether the optional part is there; unpacking creates it.
template <class Archive, class T>
bool has(Archive& archive, std::optional<T>& part) {
  bool there = part.has_value();
  archive(there);
  if (there && !part) part.emplace();
  return there;
}

template <class Archive>
void each_member(Archive& archive, Plan& plan) {
  archive(plan.step.strategy);
  for (lb::FinishTimes* times : {&plan.step.before, &plan.step.after}) {
    archive(times->of_pe);
    archive(times->perfect);
  }
  archive(plan.step.moves);
  archive(plan.step.decision.pe_of);
  archive(plan.step.decision.splits);
  archive(plan.step.held_bytes);
  archive(plan.step.loads.objects);
  archive(plan.step.loads.quantiles);
  archive(plan.why);
  archive(plan.pinned);
  if (has(archive, plan.together)) {
    archive(plan.together->objects);
    archive(plan.together->bytes);
  }
  if (has(archive, plan.late)) archive(*plan.late);
}

}  // namespace

void tell_plan(Plan& plan) {
  BytePacker packer;
  if (net::world.pe == deciding_pe()) each_member(packer, plan);
  net::broadcast_block(packer.bytes, deciding_pe());
  ByteUnpacker unpacker(packer.bytes);
  Plan told{.decide_start = plan.decide_start};
  each_member(unpacker, told);
  plan = std::move(told);
}

}  // namespace skein::balance
