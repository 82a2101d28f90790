#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether what the documents name is there: the files behind links and behind `code` that is a path of the repository,
the sections behind links within and between documents, and the options of the skein command; the READMEs of rooms name
files by their ends, too. And whether the files that
comments of the sources name are there, by their path or their name alone.

  check_references.py REPOSITORY
"""
import os
import re
import sys

LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"(?:runtime|lb|include|tests|apps|bench|docs|cmake)/[\w./-]*")
SOURCE = re.compile(r"(?:[\w-]+/)*[\w-]+\.(?:hpp|cpp|py)")
FOLDERS = ("runtime", "lb", "include", "tests", "apps", "bench", "cmake")
# In comments: a path, which may begin anywhere below the repository, or a name alone.
NAMED = re.compile(r"(?<![\w./<-])((?:[\w-]+/)*[\w-]+\.(?:hpp|cpp|py|sh|md|cmake|in))(?![\w/]|\.\w)")
# Of vt and of SimGrid.
OF_OTHERS = {"scripts/LBDatafile_schema.py", "src/smpi/internals/smpi_replay.cpp", "smpi_datatype.cpp"}
# Strings are matched too, so that what looks like a comment in one is none.
C_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|(//[^\n]*|/\*.*?\*/)', re.DOTALL)
HASH_COMMENT = re.compile(r"(?:^|\s)(#[^\n]*)")
COMMENTS = {".cpp": C_COMMENT, ".hpp": C_COMMENT, ".c": C_COMMENT, ".h": C_COMMENT, ".py": HASH_COMMENT,
            ".sh": HASH_COMMENT, ".cmake": HASH_COMMENT, ".txt": HASH_COMMENT}
OPTION = re.compile(r"(?<![\w-])--(?:lb|sync|slot|stack|arena|private|papi|map|bind|seed|ranks|pes|deter)[a-z-]*")


def documents(root):
    """The documents, and the README of each room."""
    yield "README.md"
    for file in sorted(files_of(root)):
        if file.endswith(".md"):
            yield file


def files_of(root):
    """All files of the repository that are not made by building it."""
    for top in FOLDERS + ("docs",):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                yield os.path.relpath(os.path.join(folder, name), root)


def named_in_comments(text, pattern):
    for comment in pattern.finditer(text):
        yield from NAMED.findall(comment.group(1) or "")


def read(root, document):
    with open(os.path.join(root, document), encoding="utf-8") as file:
        return file.read()


def anchors(text):
    """Of headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


def broken_path(known, code):
    """Whether `code` looks like a file of the repository, by its path or its end, and there is none."""
    if PATH.fullmatch(code):
        return code not in known and code.rstrip("/") not in known
    return bool(SOURCE.fullmatch(code)) and code not in known


def broken_link(root, document, target):
    if re.match(r"\w+:", target):
        return False
    name, _, section = target.partition("#")
    path = os.path.normpath(os.path.join(os.path.dirname(document), name)) if name else document
    if not os.path.exists(os.path.join(root, path)):
        return True
    return bool(section) and section not in anchors(read(root, path))


def main():
    root = sys.argv[1]
    options = set(OPTION.findall(read(root, "docs/cli.md")))
    problems, checked = [], 0
    files = sorted(files_of(root))
    # Every path, of files and folders, by each of its ends.
    paths = {file.rsplit("/", depth)[0] for file in files for depth in range(file.count("/") + 1)}
    known = {"README.md"} | {"/".join(path.split("/")[k:]) for path in paths for k in range(path.count("/") + 1)}
    for document in documents(root):
        text = read(root, document)
        found = [(target, broken_link(root, document, target)) for target in LINK.findall(text)]
        found += [(code, broken_path(known, code)) for code in CODE.findall(text)
                  if PATH.fullmatch(code) or SOURCE.fullmatch(code)]
        if not document.startswith("apps/"):  # whose programs have options of their own
            found += [(option, option not in options) for option in OPTION.findall(text)]
        checked += len(found)
        problems += [f"{document}: {what} does not exist" for what, broken in found if broken]
    in_comments = 0
    for file in files:
        pattern = COMMENTS.get(os.path.splitext(file)[1])
        if pattern is None or file.startswith("docs/"):
            continue
        found = set(named_in_comments(read(root, file), pattern)) - OF_OTHERS
        in_comments += len(found)
        problems += [f"{file}: a comment names {path}, which does not exist" for path in sorted(found - known)]
    if in_comments == 0:
        problems.append("no comment names a file")
    checked += in_comments
    if checked == 0:
        problems.append("no reference was found")
    print("\n".join(problems) or f"{checked} references are good")
    sys.exit(bool(problems))


main()
