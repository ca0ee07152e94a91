"""The boards of the four board games: squares, castles, leaps, and positions read from their text.

A square is a pair (file, rank), both from 0: C8 is (2, 7). A seat is a number: 0 and 1 for White and Black, or 0 to 3
for Red, Green, Blue and Yellow. Seats of the same parity are a team; the goal castle of a seat is that of seat ^ 1.
"""

import re
from dataclasses import dataclass

DIRECTIONS = [(f, r) for f in (-1, 0, 1) for r in (-1, 0, 1) if (f, r) != (0, 0)]


def square(name):
    """The square of a name such as "C8"."""
    return ord(name[0]) - ord("A"), int(name[1:]) - 1


class Board:
    """What is the same for all positions of a game."""

    def __init__(self, letters, ranks, castles, army):
        self.letters = letters  # one a seat
        self.seats = range(len(letters))
        self.army = army  # pieces at the start, for each seat
        self.ranks = len(ranks)
        # In the order of their numbers: rank by rank from the bottom, each from left to right.
        self.squares = [(first + i, rank) for rank, (first, count) in enumerate(ranks) for i in range(count)]
        self.number = {s: number for number, s in enumerate(self.squares)}
        self.castles = [{square(name) for name in names.split()} for names in castles]
        # All leaps: from, over, landing.
        self.leaps = []
        for file, rank in self.squares:
            for f, r in DIRECTIONS:
                over, land = (file + f, rank + r), (file + 2 * f, rank + 2 * r)
                if over in self.number and land in self.number:
                    self.leaps.append(((file, rank), over, land))
        self.distances = [self._distances(self.goal(seat)) for seat in self.seats]

    def goal(self, seat):
        """The goal castle of a seat."""
        return self.castles[seat ^ 1]

    def closed(self, seat):
        """The castles that no piece of a seat may enter: with four armies those at the sides."""
        return set().union(*(self.castles[other] for other in self.seats if other not in (seat, seat ^ 1)))

    def view(self, seat, at):
        """The number of a square as the player of a seat sees it, its own castle below."""
        file, rank = at
        if len(self.seats) == 2:
            return self.number[file, self.ranks - 1 - rank if seat == 1 else rank]
        return self.number[[(file, rank), (15 - file, 15 - rank), (rank, file), (15 - rank, 15 - file)][seat]]

    def _distances(self, goal):
        """Steps from every square to the nearest square of the goal castle, whatever stands between."""
        steps, frontier = {at: 0 for at in goal}, list(goal)
        while frontier:
            file, rank = frontier.pop(0)
            for f, r in DIRECTIONS:
                near = (file + f, rank + r)
                if near in self.number and near not in steps:
                    steps[near] = steps[file, rank] + 1
                    frontier.append(near)
        return steps


_CAM = [(3, 1), (2, 3), (1, 5)] + 7 * [(0, 7)] + [(1, 5), (2, 3), (3, 1)]
_CAMELOT = [(5, 2), (2, 8), (1, 10)] + 10 * [(0, 12)] + [(1, 10), (2, 8), (5, 2)]
_HALF = [(7, 2), (4, 8), (3, 10), (2, 12)] + 3 * [(1, 14)] + [(0, 16)]

BOARDS = {
    "cam": Board("WB", _CAM, ["D1", "D13"], 7),
    "cam-all-knights": Board("WB", _CAM, ["D1", "D13"], 7),
    "camelot": Board("WB", _CAMELOT, ["F1 G1", "F16 G16"], 14),
    "grand-camelot": Board("RGBY", _HALF + _HALF[::-1], ["H1 I1", "H16 I16", "A8 A9", "P8 P9"], 14),
}


@dataclass
class Position:
    """A position as its text tells it."""

    mover: int
    armies: list  # for each seat the set of squares of its pieces
    knights: set  # those of all armies
    vacant: set
    castle_moves: list  # used by each seat
    quiet_plies: int


def read(board, text):
    """Reads the four fields: pieces, army to move, castle moves used, quiet plies."""
    pieces, mover, castle_moves, quiet_plies = text.split(" ")
    armies, knights = [set() for _ in board.seats], set()
    for rank, row in enumerate(reversed(pieces.split("/"))):
        squares = iter(at for at in board.squares if at[1] == rank)
        for run, letter in re.findall(r"(\d+)|([A-Za-z])", row):
            for _ in range(int(run or 0)):
                next(squares)
            if letter:
                at = next(squares)
                armies[board.letters.index(letter.upper())].add(at)
                if letter.isupper():
                    knights.add(at)
    used = [0 for _ in board.seats] if castle_moves == "-" else [int(n) for n in castle_moves.split(",")]
    vacant = set(board.squares).difference(*armies)
    return Position(board.letters.index(mover), armies, knights, vacant, used, int(quiet_plies))
