// Draws what stands beside the board: whose turn it is, what the engine expects, the moves.

const $ = (id) => document.getElementById(id);

function element(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

// The armies of a team, as `Red and Blue`.
export const teamName = (game, team) => game.teams[team].map((seat) => game.seats[seat]).join(" and ");

export const teamOf = (game, seat) => game.teams.findIndex((seats) => seats.includes(seat));

export function showStatus({ state, note }) {
  const parts = [];
  if (state.result) parts.push(state.result.text);
  else {
    if (note) parts.push(note);
    if (!state.cards && !note.endsWith("thinks.")) parts.push(`${state.turn?.name ?? "Chance"} to move.`);
    if (state.duty) parts.push(state.duty);
  }
  $("status").textContent = parts.join(" ");
  $("status").classList.toggle("over", Boolean(state.result));
}

export function showError(text) {
  $("error").textContent = text;
  $("error").hidden = !text;
}

// A move that is not broken at its hyphens.
const unbroken = (move) => move.replaceAll("-", "\u2011");

const percent = (share) => `${Math.round(100 * share)} %`;

// The bar of what is expected, in the view of the first team, and the line that the engine would play.
export function showOpinion(game, opinion, thinking) {
  const [first, draw, second] = $("bar").children;
  const shares = opinion?.shares;
  $("bar").classList.toggle("unknown", !shares);
  $("bar").classList.toggle("four", game.seats.length > 2);
  const { first: won, draw: drawn, second: lost } = shares ?? { first: 0.5, draw: 0, second: 0.5 };
  first.style.flexGrow = won;
  draw.style.flexGrow = drawn;
  second.style.flexGrow = lost;
  let text = thinking ? "…" : opinion ? "no opinion" : "";
  if (shares && game.teams.length === 1) text = opinion.says;
  else if (shares) {
    text = `${teamName(game, 0)} ${percent(won)} · draw ${percent(drawn)} · ${teamName(game, 1)} ${percent(lost)}`;
    if (opinion.exact) text += " (certain)";
  }
  $("shares").textContent = text;
  $("bar").setAttribute("aria-label", `Expected result: ${text}`);
  $("line").textContent = opinion && opinion.line.length > 0 ? opinion.line.slice(0, 8).map(unbroken).join("  ") : "";
  $("line").title = opinion ? `${opinion.simulations} simulations` : "";
}

// The moves so far; those of chance belong to the ply before.
export function showMoves(game, plies, at, goTo) {
  const items = plies.map((ply, i) => {
    const button = element("button", { type: "button", textContent: ply.move });
    if (ply.seat === null) button.classList.add("chance");
    else if (game.teams.length > 1) button.classList.add("army", `army-${"abcd"[ply.seat]}`);
    if (i + 1 === at) button.setAttribute("aria-current", "step");
    button.onclick = () => goTo(i + 1);
    return element("li", {}, button);
  });
  $("moves").classList.toggle("four", game.seats.length > 2);
  $("moves").replaceChildren(...items);
  const current = $("moves").querySelector("[aria-current]");
  // Only the list scrolls, never the page.
  if (current) $("moves").scrollTop = current.offsetTop - $("moves").offsetTop - $("moves").clientHeight / 2;
}

const moveButtons = (moves, play) => moves.map((move) => {
  const button = element("button", { type: "button", textContent: move });
  button.onclick = () => play(move);
  return button;
});

export function showLegal(moves, play) {
  $("legal").querySelector("summary").textContent = `Legal moves: ${moves.length}`;
  $("legal").querySelector("div").replaceChildren(...moveButtons(moves, play));
}

// Asks which of several moves with the same places is meant; with none the question goes.
export function showChoice(moves, play) {
  $("choose").hidden = moves.length === 0;
  $("choose").replaceChildren(...(moves.length > 0 ? ["Which move? ", ...moveButtons(moves, play)] : []));
  $("choose").querySelector("button")?.focus();
}

// Which cards are still to come, by rank.
export function showCards(cards) {
  $("cards").hidden = !cards;
  if (!cards) return;
  const counts = cards.left.map(([rank, left]) => element("span", { className: left === 0 ? "none" : "" },
    element("b", { textContent: rank === "T" ? "10" : rank }), ` ${left}`));
  $("cards").replaceChildren(element("p", { textContent: `${cards.removed} removed of 40; ${cards.stock} to come:` }),
    element("div", {}, ...counts));
}
