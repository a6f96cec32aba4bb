#!/usr/bin/env python3
"""Joins the library's headers into single_include/ricci/ricci.hpp.

Every #include "..." of an own header is replaced by that header's text the first time and dropped afterwards; includes of
the system's headers stay where they are. An own header must be included unconditionally and guard its text inside:
first met inside an #if it would exist only there, so that is an error. What ricci.hpp does not include is left out: the GPU
(ricci/cuda.hpp), fixed tensors (ricci/fixed.hpp), what scientific programs need (ricci/scientific.hpp), solvers
(ricci/solvers.hpp), distributions (ricci/distributions.hpp) and the file formats other than .npy (ricci/io.hpp), which stay
headers of their own.

usage: amalgamate.py            writes the file
       amalgamate.py --check    exits with 1 when the file is not what it would write
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADERS = ROOT / "include" / "ricci"
OUTPUT = ROOT / "single_include" / "ricci" / "ricci.hpp"

OWN_INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
SYSTEM_INCLUDE = re.compile(r"^\s*#\s*include\s+<([^>]+)>")
CONDITION_BEGIN = re.compile(r"^\s*#\s*if")
CONDITION_END = re.compile(r"^\s*#\s*endif")
PRAGMA_ONCE = re.compile(r"^\s*#\s*pragma\s+once")


class Amalgamation:
    def __init__(self):
        self.lines = []
        self.own = set()
        self.system = set()

    def add(self, header):
        """Appends the text of `header`, with the own headers that it includes, unless it is already there."""
        if header in self.own:
            return
        self.own.add(header)
        self.lines.append(f"// ---- {header.relative_to(HEADERS.parent).as_posix()}")
        depth = 0
        for number, line in enumerate(header.read_text(encoding="utf-8").splitlines(), 1):
            depth += bool(CONDITION_BEGIN.match(line)) - bool(CONDITION_END.match(line))
            if PRAGMA_ONCE.match(line):
                continue
            if own := OWN_INCLUDE.match(line):
                self.add_own(header, number, own[1], depth)
            elif (system := SYSTEM_INCLUDE.match(line)) and depth == 0:
                self.add_system(header, number, system[1], line)
            else:
                self.lines.append(line)
        if depth != 0:
            sys.exit(f"{header}: unbalanced #if and #endif")

    def add_own(self, header, number, name, depth):
        target = (header.parent / name).resolve()
        if not target.is_file() or HEADERS not in target.parents:
            sys.exit(f'{header}:{number}: "{name}" is no header of the library')
        if depth and target not in self.own:
            sys.exit(f'{header}:{number}: "{name}" is first included inside an #if; include it always and guard inside it')
        self.add(target)

    def add_system(self, header, number, name, line):
        if name.startswith("ricci/"):
            sys.exit(f'{header}:{number}: own headers are included by relative path: #include "..."')
        if name not in self.system:
            self.system.add(name)
            self.lines.append(line)

    def text(self):
        config = (HEADERS / "core" / "config.hpp").read_text(encoding="utf-8")
        version = ".".join(re.findall(r"#define RICCI_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", config))
        license_text = (ROOT / "LICENSE").read_text(encoding="utf-8").rstrip("\n")
        head = [f"// Ricci {version}, the whole library in one header, written by scripts/amalgamate.py: do not edit.", "//"]
        head += [f"// {line}".rstrip() for line in license_text.split("\n")]
        body = re.sub(r"\n{3,}", "\n\n", "\n".join(self.lines))
        return "\n".join(head) + "\n#pragma once\n" + body.rstrip("\n") + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args().check

    amalgamation = Amalgamation()
    amalgamation.add(HEADERS / "ricci.hpp")
    text = amalgamation.text()
    if check:
        if not OUTPUT.is_file() or OUTPUT.read_text(encoding="utf-8") != text:
            sys.exit(f"{OUTPUT.relative_to(ROOT)} is stale: run scripts/amalgamate.py")
        print(f"{OUTPUT.relative_to(ROOT)} is fresh")
        return
    OUTPUT.parent.mkdir(parents=True, exist_ok=True)
    OUTPUT.write_text(text, encoding="utf-8")
    print(f"{OUTPUT.relative_to(ROOT)}: {text.count(chr(10))} lines from {len(amalgamation.own)} headers")


if __name__ == "__main__":
    main()
