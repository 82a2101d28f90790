# SPDX-License-Identifier: Apache-2.0
"""A paper that is compared: its items, their places in Skein, and the commands that give the figures beside its own."""
from dataclasses import dataclass, field
from typing import Callable


@dataclass
class Item:
    """A row of docs/papers.md."""
    name: str  # of the paper: "Algorithm 2", "Figure 3: total time"
    here: list  # files of the project, as paths from its root
    command: str  # the part that plays it, "" of an algorithm without a figure
    theirs: str  # the paper's figures
    ours: str  # figures as fields of the results, "{part[key]:.2f} x": a figure is never typed here
    why: str  # why they differ; may have fields, too
    worse: bool = False  # ours is worse than theirs


@dataclass
class Paper:
    name: str  # of the module, and on the command line
    title: str  # authors, title, where it appeared
    parts: dict = field(default_factory=dict)  # name -> part(bench) -> {key: number}
    items: list = field(default_factory=list)


Part = Callable[["Bench"], dict]
