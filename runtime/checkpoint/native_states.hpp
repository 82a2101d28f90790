// SPDX-License-Identifier: Apache-2.0
// States of a native program: the bytes that runtime/chare/states/ packs on each PE are one image.
#pragma once

#include <string>
#include <vector>

#include "runtime/checkpoint/images.hpp"
#include "runtime/checkpoint/state.hpp"

namespace skein::checkpoint {

/// Packs the elements of a PE. `digest`: of everything that the program has registered.
class NativeContent final : public Content {
 public:
  explicit NativeContent(std::uint64_t digest) : digest_(digest) {}
  void check() override;
  std::unique_ptr<Packed> pack() override;
  void describe(Manifest& manifest) override;

 private:
  std::uint64_t digest_;
};

/// Returns the identity of this process, which writes states of a native program or continues from one.
Identity native_identity(std::uint64_t digest);
/// Opens a state of a native program, with the errors of open_state().
State open_native_state(const std::string& path, std::uint64_t digest);

/// Returns, for each PE of the state, the PE that reads its image if every PE can read all files.
std::vector<int> readers_of_images(const State& state);

/// Creates the arrays and elements of a state again: run_pe() then begins after the sync point at which the
/// state was written. `readers`: for each PE of the state, the PE that reads its image. `begin`: calls the
/// function given to run(). Collective, when all else has started and no array exists. Throws one
/// skein::Error on all PEs.
void bring_back_elements(const State& state, const std::vector<int>& readers, void (*begin)());

}  // namespace skein::checkpoint
