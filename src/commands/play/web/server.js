// What the page asks the server. The server remembers nothing: every question carries the whole game.

async function ask(path, body, signal) {
  const request = body === undefined ? {} : {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  let response;
  try {
    response = await fetch(path, { ...request, signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The server does not answer. Does `camelot play --web` still run?");
  }
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error ?? `The server answers ${response.status}.`);
  return answer;
}

export const options = () => ask("/api/options");
export const state = (play) => ask("/api/state", play);
export const think = (play, { player, effort }, signal) => ask("/api/think", { play, player, effort }, signal);
export const writePgn = (play, names) => ask("/api/pgn/write", { play, names });
export const readPgn = (text, game, rules) => ask("/api/pgn/read", { text, game, rules });
