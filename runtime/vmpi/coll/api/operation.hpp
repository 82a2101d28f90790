// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/vmpi/state.hpp"

namespace skein::vmpi {

/// What a collective keeps while it is under way (see forms.hpp); by default nothing.
struct Operation {
  /// Calls visit(const Datatype*) or visit(const Op*) for whatever the program may free before the collective
  /// is done.
  template <class Visit>
  void visit(const Visit&) const {}
  /// Gives back the slot's memory that the operation has taken.
  void free_owned(RankState&) const {}
};

}  // namespace skein::vmpi
