// The two dialogs: a new game with its options, and games and positions as text.

import * as server from "./server.js";
import { teamName } from "./panel.js";

const option = (value, text) => Object.assign(document.createElement("option"), { value, textContent: text });

function fault(dialog, text) {
  const node = dialog.querySelector(".fault");
  node.textContent = text;
  node.hidden = !text;
}

// Runs something that may be refused, and says in the dialog why.
async function attempt(dialog, action) {
  fault(dialog, "");
  try {
    await action();
    dialog.close();
  } catch (error) {
    fault(dialog, error.message);
  }
}

// The player and its effort, for one team.
function sideChooser(game, team, chosen) {
  const label = document.createElement("label");
  const player = document.createElement("select");
  const effort = document.createElement("select");
  const name = game.teams.length > 1 ? teamName(game, team) : "Player";
  player.setAttribute("aria-label", name);
  effort.setAttribute("aria-label", `Strength of ${name}`);
  player.append(option("human", "you"), ...game.players.map((choice) => option(choice.id, choice.label)));
  const fill = (wanted) => {
    const choice = game.players.find(({ id }) => id === player.value);
    const texts = (choice?.efforts ?? []).map((count) => option(count, count === 0 ? "as started" : `${count} ${choice.unit}`));
    effort.replaceChildren(...texts);
    effort.hidden = texts.length === 0;
    if (choice) effort.value = wanted ?? choice.effort;
  };
  player.onchange = () => fill();
  player.value = chosen.player;
  if (player.selectedIndex < 0) player.value = game.players[0].id;
  fill(chosen.player === player.value ? chosen.effort : undefined);
  label.append(name, " ", player, effort);
  return { label, read: () => ({ player: player.value, effort: Number(effort.value || 0) }) };
}

// Asks for a new game; `begin` gets `{ game, rules, seed, start, sides }`.
export function newGameDialog(options, begin) {
  const dialog = document.getElementById("new-game-dialog");
  const form = dialog.querySelector("form");
  let sides = [];
  const fillSides = (wanted) => {
    const game = options.games.find(({ name }) => name === form.game.value);
    sides = game.teams.map((_, team) => sideChooser(game, team, wanted[team] ?? { player: game.players[0].id }));
    form.querySelector(".sides").replaceChildren(...sides.map(({ label }) => label));
    // The patience has one set of rules.
    form.rules.disabled = game.teams.length === 1;
  };
  form.game.replaceChildren(...options.games.map(({ name, title }) => option(name, title)));
  form.game.onchange = () => {
    form.start.value = "";
    fillSides([{ player: "human" }]);
  };
  form.querySelector(".cancel").onclick = () => dialog.close();
  form.onsubmit = (event) => {
    event.preventDefault();
    attempt(dialog, () => begin({
      game: form.game.value,
      rules: form.rules.value,
      seed: Number(form.seed.value),
      start: form.start.value.trim() || null,
      sides: sides.map(({ read }) => read()),
    }));
  };
  return (play, current) => {
    fault(dialog, "");
    form.game.value = play.game;
    form.rules.value = play.rules;
    // Another seed deals other cards; the board games need none.
    form.seed.value = play.seed + 1;
    form.start.value = "";
    fillSides(current);
    dialog.showModal();
  };
}

// Shows the game as text, and loads another: `load` gets what is to be played on.
export function textDialog(load) {
  const dialog = document.getElementById("text-dialog");
  const form = dialog.querySelector("form");
  let play = null;
  form.onsubmit = (event) => event.preventDefault();
  form.querySelector(".cancel").onclick = () => dialog.close();
  form.querySelector(".set-position").onclick = () => attempt(dialog, () => {
    const { game, rules, seed } = play;
    return load({ game, rules, seed, start: form.position.value.trim(), moves: [] });
  });
  form.querySelector(".load-pgn").onclick = () => attempt(dialog, async () => {
    const read = await server.readPgn(form.pgn.value, play.game, play.rules);
    return load({ ...read, seed: play.seed });
  });
  form.querySelector(".download").onclick = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([form.pgn.value], { type: "text/plain" }));
    link.download = `${play.game}.pgn`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  form.file.onchange = async () => {
    const [file] = form.file.files;
    if (file) form.pgn.value = await file.text();
  };
  return async (current, position, names) => {
    play = current;
    fault(dialog, "");
    form.file.value = "";
    form.position.value = position;
    form.pgn.value = "";
    dialog.showModal();
    try {
      form.pgn.value = (await server.writePgn(play, names)).pgn.trimEnd();
    } catch (error) {
      fault(dialog, error.message);
    }
  };
}
