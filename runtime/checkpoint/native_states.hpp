// SPDX-License-Identifier: Apache-2.0
// States of a native program: what runtime/chare/states/ packs of each PE is one image.
#pragma once

#include <string>
#include <vector>

#include "runtime/checkpoint/images.hpp"
#include "runtime/checkpoint/state.hpp"

namespace skein::checkpoint {

/// `digest`: of what the program has registered.
class NativeContent final : public Content {
 public:
  explicit NativeContent(std::uint64_t digest) : digest_(digest) {}
  void check() override;
  std::unique_ptr<Packed> pack() override;
  void describe(Manifest& manifest) override;

 private:
  std::uint64_t digest_;
};

/// What the process is that writes states of a native program, or goes on from one.
Identity native_identity(std::uint64_t digest);
/// As open_state() does, of a native program.
State open_native_state(const std::string& path, std::uint64_t digest);

/// Which PE reads the image of which PE of the state, where all can read all.
std::vector<int> readers_of_images(const State& state);

/// Goes on from it: run_pe() begins behind the sync point at which the state was written. `readers`: as
/// above. `begin`: calls the function given to run(). Collective, when all else has started and no array
/// exists. Throws one skein::Error on all PEs.
void bring_back_elements(const State& state, const std::vector<int>& readers, void (*begin)());

}  // namespace skein::checkpoint
