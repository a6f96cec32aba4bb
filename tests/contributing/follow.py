#!/usr/bin/env python3
"""Does what CONTRIBUTING.md says: adds its op and its row to a copy of the library, and runs the row.

Run by ctest: follow.py REPOSITORY SCRATCH COMPILER... ; what follows the scratch folder is the compiler's command line up to
the source files. The copy's check for missing rows must fail before the row is there, and pass with it.
"""
import pathlib
import re
import shutil
import subprocess
import sys


def snippets(text):
    """The marked code blocks: (how, file, code)."""
    return re.findall(r"<!-- (file|line): (\S+) -->\n```cpp\n(.*?)```", text, re.S)


def check_rows(copy):
    script = copy / "tests/ops/table/check_rows.py"
    return subprocess.run([sys.executable, script, copy], capture_output=True, text=True)


def main():
    root, copy, compiler = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
    shutil.rmtree(copy, ignore_errors=True)
    for folder in ("include", "tests"):
        shutil.copytree(root / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))

    blocks = snippets((root / "CONTRIBUTING.md").read_text())
    tests = [file for _, file, _ in blocks if file.startswith("tests/")]
    if len(blocks) != 3 or len(tests) != 1:
        sys.exit(f"CONTRIBUTING.md should mark an op, a line and a row, and marks {[file for _, file, _ in blocks]}")
    for how, file, code in blocks:
        if file in tests:
            missing = check_rows(copy)
            if missing.returncode == 0 or "has no row" not in missing.stdout:
                sys.exit("the check for missing rows did not notice the new op:\n" + missing.stdout)
        if how == "file":
            (copy / file).write_text(code)
        else:
            with (copy / file).open("a") as list_of_headers:
                list_of_headers.write(code)
    complete = check_rows(copy)
    if complete.returncode:
        sys.exit("with its row the op is still missing in the table:\n" + complete.stdout)

    program = copy / "program"
    command = [*compiler, f"-I{copy / 'include'}", copy / tests[0], copy / "tests/main.cpp", "-o", program]
    if subprocess.run(command).returncode:
        sys.exit("what CONTRIBUTING.md shows does not compile")
    sys.exit(subprocess.run([program]).returncode)


if __name__ == "__main__":
    main()
