// SPDX-License-Identifier: Apache-2.0
// A graph of shared pointers for tests. Unpacked from damaged bytes it may be a cycle, which never frees
// itself.
#pragma once

#include <iterator>
#include <memory>
#include <set>
#include <vector>

template <class T>
class Linked {
 public:
  std::vector<std::shared_ptr<T>> next;

  Linked() { alive_.insert(this); }
  ~Linked() { alive_.erase(this); }
  Linked(const Linked&) = delete;
  Linked& operator=(const Linked&) = delete;

  /// Cuts the links of all objects that are alive.
  static void break_cycles() {
    std::vector<std::shared_ptr<T>> links;
    for (Linked* const each : alive_)
      links.insert(links.end(), std::make_move_iterator(each->next.begin()),
                   std::make_move_iterator(each->next.end()));
  }

 private:
  static inline std::set<Linked*> alive_;
};
