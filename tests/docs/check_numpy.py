#!/usr/bin/env python3
"""Compiles every line of docs/numpy.md. Run by ctest: check_numpy.py REPOSITORY COMPILER FLAGS..."""
import pathlib
import re
import subprocess
import sys
import tempfile

PRELUDE = """#include <ricci/distributions.hpp>
#include <ricci/fixed.hpp>
#include <ricci/io.hpp>
#include <ricci/scientific.hpp>
#include <ricci/solvers.hpp>
#include <iostream>
#include <map>
namespace rc = ricci;
namespace ds = ricci::distributions;
using namespace ricci;
inline constexpr auto f = [](auto a) { return sum(square(a)); };
void page(tensor<double, 2> x, tensor<double, 2> y, tensor<double, 1> v, tensor<double, 1> u, tensor<double, 2> A,
          tensor<int, 1> k, tensor<bool, 2> m, variable<double, 1> p, fixed_tensor<double, 3, 3> R,
          fixed_tensor<double, 3> q, fixed_tensor<double, 3> t, tensor<double, 4> images, tensor<double, 4> K) {
"""


def calls(page):
    """The code in the last column of each table."""
    for line in page.splitlines():
        if line.startswith("| ") and not line.startswith(("| ---", "| NumPy", "| SciPy, JAX", "| PyTorch (`torch.func`)", "| `torch.nn.functional`")):
            yield from re.findall(r"`([^`]*)`", line.strip(" |").split(" | ")[-1])


def main():
    root, compiler = pathlib.Path(sys.argv[1]), sys.argv[2:]
    lines = list(calls((root / "docs/numpy.md").read_text()))
    assert len(lines) > 80, "docs/numpy.md has lost its tables"
    body = "".join(f"    {{ {line if line.endswith(';') else f'static_cast<void>({line});'} }}\n" for line in lines)
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "page.cpp"
        source.write_text(f"{PRELUDE}{body}}}\n")
        return subprocess.run([*compiler, "-fsyntax-only", str(source)], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
