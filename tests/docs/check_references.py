#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether what the documents name is there: the files behind links and behind `code` that is a path of the repository,
the sections behind links within and between documents, and the options of the skein command.

  check_references.py REPOSITORY
"""
import os
import re
import sys

LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"(?:runtime|lb|include|tests|apps|bench|docs|cmake)/[\w./-]*")
OPTION = re.compile(r"(?<![\w-])--(?:lb|sync|slot|stack|arena|private|papi|map|bind|seed|ranks|pes|deter)[a-z-]*")


def documents(root):
    yield "README.md"
    for folder, _, files in os.walk(os.path.join(root, "docs")):
        for name in sorted(files):
            if name.endswith(".md"):
                yield os.path.relpath(os.path.join(folder, name), root)


def read(root, document):
    with open(os.path.join(root, document), encoding="utf-8") as file:
        return file.read()


def anchors(text):
    """Of headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


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
    for document in documents(root):
        text = read(root, document)
        found = [(target, broken_link(root, document, target)) for target in LINK.findall(text)]
        found += [(code, not os.path.exists(os.path.join(root, code))) for code in CODE.findall(text)
                  if PATH.fullmatch(code)]
        found += [(option, option not in options) for option in OPTION.findall(text)]
        checked += len(found)
        problems += [f"{document}: {what} does not exist" for what, broken in found if broken]
    if checked == 0:
        problems.append("no reference was found")
    print("\n".join(problems) or f"{checked} references are good")
    sys.exit(bool(problems))


main()
