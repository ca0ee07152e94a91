// Clicks through the games that stand as JSON in the page.
(() => {
  const view = document.getElementById("viewer");
  if (!view) return;
  const { fields, games } = JSON.parse(document.getElementById("games").textContent);
  const size = 40, width = 1 + Math.max(...fields.map((f) => f.x)), height = 1 + Math.max(...fields.map((f) => f.y));
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const four = games.some((game) => /[cd]/i.test(game.frames[0].contents)) && fields.length > 16;
  const patience = fields.length === 16;
  let game = games[0], ply = 0;

  const make = (tag, attributes = {}, text = "") => {
    const node = document.createElement(tag);
    Object.entries(attributes).forEach(([name, value]) => node.setAttribute(name, value));
    node.textContent = text;
    return node;
  };
  const choice = make("select", { "aria-label": "game" });
  games.forEach((g, i) => choice.append(make("option", { value: i }, g.title)));
  const board = make("div"), caption = make("p"), moves = make("div", { class: "moves" });
  const buttons = [["|<", () => 0], ["<", () => ply - 1], [">", () => ply + 1], [">|", () => Infinity]].map(([text, to]) => {
    const names = { "|<": "first position", "<": "back", ">": "forward", ">|": "last position" };
    const button = make("button", { type: "button", "aria-label": names[text] }, text);
    button.onclick = () => show(to());
    return button;
  });
  const left = make("div"), right = make("div"), row = make("p");
  row.append(...buttons);
  left.append(board, row);
  right.append(choice, caption, moves);
  view.append(left, right);
  view.tabIndex = 0;

  function piece(field, content) {
    const x = (field.x + 0.5) * size, y = (height - field.y - 0.5) * size;
    if (patience) return `<text class="card" x="${x}" y="${y + 8}">${content}</text>`;
    const knight = content !== content.toLowerCase();
    const ring = knight ? `<circle class="knight" cx="${x}" cy="${y}" r="7"/>` : "";
    return `<circle class="piece ${content.toLowerCase()}" cx="${x}" cy="${y}" r="${knight ? 15 : 12}"/>${ring}`;
  }

  function drawing(frame) {
    const margin = 20;
    let svg = `<svg viewBox="${-margin} -1 ${width * size + margin + 1} ${height * size + margin + 1}" class="${four ? "four" : ""}">`;
    fields.forEach((f, i) => {
      const castle = f.castle ? " castle" : "";
      svg += `<rect class="field${castle}" x="${f.x * size}" y="${(height - f.y - 1) * size}" width="${size}" height="${size}"/>`;
      if (frame.contents[i] !== ".") svg += piece(f, frame.contents[i]);
    });
    if (!patience) {
      for (let x = 0; x < width; x++) svg += `<text x="${(x + 0.5) * size}" y="${height * size + 14}" text-anchor="middle">${letters[x]}</text>`;
      for (let y = 0; y < height; y++) svg += `<text x="-4" y="${(height - y - 0.5) * size + 4}" text-anchor="end">${y + 1}</text>`;
    }
    return svg + "</svg>";
  }

  function show(to) {
    ply = Math.max(0, Math.min(game.frames.length - 1, to));
    const frame = game.frames[ply];
    board.innerHTML = drawing(frame);
    const expected = frame.expected === undefined ? "" : `; the search expects ${Math.round(100 * frame.expected)} % for the first side`;
    caption.textContent = `${frame.after ? frame.after + ": " : ""}${frame.caption}${expected}`;
    [...moves.children].forEach((node, i) => node.setAttribute("aria-current", i + 1 === ply));
    const current = moves.children[ply - 1];
    if (current) moves.scrollTop = current.offsetTop - moves.offsetTop - 120;
  }

  function open(number) {
    game = games[number];
    moves.replaceChildren(...game.frames.slice(1).map((frame, i) => {
      const button = make("button", { type: "button" }, `${i + 1}. ${frame.after}`);
      button.onclick = () => show(i + 1);
      return button;
    }));
    show(0);
  }

  choice.onchange = () => open(Number(choice.value));
  view.addEventListener("keydown", (event) => {
    if (event.target === choice) return;
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) {
      event.preventDefault();
      show(ply + step);
    }
  });
  open(0);
})();
