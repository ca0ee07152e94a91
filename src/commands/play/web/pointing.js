// From places that the user points at to a move. Every legal move comes with its routes: the places to point at,
// one after the other. A prefix of routes is kept; pointing at the end of a route is enough where it leaves no doubt.

export class Pointing {
  constructor(actions = []) {
    this.actions = actions;
    this.prefix = this.#forced();
  }

  // A first place that all moves share needs no pointing: the card in the hand.
  #forced() {
    const firsts = new Set(this.actions.flatMap((action) => action.routes.map((route) => route[0])));
    const [first] = firsts;
    const longer = this.actions.every((action) => action.routes.every((route) => route.length > 1));
    return firsts.size === 1 && longer && first === "hand" ? [first] : [];
  }

  // The moves that are still meant, each with its routes that begin with the prefix.
  #open() {
    const fits = (route) => route.length > this.prefix.length && this.prefix.every((place, i) => route[i] === place);
    const open = this.actions.map((action) => ({ action, routes: action.routes.filter(fits) }));
    return open.filter(({ routes }) => routes.length > 0);
  }

  // Places where a move can begin.
  starts() {
    return new Set(this.actions.flatMap((action) => action.routes.map((route) => route[0])));
  }

  // Places where a move that is still meant ends, once something has been pointed at.
  ends() {
    if (this.prefix.length === 0) return new Set();
    return new Set(this.#open().flatMap(({ routes }) => routes.map((route) => route.at(-1))));
  }

  // Places that come next on some route.
  steps() {
    if (this.prefix.length === 0) return new Set();
    return new Set(this.#open().flatMap(({ routes }) => routes.map((route) => route[this.prefix.length])));
  }

  // Takes the last step back; says whether there was one.
  back() {
    const least = this.#forced().length;
    if (this.prefix.length <= least) return false;
    this.prefix.pop();
    return true;
  }

  // Points at a place. Answers `{ play }` with a move, `{ choose }` with several among which only their names
  // decide, or nothing if the prefix says it all.
  point(place) {
    if (this.prefix.length > 0 && place === this.prefix.at(-1)) {
      this.back();
      return {};
    }
    const open = this.#open();
    const at = this.prefix.length;
    const ending = open.filter(({ routes }) => routes.some((route) => route.at(-1) === place && (at > 0 || route.length === 1)));
    const going = open.filter(({ routes }) => routes.some((route) => route[at] === place));
    // A move without captures can be meant by pointing at its own end, so it is no reason to doubt.
    const others = going.filter((move) => !ending.includes(move) && move.action.captures.length > 0);
    if (ending.length === 1 && (others.length === 0 || at === 0)) return { play: ending[0].action.move };
    const endsHere = ending.some(({ routes }) => routes.some((route) => route.length === at + 1 && route[at] === place));
    if (ending.length > 0 && (endsHere || going.length === 0)) {
      return { choose: [...new Set([...ending, ...others])].map((move) => move.action.move) };
    }
    if (going.length > 0) this.prefix.push(place);
    else this.prefix = this.starts().has(place) && place !== this.prefix[0] ? [place] : this.#forced();
    return {};
  }

  // What would be gone if the moves that are still meant were played: places that all of them capture by now.
  captured() {
    const open = this.#open();
    if (this.prefix.length < 2 || open.length === 0) return new Set();
    const between = new Set();
    for (let i = 1; i < this.prefix.length; i++) between.add(middle(this.prefix[i - 1], this.prefix[i]));
    return new Set(open[0].action.captures.filter((place) => between.has(place)));
  }
}

// The square between two squares of a leap; none where they are neighbours.
function middle(one, other) {
  const file = (name) => name.charCodeAt(0);
  const rank = (name) => Number(name.slice(1));
  return String.fromCharCode((file(one) + file(other)) / 2) + (rank(one) + rank(other)) / 2;
}
