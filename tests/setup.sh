# SPDX-License-Identifier: Apache-2.0
# From a fresh Debian or Ubuntu machine to a built Skein. Sourced by tests/run.sh and apps/demo.sh; needs bash and the
# repository's root as the current folder.

skein_packages=(
  g++ gcc gfortran cmake ninja-build pkg-config python3 git
  libopenmpi-dev openmpi-bin libmpich-dev mpich
  libboost-serialization-dev libboost-context-dev libhwloc-dev libpapi-dev nlohmann-json3-dev libzstd-dev doctest-dev
  libscotch-dev libptscotch-dev libmetis-dev libtrilinos-zoltan-dev libcli11-dev libsimgrid-dev zlib1g-dev node-d3
  libopen-trace-format2-dev libprotozero-dev
)
# What only the tests need: CMake's usual generator, what lets the builds with two MPIs share objects, the format of the
# sources, the fuzzers, OpenMP of clang, the two nodes of tests/job/two_nodes, the debugger, what reads exported traces back, and a browser
# for the pages of skein report, and programs built for Open MPI as distributions have them.
skein_check_packages=(make dpkg-dev file ccache clang-format-14 clang libomp-dev libclang-rt-dev lld iproute2 gdb chromium chromium-driver otf2-tools protobuf-compiler
  python3-mpi4py libpython3.11 phyml libbrotli1)

say() { printf '\n== %s\n' "$*"; }

# install_packages NAME...: installs those that are missing, or ends naming them.
install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "This is no Debian or Ubuntu: these packages, by their Debian names, must be there: $*"
    return
  fi
  local missing=() name
  for name in "$@"; do
    dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'install ok installed' || missing+=("$name")
  done
  if ((${#missing[@]} == 0)); then return; fi
  local as_root=()
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
      echo "Missing packages; as root: apt-get install ${missing[*]}" >&2
      exit 1
    fi
    as_root=(sudo -n)
  fi
  say "installing ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

# configure_skein FOLDER MPI [CMAKE OPTION...]: MPI is openmpi or mpich; Debian installs the commands of both under names
# with these suffixes.
configure_skein() {
  local folder=$1 mpi=$2
  shift 2
  # Several source files at once: this builds everything, once. Developers' presets do not.
  local options=(-DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON "$@")
  if command -v "mpicc.$mpi" >/dev/null; then options+=("-DMPI_EXECUTABLE_SUFFIX=.$mpi"); fi
  # A folder keeps the generator it was first configured with.
  if [[ ! -e $folder/CMakeCache.txt ]] && command -v ninja >/dev/null; then options+=(-G Ninja); fi
  if command -v ccache >/dev/null && [[ -z ${CMAKE_CXX_COMPILER_LAUNCHER-} ]]; then
    options+=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  say "configuring $folder with $mpi"
  cmake -S . -B "$folder" "${options[@]}"
}

# build_skein FOLDER [TARGET...]: everything, or only these targets.
build_skein() {
  local folder=$1
  shift
  say "building in $folder"
  cmake --build "$folder" --parallel "$(nproc)" ${1:+--target "$@"}
}
