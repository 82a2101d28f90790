#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_recipes.py SOURCE CACHE VERSION: checks of the recipes for Spack that need no Spack.

Each recipe is executed, and its directives are recorded: the version is the project's, the settings for CMake are entries of the
CMakeCache.txt CACHE, the recipe depends on whatever CMake must find, and its dependences have a recipe, Spack's or one beside ours."""

import itertools
import os
import re
import sys
import types

# Packages of spack/spack-packages, by CMake's names for them, and others that ours depends on.
OF_FOUND = {"MPI": "mpi", "PkgConfig": "pkgconfig", "Python3": "python", "Boost": "boost", "nlohmann_json": "nlohmann-json",
            "ZLIB": "zlib-api", "libzstd": "zstd", "hwloc": "hwloc", "papi": "papi", "SKEIN_PROTOZERO_INCLUDE_DIR": "protozero"}
OTHERS = {"c", "cxx", "fortran", "cmake", "metis", "scotch", "trilinos", "simgrid", "otf2"}
OURS = {"protozero"}


class Recipe:
    """Stands for the base of packages, as far as their methods use it."""

    def __init__(self, variants):
        self.spec = types.SimpleNamespace(satisfies=lambda text: variants[text[1:]] == (text[0] == "+"))
        self.variants = variants

    def define(self, name, value):
        return name, value

    def define_from_variant(self, name, variant):
        return name, self.variants[variant]


def execute(path, with_build_systems):
    """Returns the class of a recipe, and its directives' arguments. Build systems are where Spack 1 has them, or where older
    ones had them."""
    given = {name: [] for name in ("version", "variant", "depends_on", "requires", "conflicts", "license")}
    spack = types.ModuleType("spack.package")
    for name, calls in given.items():
        setattr(spack, name, lambda *values, _calls=calls, **options: _calls.append((values, options)))
    modules = {"spack": types.ModuleType("spack"), "spack.package": spack}
    if with_build_systems:
        path_of = "spack_repo.builtin.build_systems.cmake".split(".")
        modules.update((".".join(path_of[: i + 1]), types.ModuleType("")) for i in range(len(path_of)))
        modules[".".join(path_of)].CMakePackage = Recipe
    else:
        spack.CMakePackage = Recipe
    sys.modules.update(modules)
    try:
        names = {"__file__": path, "__name__": "recipe"}
        with open(path, encoding="utf-8") as file:
            exec(compile(file.read(), path, "exec"), names)
    finally:
        for name in modules:
            del sys.modules[name]
    (recipe,) = [value for value in names.values() if isinstance(value, type) and issubclass(value, Recipe) and value is not Recipe]
    return recipe, given


def must_be_found(source):
    """Returns what CMake looks for and fails without, if neither tests nor benchmarks are built."""
    paths = [os.path.join(source, "CMakeLists.txt")]
    for folder in ("cmake", "lb", "runtime"):
        for where, _, files in os.walk(os.path.join(source, folder)):
            paths += [os.path.join(where, name) for name in files if name == "CMakeLists.txt" or name.endswith(".cmake")]
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"#.*", "", file.read())
        yield from re.findall(r"find_package\((\w+)[^)]*REQUIRED", text)
        yield from re.findall(r"pkg_check_modules\(\w+ REQUIRED (?:IMPORTED_TARGET )?(\w+)", text)
        yield from re.findall(r"find_(?:path|library|program)\((\w+)[^)]*REQUIRED", text)


def main():
    source, cache, project_version = sys.argv[1:]
    with open(cache, encoding="utf-8") as file:
        entries = set(re.findall(r"^(\w+):", file.read(), re.MULTILINE))
    folder = os.path.join(source, "cmake/spack/packages")
    wrong = []
    for with_build_systems in (False, True):
        for name in OURS:
            execute(os.path.join(folder, name, "package.py"), with_build_systems)
        recipe, given = execute(os.path.join(folder, "skein/package.py"), with_build_systems)
    if given["version"][0][0] != (project_version,):
        wrong.append(f"the version is {given['version'][0][0]}, and the project's {project_version}")
    depended = {re.match(r"[\w-]+", values[0]).group() for values, _ in given["depends_on"]}
    for found in sorted(set(must_be_found(source))):
        if OF_FOUND.get(found) not in depended:
            wrong.append(f"CMake must find {found}, and the recipe depends on nothing for it")
    for name in sorted(depended - set(OF_FOUND.values()) - OTHERS - OURS):
        wrong.append(f"whether Spack has a package {name} is not known here")
    variants = [values[0] for values, _ in given["variant"]]
    for values in itertools.product((False, True), repeat=len(variants)):
        for name, value in recipe(dict(zip(variants, values))).cmake_args():
            if name not in entries:
                wrong.append(f"CMake is told {name}={value}, of which {cache} has nothing")
    for line in dict.fromkeys(wrong):
        print("check_recipes: " + line)
    sys.exit(bool(wrong))


main()
