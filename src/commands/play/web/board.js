// Draws a position as SVG, and hears what is pointed at by mouse, finger and keys.

const SVG = "http://www.w3.org/2000/svg";
const SIZE = 40;
// The cells of the patience that are meant for one rank.
const HOMES = { K: ["0", "3", "12", "15"], Q: ["1", "2", "13", "14"], J: ["4", "7", "8", "11"] };
// Where stock and hand lie beside the tableau.
const BESIDE = [{ place: "stock", x: 4.4, y: 3 }, { place: "hand", x: 4.4, y: 1.7 }];

function make(tag, attributes = {}, text) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

export class Board {
  // `onPoint` hears the name of a place.
  constructor(parent, onPoint) {
    this.parent = parent;
    this.onPoint = onPoint;
    this.turned = false;
    this.focus = null;
    parent.addEventListener("click", (event) => this.#pointed(event));
    parent.addEventListener("keydown", (event) => this.#key(event));
    parent.addEventListener("focusin", (event) => { this.focus = event.target.dataset.place ?? this.focus; });
  }

  // The board of a game; `view` says what stands on it and what is marked.
  draw(game, view) {
    const hadFocus = this.parent.contains(document.activeElement);
    this.game = game;
    this.cards = Boolean(view.cards);
    this.places = game.fields.map((field, i) => ({ ...field, place: game.places[i], content: view.contents[i] }));
    this.width = 1 + Math.max(...game.fields.map((field) => field.x));
    this.height = 1 + Math.max(...game.fields.map((field) => field.y));
    if (this.cards) {
      const contents = { stock: view.cards.stock > 0 ? "#" : ".", hand: view.cards.hand ?? "." };
      this.places.push(...BESIDE.map((beside) => ({ ...beside, content: contents[beside.place] })));
    }
    this.byName = new Map(this.places.map((place) => [place.place, place]));
    const svg = make("svg", { viewBox: this.#viewBox(), role: "group", "aria-label": `Board of ${game.title}` });
    svg.classList.toggle("four", game.seats.length > 2);
    svg.classList.toggle("cards", this.cards);
    svg.append(this.#arrowHead(), this.#fields(view), this.#labels(), this.#trail(view), this.#arrows(view), this.#contents(view),
      this.#marks(view), this.#targets(view));
    this.parent.replaceChildren(svg);
    if (hadFocus) this.#focusOn(this.focus);
  }

  #viewBox() {
    const margin = this.cards ? 4 : 20;
    const width = this.cards ? 5.5 : this.width;
    return `${-margin} -4 ${width * SIZE + margin + 4} ${this.height * SIZE + margin + 4}`;
  }

  // The middle of a place in the drawing.
  #middle({ x, y }) {
    const turned = this.turned && !this.cards;
    const column = turned ? this.width - 1 - x : x;
    const row = turned ? y : this.height - 1 - y;
    return [(column + 0.5) * SIZE, (row + 0.5) * SIZE];
  }

  #square(place, attributes, inset = 0) {
    const [x, y] = this.#middle(place);
    const size = SIZE - 2 * inset;
    return make("rect", { x: x - size / 2, y: y - size / 2, width: size, height: size, ...attributes });
  }

  #fields(view) {
    const layer = make("g");
    for (const place of this.places) {
      const marks = ["field"];
      if (place.castle) marks.push("castle");
      if (!this.cards && (place.x + place.y) % 2) marks.push("odd");
      if (view.lastRoute.includes(place.place)) marks.push("last");
      if (place.place === view.selected) marks.push("selected");
      layer.append(this.#square(place, { class: marks.join(" ") }, this.cards ? 2 : 0));
    }
    return layer;
  }

  #labels() {
    const layer = make("g", { class: "labels", "aria-hidden": "true" });
    if (this.cards) {
      for (const [rank, cells] of Object.entries(HOMES)) {
        for (const cell of cells) {
          const [x, y] = this.#middle(this.byName.get(cell));
          layer.append(make("text", { x, y: y + 6, class: "home" }, rank));
        }
      }
      const [x, y] = this.#middle(BESIDE[1]);
      layer.append(make("text", { x, y: y + SIZE / 2 + 6 }, "hand"));
      const [left, top] = this.#middle(BESIDE[0]);
      layer.append(make("text", { x: left, y: top + SIZE / 2 + 6 }, "stock"));
      return layer;
    }
    for (let file = 0; file < this.width; file++) {
      const [x] = this.#middle({ x: file, y: 0 });
      layer.append(make("text", { x, y: this.height * SIZE + 14 }, String.fromCharCode(65 + file)));
    }
    for (let rank = 0; rank < this.height; rank++) {
      const [, y] = this.#middle({ x: 0, y: rank });
      layer.append(make("text", { x: -10, y: y + 4 }, rank + 1));
    }
    return layer;
  }

  #arrowHead() {
    const definitions = make("defs");
    const head = (id) => {
      const marker = make("marker", { id, viewBox: "0 0 10 10", refX: 6, refY: 5, markerWidth: 12, markerHeight: 12,
        orient: "auto-start-reverse", markerUnits: "userSpaceOnUse" });
      marker.append(make("path", { d: "M0 0 L10 5 L0 10 z", class: id }));
      return marker;
    };
    definitions.append(head("arrow-head"), head("best-head"));
    return definitions;
  }

  // A line through the middles of a route, if all of it lies on the board.
  #path(route, attributes) {
    const points = route.map((name) => this.byName.get(name)).filter(Boolean).map((place) => this.#middle(place));
    if (points.length < 2) return null;
    // The line ends short of the middle, so that what stands there stays readable.
    const [[x1, y1], [x2, y2]] = points.slice(-2);
    const length = Math.hypot(x2 - x1, y2 - y1);
    const short = Math.min(8, length / 4) / length;
    points[points.length - 1] = [x2 - (x2 - x1) * short, y2 - (y2 - y1) * short];
    return make("polyline", { points: points.map((point) => point.join(",")).join(" "), ...attributes });
  }

  // The way of the last move.
  #trail(view) {
    const layer = make("g", { class: "trail", "aria-hidden": "true" });
    const path = this.cards ? null : this.#path(view.lastRoute, {});
    if (path) layer.append(path);
    return layer;
  }

  // What the engine considers: wider is more of its visits, or of its policy where it has not searched.
  #arrows(view) {
    const layer = make("g", { class: "arrows", "aria-hidden": "true" });
    [...view.arrows].reverse().forEach(({ route, share, best }) => {
      if (route.length === 1 && this.byName.has(route[0])) {
        layer.append(this.#square(this.byName.get(route[0]), { class: "ring", "stroke-width": 1.5 + 4 * share }, 3));
        return;
      }
      const head = best ? "best-head" : "arrow-head";
      const path = this.#path(route, { "stroke-width": 2 + 7 * share, "marker-end": `url(#${head})`, class: best ? "best" : "" });
      if (path) layer.append(path);
    });
    return layer;
  }

  #contents(view) {
    const layer = make("g", { class: "contents", "aria-hidden": "true" });
    for (const place of this.places) {
      const moved = view.held && place.place === view.held.from;
      const content = moved && view.held.from !== view.held.at ? "." : place.content;
      if (content === ".") continue;
      const node = this.cards ? this.#card(place, content, view) : this.#piece(place, content);
      if (view.gone.has(place.place)) node.classList.add("gone");
      layer.append(node);
    }
    if (view.held && view.held.from !== view.held.at && !this.cards) {
      const held = this.#piece(this.byName.get(view.held.at), this.byName.get(view.held.from).content);
      held.classList.add("held");
      layer.append(held);
    }
    return layer;
  }

  // Men are discs; Knights are larger, with a ring and a plume.
  #piece(place, content) {
    const [x, y] = this.#middle(place);
    const army = content.toLowerCase();
    const knight = content !== army;
    const group = make("g", { class: `piece army-${army}` });
    group.append(make("circle", { cx: x, cy: y, r: knight ? 16 : 12, class: "disc" }));
    if (knight) group.append(make("circle", { cx: x, cy: y, r: 11.5, class: "ring" }));
    if (this.game.seats.length > 2) {
      group.append(make("text", { x, y: y + 4.5 }, this.game.seats[army.charCodeAt(0) - 97][0]));
    } else if (knight) {
      group.append(make("path", { d: `M${x - 5} ${y + 5} L${x - 5} ${y - 4} L${x - 1.5} ${y} L${x} ${y - 6} L${x + 1.5} ${y} L${x + 5} ${y - 4} L${x + 5} ${y + 5} z`, class: "mark" }));
    }
    return group;
  }

  #card(place, content, view) {
    const [x, y] = this.#middle(place);
    const group = make("g", { class: content === "#" ? "card back" : "card" });
    group.append(make("rect", { x: x - 13, y: y - 17, width: 26, height: 34, rx: 4 }));
    const text = content === "#" ? view.cards.stock : content === "T" ? "10" : content;
    group.append(make("text", { x, y: y + 6.5, class: "JQK".includes(content) ? "court" : "" }, text));
    return group;
  }

  // Dots where the move may end, rings where it may go on.
  #marks(view) {
    const layer = make("g", { class: "marks", "aria-hidden": "true" });
    for (const place of this.places) {
      const [x, y] = this.#middle(place);
      const { place: name } = place;
      if (view.ends.has(name)) {
        const free = !this.cards && (place.content === "." || place.place === view.held?.from);
        layer.append(free ? make("circle", { cx: x, cy: y, r: 7, class: "end" }) : this.#square(place, { class: "end-around" }, 2));
      } else if (view.steps.has(name)) {
        layer.append(make("circle", { cx: x, cy: y, r: 6, class: "step" }));
      } else if (view.starts.has(name) && !view.selected) {
        layer.append(this.#square(place, { class: "start", rx: 6 }, 2));
      }
    }
    return layer;
  }

  // What can be pointed at and focused: one transparent square a place, above everything.
  #targets(view) {
    const layer = make("g", { class: "targets" });
    const focused = this.byName.has(this.focus) ? this.focus : [...view.starts][0] ?? this.places[0].place;
    for (const place of this.places) {
      const target = this.#square(place, {
        class: "target", role: "button", "data-place": place.place, tabindex: place.place === focused ? 0 : -1,
        "aria-label": this.#label(place, view),
      });
      target.classList.toggle("open", view.starts.has(place.place) || view.ends.has(place.place) || view.steps.has(place.place));
      layer.append(target);
    }
    this.focus = focused;
    return layer;
  }

  // What a place is called by those who hear the page.
  #label(place, view) {
    const parts = [this.cards && /^\d/.test(place.place) ? `cell ${place.place}` : place.place];
    if (place.castle) parts.push("castle");
    if (place.content === ".") parts.push("empty");
    else if (place.place === "stock") parts.push(`${view.cards.stock} cards`);
    else if (this.cards) parts.push(place.content === "T" ? "10" : place.content);
    else {
      const army = this.game.seats[place.content.toLowerCase().charCodeAt(0) - 97];
      parts.push(`${army} ${place.content === place.content.toLowerCase() ? "Man" : "Knight"}`);
    }
    if (place.place === view.selected) parts.push("chosen");
    if (view.ends.has(place.place)) parts.push("the move may end here");
    else if (view.steps.has(place.place)) parts.push("the move may go on here");
    else if (view.starts.has(place.place)) parts.push("can move");
    return parts.join(", ");
  }

  #pointed(event) {
    const place = event.target.dataset?.place;
    if (place) {
      this.focus = place;
      this.onPoint(place);
    }
  }

  #key(event) {
    const place = event.target.dataset?.place;
    if (!place) return;
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (way) {
      event.preventDefault();
      this.#focusOn(this.#next(place, way));
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.onPoint(place);
    }
  }

  // The nearest place that lies in a direction, the straight way preferred.
  #next(from, [right, down]) {
    const [x, y] = this.#middle(this.byName.get(from));
    let best = from;
    let least = Infinity;
    for (const place of this.places) {
      const [px, py] = this.#middle(place);
      const along = (px - x) * right + (py - y) * down;
      const aside = Math.abs((px - x) * down + (py - y) * right);
      const cost = along + 3 * aside;
      if (along > SIZE / 4 && cost < least) {
        best = place.place;
        least = cost;
      }
    }
    return best;
  }

  #focusOn(name) {
    const target = this.parent.querySelector(`[data-place="${CSS.escape(name)}"]`);
    if (!target) return;
    this.parent.querySelectorAll('[tabindex="0"]').forEach((node) => node.setAttribute("tabindex", -1));
    target.setAttribute("tabindex", 0);
    target.focus();
    this.focus = name;
  }
}
