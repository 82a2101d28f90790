# SPDX-License-Identifier: Apache-2.0
"""Skein for Spack, from the clone that this file lies in:

    spack repo add cmake/spack
    spack install skein ^openmpi        # or ^mpich
"""
import os

try:  # where Spack's build systems are since its version 1
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:
    pass
from spack.package import *


class Skein(CMakePackage):
    """MPI programs with more ranks than processors, whose ranks move to where the machine has room."""

    git = "file://" + os.path.abspath(os.path.join(os.path.dirname(os.path.realpath(__file__)), *[os.pardir] * 4))
    license("Apache-2.0")

    version("0.2.0", branch="main")

    variant("metis", default=True, description="The partitioner METIS for strategies")
    variant("scotch", default=True, description="The partitioner Scotch for strategies")
    variant("zoltan", default=False, description="The partitioner Zoltan for strategies; with Open MPI")
    variant("simgrid", default=False, description="SimGrid's network for simulations")
    variant("otf2", default=True, description="Traces as OTF2 archives")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("protozero", type="build")
    depends_on("nlohmann-json@3.10:", type="build")
    depends_on("mpi@3.1:")
    depends_on("boost@1.74: +serialization")
    depends_on("hwloc@2:")
    depends_on("papi")
    depends_on("zlib-api")
    depends_on("zstd")
    depends_on("metis@5:", when="+metis")
    depends_on("scotch", when="+scotch")
    depends_on("trilinos+zoltan", when="+zoltan")
    depends_on("simgrid", when="+simgrid")
    depends_on("otf2", when="+otf2")

    requires("^[virtuals=mpi] openmpi", "^[virtuals=mpi] mpich", policy="one_of", msg="tried with these two")
    conflicts("%gcc@:11", msg="C++20")
    conflicts("%clang@:13", msg="C++20")
    requires("target=x86_64:", msg="Skein's switch of stacks is written for it")

    def cmake_args(self):
        found = {"metis": ["metis"], "scotch": ["scotch", "ptscotch"], "zoltan": ["zoltan"]}
        partitioners = [name for variant, names in found.items() if self.spec.satisfies("+" + variant) for name in names]
        return [
            self.define("BUILD_TESTING", False),
            self.define("SKEIN_BENCHMARKS", False),
            self.define("SKEIN_WERROR", False),
            self.define("CMAKE_UNITY_BUILD", True),
            self.define("SKEIN_PARTITIONERS", partitioners),
            self.define_from_variant("SKEIN_SIMGRID", "simgrid"),
        ]
