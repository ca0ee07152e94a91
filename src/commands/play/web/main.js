// The game on the page: its moves, who plays them, and what is shown of it.

import { Board } from "./board.js";
import { newGameDialog, textDialog } from "./dialogs.js";
import * as panel from "./panel.js";
import { Pointing } from "./pointing.js";
import * as server from "./server.js";

const $ = (id) => document.getElementById(id);

// How long a move of an engine stays unplayed at least, so that it can be followed.
const BREATH_MS = 350;

const NOTHING = new Set();

class Page {
  constructor(options) {
    this.options = options;
    this.board = new Board($("board"), (place) => this.point(place));
    this.openNewGame = newGameDialog(options, (chosen) => this.begin(chosen));
    this.openText = textDialog((play) => this.load(play));
    this.paused = false;
    this.hinted = false;
    this.listen();
  }

  listen() {
    $("new-game").onclick = () => this.openNewGame(this.play, this.sides);
    $("game-text").onclick = () => this.openText(this.play, this.state.position, this.names());
    $("undo").onclick = () => this.undo();
    $("hint").onclick = () => this.hint();
    $("pause").onclick = () => {
      this.pause(!this.paused);
      this.show();
    };
    $("turn-board").onclick = () => { this.board.turned = !this.board.turned; this.draw(); };
    $("evaluates").onchange = () => this.show();
    $("arrows").onchange = () => this.show();
    $("to-start").onclick = () => this.goTo(0);
    $("back").onclick = () => this.goTo(this.stop(this.at - 1, -1));
    $("forward").onclick = () => this.goTo(this.stop(this.at + 1, 1));
    $("to-end").onclick = () => this.goTo(this.play.moves.length);
    document.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
      panel.showChoice([]);
      this.pointing.back();
      this.draw();
    });
  }

  // Begins a game; refuses before anything changes.
  async begin({ game, rules, seed, start, sides }) {
    const play = { game, rules, seed, start, moves: [] };
    await server.state(play);
    this.sides = sides;
    this.pause(false);
    const lone = sides.length > 1 && sides[0].player !== "human" && sides[1].player === "human";
    this.board.turned = lone;
    this.open(play);
  }

  // Goes on with a game that was loaded, nobody's engine moving until it is asked to.
  async load(play) {
    await server.state(play);
    if (play.game !== this.play.game) {
      const game = this.options.games.find(({ name }) => name === play.game);
      this.sides = game.teams.map(() => ({ player: "human", effort: 0 }));
    }
    this.pause(this.sides.some(({ player }) => player !== "human"));
    this.open(play);
  }

  open(play) {
    this.play = play;
    this.game = this.options.games.find(({ name }) => name === play.game);
    this.at = play.moves.length;
    this.plies = [];
    $("title").textContent = this.game.title;
    document.title = `${this.game.title} – Camelot Zero`;
    this.show();
  }

  // Who plays, for the record of the game.
  names() {
    return this.sides.map(({ player, effort }) => {
      const choice = this.game.players.find(({ id }) => id === player);
      if (!choice) return "human";
      return effort ? `${choice.id === "own" ? choice.label : choice.id}, ${effort} ${choice.unit}` : choice.label;
    });
  }

  get isAtEnd() {
    return this.at === this.play.moves.length;
  }

  // The side that is to move; none in a finished game.
  get side() {
    const { turn } = this.state;
    return turn ? this.sides[panel.teamOf(this.game, turn.seat)] : null;
  }

  get isUsersTurn() {
    return this.side !== null && (this.side.player === "human" || this.paused || !this.isAtEnd);
  }

  // Asks what the position is and shows it; then lets an engine move or judge. Only the last call goes on.
  async show() {
    const turn = this.begun = Symbol("turn");
    this.abort?.abort();
    this.abort = new AbortController();
    panel.showError("");
    panel.showChoice([]);
    try {
      const state = await server.state({ ...this.play, moves: this.play.moves.slice(0, this.at) });
      if (turn !== this.begun) return;
      this.take(state);
      this.draw();
      await this.think(turn);
    } catch (error) {
      if (turn === this.begun && error.name !== "AbortError") panel.showError(error.message);
    }
  }

  // Takes over a position, with what chance showed at its end.
  take(state) {
    this.state = state;
    if (this.isAtEnd) {
      this.plies = state.plies;
      this.play.start = state.start;
      this.play.moves = state.plies.map((ply) => ply.move);
      this.at = this.play.moves.length;
    }
    this.pointing = new Pointing(this.isUsersTurn ? state.actions : []);
    this.opinion = null;
    this.hinted = false;
  }

  // The engine to move moves; on the user's turn one judges, if that is wanted.
  async think(turn) {
    const { side } = this;
    if (!side) return;
    const moves = this.isAtEnd && !this.paused && side.player !== "human";
    if (!moves && !$("evaluates").checked && !$("arrows").checked && !this.hinted) return;
    const play = { ...this.play, moves: this.play.moves.slice(0, this.at) };
    panel.showOpinion(this.game, null, true);
    const [opinion] = await Promise.all([
      server.think(play, moves ? side : this.judge(), this.abort.signal),
      moves ? new Promise((done) => { setTimeout(done, BREATH_MS); }) : null,
    ]);
    if (turn !== this.begun) return;
    this.opinion = opinion;
    if (moves) this.move(opinion.move);
    else this.draw();
  }

  // Who judges positions: the best player of the game that searches.
  judge() {
    const { id } = this.game.players.find(({ unit }) => unit === "simulations");
    return { player: id, effort: id === "own" ? 0 : 200 };
  }

  // Plays a move; what came after it before is gone.
  move(move) {
    this.play.moves = [...this.play.moves.slice(0, this.at), move];
    this.at += 1;
    this.show();
  }

  point(place) {
    if (!this.isUsersTurn) return;
    panel.showChoice([]);
    const { play, choose } = this.pointing.point(place);
    if (play) {
      this.move(play);
      return;
    }
    this.draw();
    if (choose) panel.showChoice(choose, (move) => this.move(move));
  }

  // The nearest ply from `at` on that is not in the middle of a draw of chance.
  stop(at, step) {
    let stop = at;
    while (stop > 0 && stop < this.plies.length && this.plies[stop].seat === null) stop += step;
    return stop;
  }

  goTo(at) {
    this.at = Math.max(0, Math.min(this.play.moves.length, this.stop(at, 1)));
    this.show();
  }

  // Takes back the user's last choice, or the last choice of all where the user does not play.
  undo() {
    const human = (ply) => this.sides[panel.teamOf(this.game, ply.seat)].player === "human";
    const chosen = (ply) => ply.seat !== null && ply.chosen;
    const before = this.plies.slice(0, this.at);
    const users = before.findLastIndex((ply) => chosen(ply) && human(ply));
    const last = users >= 0 ? users : before.findLastIndex(chosen);
    if (last < 0) return;
    if (users < 0) this.pause(true);
    this.play.moves = this.play.moves.slice(0, last);
    this.at = last;
    this.show();
  }

  // Shows what the engine would play here.
  async hint() {
    if (!this.side) return;
    if (this.opinion) {
      this.hinted = true;
      this.draw();
      return;
    }
    const turn = this.begun;
    try {
      const opinion = await server.think({ ...this.play, moves: this.play.moves.slice(0, this.at) }, this.judge(), this.abort.signal);
      if (turn !== this.begun) return;
      this.opinion = opinion;
      this.hinted = true;
      this.draw();
    } catch (error) {
      if (error.name !== "AbortError") panel.showError(error.message);
    }
  }

  // Holds engines up, or lets them go on; seen from the next position shown on.
  pause(paused) {
    this.paused = paused;
    $("pause").setAttribute("aria-pressed", paused);
    $("pause").textContent = paused ? "Go on" : "Pause";
  }

  note() {
    if (!this.isAtEnd) return `Move ${this.at} of ${this.play.moves.length}.`;
    if (this.side && this.side.player !== "human") return this.paused ? "Paused." : `${this.state.turn.name} thinks.`;
    return "";
  }

  // The engine's best moves as arrows.
  arrows() {
    if (!this.opinion || !(this.hinted || $("arrows").checked)) return [];
    const { candidates, move } = this.opinion;
    const visits = candidates.reduce((sum, candidate) => sum + candidate.visits, 0);
    const arrows = candidates.map((candidate) => ({
      route: candidate.route,
      share: visits > 0 ? candidate.visits / visits : candidate.prior,
      best: candidate.move === move,
    }));
    const shown = arrows.filter(({ share, best }) => best || share >= 0.04).slice(0, 6);
    if (shown.length > 0) return shown;
    const best = this.state.actions.find((action) => action.move === move);
    return best ? [{ route: best.routes[0], share: 0.5, best: true }] : [];
  }

  draw() {
    const { state, pointing } = this;
    const last = state.plies.findLast((ply) => ply.seat !== null);
    const { prefix } = pointing;
    const starts = this.isUsersTurn ? pointing.starts() : NOTHING;
    this.board.draw(this.game, {
      contents: state.contents,
      cards: state.cards,
      lastRoute: last && !state.cards ? last.route : [],
      selected: prefix.at(-1),
      held: prefix.length > 0 && !state.cards ? { from: prefix[0], at: prefix.at(-1) } : null,
      gone: pointing.captured(),
      starts,
      ends: pointing.ends(),
      steps: pointing.steps(),
      arrows: this.arrows(),
    });
    panel.showStatus({ state, note: this.note() });
    panel.showOpinion(this.game, this.opinion, false);
    $("evaluation").hidden = !$("evaluates").checked;
    panel.showMoves(this.game, this.plies, this.at, (at) => this.goTo(at));
    panel.showLegal(state.actions.map((action) => action.move), (move) => { if (this.isUsersTurn) this.move(move); });
    panel.showCards(state.cards);
    $("turn-board").hidden = Boolean(state.cards);
    $("pause").hidden = this.sides.every(({ player }) => player === "human");
    const free = this.at > 0;
    for (const id of ["undo", "to-start", "back"]) $(id).disabled = !free;
    for (const id of ["forward", "to-end"]) $(id).disabled = this.isAtEnd;
    $("hint").disabled = !this.side;
  }
}

async function start() {
  try {
    const options = await server.options();
    const page = new Page(options);
    const game = options.games.find(({ name }) => name === options.game);
    const engine = { player: game.players[0].id, effort: game.players[0].effort };
    const sides = game.teams.map((_, team) => (options.team === team ? { player: "human", effort: 0 } : engine));
    await page.begin({ ...options, sides });
  } catch (error) {
    panel.showError(error.message);
  }
}

start();
