"""Positions and moves of the board games as numbers, as docs/encoding.md specifies them."""

import boards

# Style of a move: one step, canters, one capture, several captures.
STEP, CANTER, JUMP, CHAIN = range(4)


class Tactics:
    """Who could capture whom, looking at the position before the move alone."""

    def __init__(self, board, position):
        mover = position.mover
        armies, vacant = position.armies, position.vacant
        self.army = armies[mover]
        self.team = set().union(*(armies[seat] for seat in board.seats if seat % 2 == mover % 2))
        self.enemy = set().union(*(armies[seat] for seat in board.seats if seat % 2 != mover % 2))
        castles = board.castles[mover] | board.goal(mover)

        def leaps(start, over, land):
            return [leap for leap in board.leaps if leap[0] in start and leap[1] in over and leap[2] in land]

        def leapt_over(start, over, land):
            return {leap[1] for leap in leaps(start, over, land)}

        def landed_on(start, over, land):
            return {leap[2] for leap in leaps(start, over, land)}

        def reach(seat, friends, open_squares):
            """Squares in reach of chains of canters, the moving pieces left standing."""
            squares, reached, frontier = open_squares - board.castles[seat], set(), armies[seat]
            while frontier:
                frontier = landed_on(frontier, friends, squares) - reached
                reached |= frontier
            return reached

        # Where the mover's jumps may land, and from where they start.
        free = vacant - board.closed(mover)
        attackers = self.army - board.goal(mover)
        self.own_exposed = set()
        self.enemy_exposed = leapt_over(attackers, self.enemy, free)
        self.own_reach = reach(mover, self.team, free)
        self.enemy_reach = set()
        # Empty squares where a piece put there could be jumped; those of them where nothing answers.
        self.danger, self.unanswered = set(), set()
        # Empty squares from which an enemy piece could be jumped.
        self.attacks = {leap[0] for leap in leaps(vacant, self.enemy, free)}
        # Squares that an enemy jump lands on: empty ones, and those that a piece of the mover fills.
        self.shields, self.plugs = set(), set()
        answered = leapt_over(self.team - castles, vacant, free)
        for seat in (seat for seat in board.seats if seat % 2 != mover % 2):
            enemy_free = vacant - board.closed(seat)
            enemy_attackers = armies[seat] - board.goal(seat)
            self.own_exposed |= leapt_over(enemy_attackers, self.team, enemy_free)
            self.enemy_reach |= reach(seat, self.enemy, enemy_free)
            self.danger |= leapt_over(enemy_attackers, vacant - castles, enemy_free)
            self.unanswered |= leapt_over(enemy_attackers, vacant - castles, enemy_free - answered)
            self.shields |= landed_on(enemy_attackers, self.team, enemy_free)
            self.plugs |= landed_on(enemy_attackers, self.team, self.army)

    def context(self, start, end):
        """What a move does about captures, 0 to 23."""
        risk = (end in self.danger) + (end in self.unanswered)
        return 8 * risk + 4 * (end in self.attacks) + 2 * (end in self.shields) + (start in self.plugs)


def roles(board, mover):
    """The seats in the order of their features: the mover, its partner, the opponent across, the other one."""
    return [mover ^ difference for difference in ([0, 1] if len(board.seats) == 2 else [0, 2, 1, 3])]


def features(board, position, tactics):
    """The indices of the features that are 1."""
    mover, knights, count = position.mover, position.knights, len(board.squares)
    planes = []
    for seat in roles(board, mover):
        planes += [position.armies[seat] - knights, position.armies[seat] & knights]
    planes += [tactics.own_exposed, tactics.enemy_exposed, tactics.own_reach, tactics.enemy_reach]
    found = [plane * count + board.view(mover, at) for plane, squares in enumerate(planes) for at in squares]
    # One feature of each of these blocks: how many features it has, and which is 1.
    blocks = [(5, sum(position.quiet_plies >= threshold for threshold in (4, 8, 16, 24)))]
    for seat in roles(board, mover):
        army = position.armies[seat]
        blocks += [
            (3, position.castle_moves[seat]),
            (board.army + 1, len(army)),
            (16, min((board.distances[seat][at] for at in army), default=15)),
        ]
    base = len(planes) * count
    for size, which in blocks:
        found.append(base + min(which, size - 1))
        base += size
    if tactics.enemy_exposed:
        found.append(base)
    if len(board.seats) == 4 and mover in (0, 2):
        found.append(base + 1)
    return found


def action(board, position, tactics, move):
    """The rows of a move: of the origin, target and style tables, and the list of those of the capture table."""
    count = len(board.squares)
    start, end = boards.square(move["from"]), boards.square(move["to"])
    captured = [boards.square(name) for name in move["captures"]]
    if captured:
        style = JUMP if len(captured) == 1 else CHAIN
    else:
        style = STEP if max(abs(start[0] - end[0]), abs(start[1] - end[1])) == 1 else CANTER

    def view(at):
        return board.view(position.mover, at)

    return (
        view(start) + count * ((start in position.knights) + 2 * (start in tactics.own_exposed)),
        view(end) + count * (end in tactics.danger),
        style + 4 * tactics.context(start, end),
        [view(at) + count * (at in position.knights) for at in captured],
    )


def encode(game, text, moves):
    """The features of a position, and the rows of each of its moves."""
    board = boards.BOARDS[game]
    position = boards.read(board, text)
    tactics = Tactics(board, position)
    actions = [action(board, position, tactics, move) for move in moves]
    return features(board, position, tactics), actions
