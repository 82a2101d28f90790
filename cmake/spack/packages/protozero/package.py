# SPDX-License-Identifier: Apache-2.0
"""protozero, which Spack's own packages lack: headers, with which Skein writes Perfetto's format."""
try:  # where Spack's build systems are since its version 1
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:
    pass
from spack.package import *


class Protozero(CMakePackage):
    """Minimalistic protocol buffer decoder and encoder in C++."""

    homepage = "https://github.com/mapbox/protozero"
    git = "https://github.com/mapbox/protozero.git"
    license("BSD-2-Clause")

    version("1.7.1", tag="v1.7.1")

    depends_on("cxx", type="build")
    depends_on("cmake@3.5:", type="build")

    def cmake_args(self):
        return [self.define("BUILD_TESTING", False)]
