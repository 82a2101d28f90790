// SPDX-License-Identifier: Apache-2.0
// Any text is a platform or a PlatformError. A platform that was read comes back the same when it is written
// and read again; changing it to more PEs, to fewer PEs and for SimGrid gives a platform or a PlatformError,
// too.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "skein/lb/platform.hpp"

using namespace skein::simulate;

namespace {

// Inputs are small, so that the routes of large networks only take time.
constexpr std::uint32_t most_nodes = 100;

void require(bool condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "not so: %s\n", what);
  abort();
}

void check(const Platform& platform) {
  validate(platform);
  const std::string json = to_json(platform);
  require(to_json(parse_platform(json, "again")) == json, "the same platform");
  for (const std::uint32_t pes : {1u, 7u, platform.pe_count()}) try {
      const Platform other = with_pes(platform, pes);
      validate(other);
      require(other.pe_count() == pes, "so many PEs as asked for");
      if (other.nodes <= most_nodes) (void)to_simgrid_xml(other);
    } catch (const PlatformError&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  try {
    check(parse_platform({reinterpret_cast<const char*>(bytes), size}, "input"));
  } catch (const PlatformError&) {
  }
  return 0;
}
