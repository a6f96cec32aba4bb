#!/usr/bin/env python3
"""Runs the benchmarks and prints how everything compares with the hand-written loops.

    cmake --preset release && cmake --build --preset bench
    bench/report.py [--binary build/release/bench/ricci_bench] [--filter REGEX] [--repetitions 15] [--median]

All contestants of all rows run in one process, on one thread, their repetitions interleaved at random. A figure is the
minimum of the CPU time over the repetitions (--median: the median): what other work on the machine adds is left out. The
table goes to bench/results/<processor>.md too, unless --filter or --dry-run is given.
"""
import argparse
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BREADTH = ("gather_rows", "gather", "select_positive", "add_rows", "softmax", "logsumexp", "standardise", "standardise written",
           "cumulative_sum", "argmax", "sort", "scatter_add", "transpose", "every_second", "reversed", "laplace")
FUNCTION = re.compile(r"[a-z0-9]+_f(32|64)$")
CONTESTANTS = ["ricci", "libmvec", "fftw", "lapack", "xsimd", "eigen", "xtensor", "torch"]


def mark(row, size):
    """The ratio to the hand-written loop that Ricci is to reach, or None."""
    if row in ("multiply_add", "chain"):
        return 2.0 if size == "100" else 1.1
    if row == "gradient":
        return None if size == "100" else 1.3
    if row == "sum_exp":
        return None if size == "100" else 1.15
    if row.startswith("fixed_"):
        return 1.15
    if row in ("sum_axis0", "sum_axis1", "add_column", "add_row"):
        return 1.15
    if FUNCTION.match(row):
        return 1.1
    if row.split()[0] in ("fft", "rfft", "fft2"):  # beside FFTW: powers of two, primes, mixed lengths
        n = int(size.split("x")[-1])
        return 1.5 if n & (n - 1) == 0 else 1.0 if all(n % p for p in range(2, math.isqrt(n) + 1)) else 2.0
    if row in BREADTH:
        return 3.0 if math.prod(int(extent) for extent in size.split("x")) < 1000 else 1.3
    return {"per_sample_mlp": 1.3, "logistic_gradient": 1.2, "black_scholes_greeks": 1.3, "batched_jacfwd": 2.0,
            "batched_jacrev": 2.0, "hessian": 3.0, "matmul_4x4": 1.3, "matmul_8x8": 1.3, "inv4x4": 1.3,
            "einsum": 1.1}.get(row)


def run(args):
    command = [args.binary, "--benchmark_format=json", "--benchmark_enable_random_interleaving=true",
               f"--benchmark_repetitions={args.repetitions}", f"--benchmark_min_time={args.min_time}"]
    if args.filter:
        command.append(f"--benchmark_filter={args.filter}")
    # no library may start threads of its own
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
    # an OpenBLAS older than the processor may take it for one without AVX: 2.7 times the time of a linear system
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    if cpuinfo.exists() and "avx512f" in cpuinfo.read_text():
        environment.setdefault("OPENBLAS_CORETYPE", "SkylakeX")
    process = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, check=True)
    return json.loads(process.stdout)["benchmarks"]


def collect(results, reduce):
    """{(row, size): {contestant: nanoseconds, or None where the result was wrong}}, in the order of the program."""
    order, samples = [], {}
    for result in sorted(results, key=lambda r: r["family_index"]):
        if result["run_type"] != "iteration":
            continue
        row, size, who = result["run_name"].split("/")
        if (row, size) not in order:
            order.append((row, size))
        samples.setdefault((row, size), {}).setdefault(who, []).append(
            None if result.get("error_occurred") else result["cpu_time"])
    return {key: {who: None if None in times else reduce(times) for who, times in samples[key].items()} for key in order}


def time_text(nanoseconds):
    for unit, size in (("ms", 1e6), ("us", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds:.3g} ns"


def table(rows):
    lines = ["| row | size | hand | " + " | ".join(CONTESTANTS) + " | mark |",
             "| --- | --- | ---: |" + " ---: |" * len(CONTESTANTS) + " --- |"]
    missed = []
    for (row, size), times in rows.items():
        base = next((who for who in ("hand", "libmvec", "eigen", "fftw") if times.get(who)), "hand")
        cells = [row, size, time_text(times[base]) + ("" if base == "hand" else f" ({base})") if times.get(base) else "-"]
        for who in CONTESTANTS:
            if who not in times or not times.get(base):
                cells.append("")
            elif times[who] is None:
                cells.append("wrong")
            else:
                cells.append(f"{times[who] / times[base]:.2f}")
        limit = mark(row, size)
        if limit and times.get("ricci") and times.get(base):
            met = times["ricci"] <= limit * times[base]
            cells.append(f"{limit:g} {'met' if met else 'missed'}")
            if not met:
                missed.append(f"{row}/{size}: {times['ricci'] / times[base]:.2f} > {limit:g}")
        else:
            cells.append("")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n", missed


def processor():
    with open("/proc/cpuinfo") as file:
        match = re.search(r"model name\s*:\s*(.*)", file.read())
    return match.group(1).strip() if match else "unknown processor"


def compiler(binary):
    """What the binary says that it was built by."""
    with open(binary, "rb") as file:
        found = re.search(rb"(GCC: \([^)]*\) [\d.]+|[\w ]*clang version [\d.]+)", file.read())
    return found.group(1).decode() if found else "unknown compiler"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(HERE, "..", "build", "release", "bench", "ricci_bench"))
    parser.add_argument("--filter", help="only the benchmarks whose name matches")
    parser.add_argument("--repetitions", type=int, default=15)
    parser.add_argument("--min-time", type=float, default=0.01, help="seconds for a repetition")
    parser.add_argument("--median", action="store_true", help="medians in place of minima")
    parser.add_argument("--dry-run", action="store_true", help="write no file")
    args = parser.parse_args()
    if not os.path.exists(args.binary):
        sys.exit(f"{args.binary} is not there: cmake --preset release && cmake --build --preset bench")

    rows = collect(run(args), statistics.median if args.median else min)
    text, missed = table(rows)
    statistic = "Median" if args.median else "Minimum"
    head = (f"# {processor()}\n\n{compiler(args.binary)}, float32, one thread. {statistic} CPU time of {args.repetitions} "
            "interleaved repetitions; `hand` in time,\nthe others as multiples of it (above 1 is slower).\n\n")
    print(head + text)
    print("All marks are met." if not missed else "Marks missed:\n  " + "\n  ".join(missed))
    if not args.filter and not args.dry_run:
        name = re.sub(r"[^a-z0-9]+", "-", processor().lower()).strip("-")
        path = os.path.join(HERE, "results", name + ".md")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(head + text)
        print(f"Written to bench/results/{name}.md")


if __name__ == "__main__":
    main()
