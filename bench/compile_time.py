#!/usr/bin/env python3
"""Compile time and peak memory of small translation units: what a user pays for including Ricci.

    bench/compile_time.py [--repeat 5] [--compilers g++,clang++-19] [--compiled] [--report FILE]
    bench/compile_time.py --blame gradient      where the time of one unit goes

With --compiled also as a unit of a program that links ricci::compiled, built for the same instruction set.

User plus system time (other work on the machine shows less in it than in the wall clock), medians of the repeats, at -O2
-march=native -std=c++20.
"""
import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

USE = """#include <ricci/ricci.hpp>
namespace rc = ricci;
"""
CHAIN = "[](auto x) { return sum(sin(x) * exp(-x * x) / (1 + x * x)); }"
VECTOR = "const rc::tensor<float, 1>&"

# name: (source, mark in seconds, mark in MB)
UNITS = {
    "standard": ("""#include <atomic>
#include <cmath>
#include <complex>
#include <string>
#include <tuple>
#include <vector>
""", None, None),
    "xsimd": ("#include <xsimd/xsimd.hpp>\n", None, None),
    "umbrella": (USE, None, None),
    "expression": (USE + f"""
void f({VECTOR} x, rc::tensor<float, 1>& y) {{ y = sin(x) * exp(-x * x) / (1 + x * x); }}
float g({VECTOR} x) {{ return sum(exp(-x * x)); }}
""", 2.5, 450),
    "gradient": (USE + f"""
void f({VECTOR} x, rc::tensor<float, 1>& y) {{ y = sin(x) * exp(-x * x) / (1 + x * x); }}
float g({VECTOR} x) {{ return sum(exp(-x * x)); }}
rc::tensor<float, 1> h({VECTOR} x) {{ return rc::grad({CHAIN})(x); }}
""", 4.0, None),
    "hessian": (USE + f"rc::tensor<float, 2> f({VECTOR} x) {{ return rc::hessian({CHAIN})(x); }}\n", None, None),
    "per_sample": (USE + f"""
rc::tensor<float, 2> f({VECTOR} w, const rc::tensor<float, 2>& x, {VECTOR} y) {{
    auto loss = [](auto w, auto x, auto y) {{ return square(sum(w * x) - y); }};
    return rc::vmap(rc::grad(loss), rc::in_axes(rc::none, 0, 0))(w, x, y);
}}
""", None, None),
}


def command(compiler, source, extra=()):
    return [compiler, "-std=c++20", "-O2", "-march=native", "-I", os.path.join(ROOT, "include"), *extra, "-c", source]


def compiled_flags(compiler):
    """What ricci::compiled defines, on the machine's instruction set."""
    config = os.path.join(ROOT, "include", "ricci", "core", "config.hpp")
    text = f'#include "{config}"\nRICCI_ISA\n'
    found = subprocess.run([compiler, "-std=c++20", "-march=native", "-E", "-P", "-x", "c++", "-"], input=text,
                           capture_output=True, text=True, check=True)
    return ["-DRICCI_COMPILED", "-DRICCI_COMPILED_ISA=" + found.stdout.split()[-1]]


def measure(compiler, source, flags):
    """Seconds and megabytes of one compilation."""
    process = subprocess.Popen(command(compiler, source, flags) + ["-o", os.devnull], stderr=subprocess.PIPE)
    errors = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{compiler} does not compile {source}:\n{errors}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def table(compilers, repeat, folder, compiled):
    modes = {}
    for compiler in compilers:
        modes[compiler] = (compiler, [])
        if compiled:
            modes[compiler + " compiled"] = (compiler, compiled_flags(compiler))
    taken = {}
    for _ in range(repeat):  # interleaved, so that a busy minute does not fall on one unit
        for mode, (compiler, flags) in modes.items():
            for name in UNITS:
                taken.setdefault((mode, name), []).append(measure(compiler, os.path.join(folder, name + ".cpp"), flags))
    lines = ["| unit | " + " | ".join(f"{m}, s | MB" for m in modes) + " | mark |",
             "| --- |" + " ---: | ---: |" * len(modes) + " --- |"]
    for name, (_, seconds, megabytes) in UNITS.items():
        row = [name]
        for mode in modes:
            figures = taken[mode, name]
            row += [f"{statistics.median(t for t, _ in figures):.2f}", f"{max(m for _, m in figures):.0f}"]
        row.append(", ".join(([f"{seconds} s"] if seconds else []) + ([f"{megabytes} MB"] if megabytes else [])))
        lines.append("| " + " | ".join(row) + " |")
    return "\n".join(lines) + "\n"


def blame_gcc(compiler, source):
    run = subprocess.run(command(compiler, source, ["-ftime-report"]) + ["-o", os.devnull], capture_output=True, text=True)
    rows = []
    for line in run.stderr.splitlines():
        match = re.match(r"\s*(\S[^:]*?)\s*:\s*([\d.]+) \(\s*\d+%\)", line)
        if match and match.group(1) != "TOTAL":
            rows.append((float(match.group(2)), match.group(1)))
    print(f"{compiler}, seconds by pass:")
    for seconds, name in sorted(rows, reverse=True)[:15]:
        print(f"  {seconds:6.2f}  {name}")


def blame_clang(compiler, source, folder):
    trace = os.path.join(folder, "trace.o")
    subprocess.run(command(compiler, source, ["-ftime-trace", "-ftime-trace-granularity=200"]) + ["-o", trace], check=True)
    with open(trace[:-2] + ".json") as file:
        events = json.load(file)["traceEvents"]
    for kind, title in [("Source", "headers, with what they include"), ("InstantiateClass", "classes"),
                        ("InstantiateFunction", "functions"), ("OptFunction", "optimised functions")]:
        total = {}
        for e in events:
            if e.get("name") == kind and "dur" in e:
                name = e["args"].get("detail", "")
                total[name] = total.get(name, 0) + e["dur"] / 1e3
        print(f"{compiler}, milliseconds, {title}:")
        for name, duration in sorted(total.items(), key=lambda item: -item[1])[:20]:
            print(f"  {duration:7.0f}  {name.replace(ROOT + '/include/', '')[:150]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--compilers", default="g++,clang++-19")
    parser.add_argument("--compiled", action="store_true", help="also with the engine in a library")
    parser.add_argument("--report", help="also write the table to this file")
    parser.add_argument("--blame", metavar="UNIT", choices=UNITS, help="say where the time of one unit goes")
    args = parser.parse_args()
    compilers = [c for c in args.compilers.split(",") if shutil.which(c)]
    with tempfile.TemporaryDirectory() as folder:
        for name, (source, _, _) in UNITS.items():
            with open(os.path.join(folder, name + ".cpp"), "w") as file:
                file.write(source)
        if args.blame:
            source = os.path.join(folder, args.blame + ".cpp")
            for compiler in compilers:
                if "clang" in compiler:
                    blame_clang(compiler, source, folder)
                else:
                    blame_gcc(compiler, source)
            return
        text = table(compilers, args.repeat, folder, args.compiled)
        print(text)
        if args.report:
            with open(args.report, "w") as file:
                file.write(text)


if __name__ == "__main__":
    main()
