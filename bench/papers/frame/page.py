# SPDX-License-Identifier: Apache-2.0
"""docs/papers.md: its tables come from the papers' items and results.json; the text around them is written by hand."""
import os
import re
import sys

from frame.bench import ROOT

PATH = os.path.join(ROOT, "docs", "papers.md")
RUN = "bench/papers/run.sh"


class Figures(dict):
    """The figures of a part; one that was not measured prints as 'not measured'."""

    def __missing__(self, key):
        return Missing()


class Missing:
    def __format__(self, spec):
        return "not measured"

    def __getitem__(self, key):
        return self


class Parts(dict):
    def __missing__(self, key):
        return Missing()


def figures_of(paper, results):
    return Parts((part, Figures(stored["figures"])) for part, stored in results.get(paper.name, {}).items())


def row(paper, item, parts):
    files = "<br>".join(f"`{path}`" for path in item.here)
    command = f"`{RUN} {paper.name} {item.command}`" if item.command else ""
    cells = [item.name, files, command, item.theirs, item.ours.format_map(parts), item.why.format_map(parts)]
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def table(paper, results):
    parts = figures_of(paper, results)
    lines = ["| Of the paper | Here | Command | Theirs | Ours | Why they differ |", "|---|---|---|---|---|---|"]
    lines += [row(paper, item, parts) for item in paper.items]
    measured = sorted({(stored["date"], stored["machine"]) for stored in results.get(paper.name, {}).values()})
    lines += [""] + [f"Measured on {date} ({machine})." for date, machine in measured]
    return "\n".join(lines)


def worse(papers, results):
    lines = []
    for paper in papers:
        parts = figures_of(paper, results)
        lines += [f"- **{paper.name}, {item.name}.** Theirs: {item.theirs}. Ours: {item.ours.format_map(parts)}."
                  for item in paper.items if item.worse]
    return "\n".join(lines) or "Nothing that was measured."


def filled(text, name, body):
    """Returns the text, with `body` between the markers of `name`."""
    begin, end = f"<!-- {name}: written by {RUN} --page -->", f"<!-- end of {name} -->"
    if text.count(begin) != 1 or text.count(end) != 1:
        sys.exit(f"docs/papers.md: the markers '{begin}' and '{end}' must each be there once")
    head, rest = text.split(begin)
    return head + begin + "\n" + body + "\n" + end + rest.split(end)[1]


def written(papers, results):
    with open(PATH, encoding="utf-8") as file:
        text = file.read()
    text = filled(text, "worse", worse(papers, results))
    for paper in papers:
        text = filled(text, paper.name, table(paper, results))
    return text


def write(papers, results):
    text = written(papers, results)
    with open(PATH, "w", encoding="utf-8") as file:
        file.write(text)


def faults_of(paper, item, results):
    where = f"{paper.name}, {item.name}"
    faults = [f"{where}: {path} does not exist" for path in item.here if not os.path.exists(os.path.join(ROOT, path))]
    if item.command and item.command not in paper.parts:
        faults.append(f"{where}: there is no part {item.command}")
    # A figure of Skein that is typed and not measured: "1.4 x", "36 %".
    if re.search(r"\d\.\d|\d ?[%x]", re.sub(r"\{[^}]*\}", "", item.ours)):
        faults.append(f"{where}: a figure of ours is typed: '{item.ours}'")
    if "not measured" in (item.ours + item.why).format_map(figures_of(paper, results)):
        faults.append(f"{where}: results.json lacks a figure of '{item.ours}': run {RUN} {paper.name} {item.command}")
    return faults


def check(papers, results):
    """Prints the faults of the page; returns the exit status."""
    faults = [fault for paper in papers for item in paper.items for fault in faults_of(paper, item, results)]
    with open(PATH, encoding="utf-8") as file:
        if file.read() != written(papers, results):
            faults.append(f"docs/papers.md is not what its papers and results.json say: run {RUN} --page")
    for fault in faults:
        print(fault)
    return 1 if faults else 0
