"""Positions and actions of the patience as numbers, as docs/encoding.md specifies them."""

import re

RANKS = "A23456789TJQK"
JACK, QUEEN, KING = 10, 11, 12
CENTRE = (5, 6, 9, 10)
HOMES = {KING: (0, 3, 12, 15), QUEEN: (1, 2, 13, 14), JACK: (4, 7, 8, 11)}

# What an action does.
DEAL, PLACE, REMOVE, PAIR = range(4)


def features(cells, waste, removal, removed, stock):
    """The indices of the features that are 1; `cells` has a rank for each cell, None where it is free."""

    def lie(number):
        return cells.count(number - 1)

    # One feature of each of these blocks: how many features it has, and which is 1.
    blocks = [(14, 0 if rank is None else 1 + rank) for rank in cells]
    blocks.append((14, 0 if waste is None else 1 + waste))
    blocks.append((1, 0 if removal else None))
    blocks += [(5, count) for count in stock]
    blocks.append((11, removed // 4))
    blocks += [(5, lie(5)), (5, lie(10))]
    blocks += [(25, 5 * lie(low) + lie(10 - low)) for low in (1, 2, 3, 4)]
    blocks.append((5, sum(cells[cell] is None for cell in CENTRE)))
    for court in (KING, QUEEN, JACK):
        blocks.append((25, 5 * sum(cells[cell] is None for cell in HOMES[court]) + stock[court]))
    found, base = [], 0
    for size, which in blocks:
        if which is not None:
            found.append(base + which)
        base += size
    return found


def action(cells, waste, text):
    """The rows of an action: of the origin, target and style tables, and the list of those of the capture table."""
    origin = 0 if waste is None else 1 + waste
    deed, _, where = text.partition(":")
    named = [int(cell) for cell in re.findall(r"\d+", where)]
    if deed == "place":
        return origin, 1 + named[0], PLACE, []
    style = {"deal": DEAL, "remove": REMOVE, "pair": PAIR}[deed]
    return origin, 0, style, [10 * cell + cells[cell] for cell in named]


def encode(_game, text, moves):
    """The features of a position, and the rows of each of its actions."""
    tableau, waste, removal, removed, stock = text.split(" ")
    cells = [None if card == "." else RANKS.index(card) for card in tableau.replace("/", "")]
    waste = RANKS.index(waste) if waste in RANKS else None
    found = features(cells, waste, removal == "r", int(removed), [int(count) for count in stock])
    return found, [action(cells, waste, move["move"]) for move in moves]
