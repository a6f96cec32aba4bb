#!/usr/bin/env python3
"""Every public function of include/ricci/ops has a row in the test table. Run by ctest: check_rows.py REPOSITORY

A function ricci::name needs RICCI_ROW(name, ...) in tests/ops; ricci::fft::name needs RICCI_ROW_IN(fft, name, ...). A row that
says covered_by{"ops/test_x.cpp"} needs that test to exist and to call the function.
"""
import pathlib
import re
import sys

private = {"detail", "ops", "math"}
refusals = {"name_mistakes.hpp"}  # the functions here are refused in a line, whatever they are given


def strip(text):
    """Without comments, strings and preprocessor lines."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"\[\[.*?\]\]", "", text)
    text = re.sub(r'"(\\.|[^"\\])*"', '""', text)
    return re.sub(r"^[ \t]*#(\\\n|[^\n])*", "", text, flags=re.M)


def without_groups(text, opening, closing, keyword):
    """`text` without `keyword` and the balanced group that follows it."""
    out, at = "", 0
    for match in re.finditer(rf"\b{keyword}\s*\{opening}", text):
        if match.start() < at:
            continue
        depth, end = 1, match.end()
        while depth and end < len(text):
            depth += {opening: 1, closing: -1}.get(text[end], 0)
            end += 1
        out += text[at:match.start()] + " "
        at = end
    return out + text[at:]


def declared(text):
    """The functions that a header declares in ricci's public namespaces, as they are called from ricci."""
    scopes, statement = [], ""
    for piece in re.split(r"([{};])", strip(text)):
        if piece == "{":
            space = re.search(r"\bnamespace\s+([\w:]*)\s*$", statement)
            open_space = all(s is not None for s in scopes)
            if space and open_space:
                scopes.append(space.group(1))
            else:
                if open_space:
                    yield from named(scopes, statement)
                scopes.append(None)
            statement = ""
        elif piece == "}":
            scopes.pop()
            statement = ""
        elif piece == ";":
            if all(s is not None for s in scopes):
                yield from named(scopes, statement)
            statement = ""
        else:
            statement += piece


def named(scopes, statement):
    spaces = "::".join(s for s in scopes if s).split("::")
    if spaces[0] != "ricci" or private & set(spaces) or re.search(r"\b(struct|class|concept|using|enum|operator|static_assert)\b", re.sub(r"template\s*<[^{}]*?>(?=\s*(requires|[\w:]))", "", statement)):
        return
    plain = without_groups(without_groups(statement, "(", ")", "(?:requires|RICCI_\\w+)"), "<", ">", "template")
    match = re.search(r"\b([a-z_]\w*)\s*\(", plain)
    before = plain[:match.start()].rstrip() if match else ""
    if before and not before.endswith("::") and "=" not in before:  # neither deduction guides nor members defined outside
        yield "::".join(spaces[1:] + [match.group(1)])


def main():
    root = pathlib.Path(sys.argv[1])
    functions = {}
    for header in sorted((root / "include/ricci/ops").rglob("*.hpp")):
        if header.name in refusals:
            continue
        for name in declared(header.read_text()):
            functions.setdefault(name, header.relative_to(root))
    rows, wrong = {}, []
    for source in sorted((root / "tests/ops").glob("test_*.cpp")):
        for space, name, test in re.findall(r'RICCI_ROW(?:_IN\((\w+), |\()(\w+),\s*(?:covered_by\{"([^"]+)"\})?', source.read_text()):
            name = f"{space}::{name}" if space else name
            rows[name] = test
            if test and not ((root / "tests" / test).exists() and re.search(rf"\b{name}\b", (root / "tests" / test).read_text())):
                wrong.append(f"the row of {name} names {test}, which does not test it")
    wrong += [f"{functions[name]}: {name} has no row in tests/ops" for name in sorted(functions.keys() - rows.keys())]
    wrong += [f"the row of {name} names no function of include/ricci/ops" for name in sorted(rows.keys() - functions.keys())]
    print("\n".join(wrong) if wrong else f"{len(rows)} functions, each with a row")
    return 1 if wrong or not functions else 0


if __name__ == "__main__":
    sys.exit(main())
