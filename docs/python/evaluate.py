#!/usr/bin/env python3
"""What a network of camelot-zero says of positions, without camelot-zero: numpy and ONNX Runtime are enough.

    camelot export runs/cam-quick --format onnx -o cam.onnx
    camelot moves - --json < positions.jsonl | python3 docs/python/evaluate.py cam.onnx

Each line of positions.jsonl is an object such as {"game": "cam", "position": "1/3/... W - 0"}; `camelot moves` adds
the legal moves, which this program does not work out itself. For each line it prints an object with the value (win,
draw, loss and win - loss in the view of the player to move) and for each move its share of the policy. The value is
that of the network alone, without a search: `network` in the answers of `camelot analyze`.
"""

import argparse
import json
import sys
from itertools import islice

import numpy
import onnxruntime

import board_games
import patience

ENCODING = "2"


class Network:
    """An exported model."""

    def __init__(self, path):
        try:
            self.session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        except Exception as error:
            sys.exit(f"error: {path}: {error}")
        metadata = self.session.get_modelmeta().custom_metadata_map
        if metadata.get("encoding") != ENCODING:
            sys.exit(f"error: {path}: encoding version {metadata.get('encoding')}, expected {ENCODING}")
        self.game = metadata["game"]
        self.feature_count = self.session.get_inputs()[0].shape[1]

    def encode(self, query):
        """The features of a position and the rows of its moves."""
        if query["game"] != self.game:
            sys.exit(f"error: a position of {query['game']}: the network was trained for {self.game}")
        encoding = patience if self.game == "patience" else board_games
        return encoding.encode(self.game, query["position"], query["moves"])

    def judge(self, encoded):
        """For each encoded position its shares of win, draw and loss, and the logits of its moves."""
        features = numpy.zeros((len(encoded), self.feature_count), numpy.float32)
        for row, (found, _) in enumerate(encoded):
            features[row, found] = 1
        counts = [len(actions) for _, actions in encoded]
        origins, targets, styles, lists = zip(*(action for _, actions in encoded for action in actions))
        # Lists of captures are filled up with -1 to the length of the longest.
        captures = numpy.full((len(lists), max(1, *map(len, lists))), -1, numpy.int64)
        for row, captured in enumerate(lists):
            captures[row, : len(captured)] = captured
        wdl, logits = self.session.run(
            ["wdl", "logits"],
            {
                "features": features,
                "position_of": numpy.repeat(numpy.arange(len(encoded)), counts),
                "origins": numpy.array(origins, numpy.int64),
                "targets": numpy.array(targets, numpy.int64),
                "styles": numpy.array(styles, numpy.int64),
                "captures": captures,
            },
        )
        return zip(wdl.tolist(), numpy.split(logits, numpy.cumsum(counts)[:-1]))


def read(lines):
    """The positions, as `camelot moves - --json` lists them."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            query = json.loads(line)
        except json.JSONDecodeError as error:
            sys.exit(f"error: line {number}: {error}")
        if not (isinstance(query, dict) and {"game", "position", "moves", "result"} <= query.keys()):
            sys.exit(f"error: line {number}: expected what `camelot moves - --json` prints")
        yield query


def answers(network, queries):
    """Answers positions together, those without a move to choose from apart."""
    open_queries = [query for query in queries if query["moves"] and not waits_for_chance(query)]
    judged = iter(network.judge([network.encode(query) for query in open_queries]) if open_queries else [])
    for query in queries:
        answer = {"game": query["game"], "position": query["position"]}
        if query["result"] is not None:
            answer["result"] = query["result"]
        elif not waits_for_chance(query):
            (win, draw, loss), logits = next(judged)
            policy = numpy.exp(logits - logits.max())
            policy /= policy.sum()
            answer |= {"value": win - loss, "win": win, "draw": draw, "loss": loss}
            names = ("move", "policy", "logit")
            moves = [move["move"] for move in query["moves"]]
            rows = zip(moves, policy.tolist(), logits.tolist())
            answer["moves"] = [dict(zip(names, row)) for row in rows]
        yield answer


def waits_for_chance(query):
    """Whether a card of the patience is being turned over, which no player decides."""
    return query["moves"] and query["moves"][0]["move"].startswith("draw:")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="a file that `camelot export --format onnx` wrote")
    parser.add_argument("--batch", type=int, default=64, help="positions judged at a time [64]")
    arguments = parser.parse_args()
    network = Network(arguments.model)
    queries = read(sys.stdin)
    while batch := list(islice(queries, arguments.batch)):
        for answer in answers(network, batch):
            print(json.dumps(answer))


if __name__ == "__main__":
    main()
