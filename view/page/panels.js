// The panels beside the drawing say in words and tables what it shows.

const truthWords = ["false", "true", "not known"], truthMarks = ["✗", "✓", "?"], truthNames = ["no", "yes", "unknown"];

// truthMark is how a truth value looks: a mark and a word, not a colour alone.
function truthMark(value) {
  return make("span", { class: "truth " + truthNames[value], title: truthWords[value] }, truthMarks[value], make("span", { class: "hidden-text" }, " " + truthWords[value] + " "));
}

class Panels {
  constructor(player, drawing) {
    this.player = player;
    this.net = player.net;
    this.drawing = drawing;
    this.places = new Rows(byId("places"), 34, (i) => this.placeRow(this.placeList[i]));
    this.steps = new Rows(byId("steps"), 24, (i) => this.stepRow(i));
    this.placeList = [];
    byId("places-filter").addEventListener("input", () => this.listPlaces());
    byId("places-changed").addEventListener("change", () => this.listPlaces());
    this.structure();
  }
  choose() {
    const run = this.player.run;
    this.formula();
    byId("steps-panel").hidden = !run || run.steps.length === 0;
    byId("steps-count").textContent = run ? "(" + run.steps.length + ")" : "";
    this.steps.set(run ? run.steps.length : 0);
    byId("places-changed").checked = !!run && run.changing.length > 0;
    this.listPlaces();
    this.update();
  }
  update() {
    this.now();
    this.enabled();
    this.updateFormula();
    this.places.draw();
    const { player } = this;
    if (player.run && !byId("steps-panel").hidden) {
      if (!player.hand && player.arrived >= 0) this.steps.reveal(player.arrived);
      else this.steps.draw();
    }
  }

  // now tells the last step, and what it changed.
  now() {
    const { player, net } = this, { run, last, hand } = player;
    const box = byId("now"), parts = [];
    const where = hand ? (hand.fired.length ? hand.fired.length + " fired by hand" : "Initial marking") :
      run.steps.length === 0 ? "Initial marking" : "Step " + player.position + " of " + run.steps.length +
      (run.hasCycle && player.position >= run.cycleStart ? ", in the cycle" + (player.round > 0 ? ", round " + (player.round + 1) : "") : "");
    parts.push(make("p", { class: "where" }, where));
    if (last) {
      const line = make("p", { class: "fired" });
      if (last.mode < 0) line.append("Deadlock: nothing fires, and the marking stays.");
      else line.append(last.forward ? "" : "Taken back: ", nameOf(net.modeName(last.mode)), last.times > 1 ? " × " + last.times : "", last.forward ? " fired" : "");
      parts.push(line);
    }
    const next = player.nextStep();
    if (next) parts.push(make("p", { class: "next" }, "Next: ", next.mode < 0 ? "deadlock, nothing fires" : nameOf(net.modeName(next.mode)), next.times > 1 ? " × " + next.times : ""));
    else if (!hand) {
      const dead = run.block.dead;
      if (dead) parts.push(make("p", { class: "next" }, nameOf(dead), " can never fire again."));
      else if (run.steps.length === 0) parts.push(make("p", { class: "next" }, run.ended ? "The initial marking is a deadlock." : "The initial marking shows the answer."));
      else parts.push(make("p", { class: "next" }, run.ended ? "The run ends here, in a deadlock." : "The run ends here."));
    }
    const changes = this.drawing.changes(last);
    if (changes.size > 0) {
      const list = make("ul", { class: "changes" });
      let told = 0;
      for (const [p, d] of changes) {
        if (d == 0) continue;
        if (told++ === 12) { list.append(make("li", {}, "and " + (changes.size - 12) + " more")); break; }
        const now = player.placeTokens(p);
        list.append(make("li", {}, nameOf(net.placeName(p), 40), " " + (now - d) + " → " + now));
      }
      parts.push(list);
    }
    if (player.answer?.sum) parts.push(make("p", { class: "sum" }, "Value: ", make("b", {}, String(this.sum()))));
    box.replaceChildren(...parts);
  }
  // sum is the number that was asked for, in the present marking.
  sum() {
    const s = this.player.answer.sum;
    let value = BigInt(s.constant);
    for (const [p, k] of s.terms) value += BigInt(k) * BigInt(s.cells ? this.player.tokens(p) : this.player.placeTokens(p));
    return value;
  }

  // enabled lists what is enabled, as buttons that fire it.
  enabled() {
    const most = 60, { player, net } = this;
    const list = player.enabledModes(most + 1), next = player.nextStep();
    byId("enabled-count").textContent = "(" + (list.length > most ? "over " + most : list.length) + ")";
    byId("by-hand").hidden = !player.hand || (!player.hand.fired.length && !player.run);
    byId("back-to-run").hidden = !player.run;
    const box = byId("enabled"), focused = document.activeElement?.dataset?.mode;
    box.replaceChildren(...list.slice(0, most).map((m) => make("button", { class: next && next.mode === m ? "fire next" : "fire", "data-mode": m,
      title: next && next.mode === m ? "fires next in the run" : "fire by hand", click: () => player.fire(m) }, nameOf(net.modeName(m), 48))));
    if (net.partial) box.append(make("p", { class: "note" }, "Only bindings that the run fires are known: the net is too large to be unfolded."));
    else if (list.length === 0) box.append(make("p", { class: "note" }, "Nothing is enabled: a deadlock."));
    if (focused !== undefined) (box.querySelector('[data-mode="' + focused + '"]') || box.querySelector("button"))?.focus();
  }

  // formula shows the formula as a tree; each line has a strip of its truth over time.
  formula() {
    const { player } = this, answer = player.answer, nodes = answer?.formula || [], atoms = answer?.atoms || [];
    byId("formula-panel").hidden = nodes.length === 0 && atoms.length === 0;
    this.lines = [];
    const box = byId("formula");
    box.replaceChildren();
    if (byId("formula-panel").hidden) return;
    const line = (depth, text, track, title) => {
      const mark = make("span", {}), strip = makeSVG("svg", { class: "strip", "aria-hidden": "true" });
      const row = make("div", { class: "line depth" + Math.min(depth, 12) }, mark, make("code", { title: shorten(title, longestTitle) }, make("bdi", {}, shorten(text, 300))), strip);
      box.append(row);
      this.lines.push({ row, mark, strip, track });
      this.strip(strip, track);
    };
    const run = player.run;
    const walk = (i, depth) => {
      const n = nodes[i], text = this.text(nodes, i, atoms);
      line(depth, n.atom !== undefined ? atoms[n.atom] : text, n.atom !== undefined ? run?.atoms[n.atom] : run?.values[i], text);
      for (const o of n.args || []) walk(o, depth + 1);
    };
    if (nodes.length > 0) walk(nodes.length - 1, 0);
    else atoms.forEach((text, i) => line(0, text, run?.atoms[i], text));
  }
  // text writes a subformula.
  text(nodes, i, atoms) {
    const n = nodes[i];
    if (n.atom !== undefined) return atoms[n.atom];
    const operands = (n.args || []).map((o) => {
      const t = this.text(nodes, o, atoms), inner = nodes[o];
      return (inner.args || []).length > 1 && !/^[AE]U$/.test(inner.op) || inner.atom !== undefined && /[ =<>&|]/.test(t) ? "(" + t + ")" : t;
    });
    if (operands.length === 0) return n.op;
    if (n.op === "EU" || n.op === "AU") return n.op[0] + "(" + operands[0] + " U " + operands[1] + ")";
    if (operands.length === 1) return n.op + (n.op === "!" ? "" : " ") + operands[0];
    return operands.join(" " + n.op + " ");
  }
  // strip draws the truth of a subformula over all positions.
  strip(svg, track) {
    const run = this.player.run;
    if (!track || !run) return;
    const width = 110, n = run.positions;
    svg.setAttribute("viewBox", "0 0 " + width + " 12");
    svg.setAttribute("preserveAspectRatio", "none");
    const columns = Math.min(n, width), paths = ["", "", ""];
    let from = 0, value = track.at(0);
    for (let c = 1; c <= columns; c++) {
      const v = c < columns ? track.at(Math.floor((c * n) / columns)) : -1;
      if (v === value) continue;
      const x = (from * width) / columns, w = ((c - from) * width) / columns;
      paths[value] += value === 1 ? `M${x},1h${w}v10h${-w}z` : value === 0 ? `M${x},9h${w}v2h${-w}z` : `M${x},5h${w}v2h${-w}z`;
      from = c;
      value = v;
    }
    paths.forEach((d, v) => d && svg.append(makeSVG("path", { class: truthNames[v], d })));
    svg.append(makeSVG("line", { class: "cursor", y1: 0, y2: 12 }));
    svg.addEventListener("click", (e) => this.jumpIn(e, svg));
  }
  jumpIn(e, svg) {
    const box = svg.getBoundingClientRect();
    this.player.jump(Math.floor(((e.clientX - box.left) / box.width) * this.player.run.positions));
  }
  updateFormula() {
    const { player } = this, run = player.run;
    for (const l of this.lines || []) {
      const known = l.track && !player.hand && !(run.grows && player.round > 0);
      const value = known ? l.track.at(player.position) : 2;
      l.mark.replaceChildren(truthMark(value));
      l.row.classList.toggle("fails", value === 0);
      const cursor = l.strip.querySelector(".cursor");
      if (cursor && run) {
        const x = (((player.position + 0.5) * 110) / run.positions).toFixed(1);
        cursor.setAttribute("x1", x);
        cursor.setAttribute("x2", x);
      }
    }
  }

  // listPlaces chooses the places of the table: those of the question first.
  listPlaces() {
    const { player, net } = this, run = player.run;
    const filter = byId("places-filter").value.toLowerCase(), only = byId("places-changed").checked;
    const support = new Set(player.answer?.support || []);
    let list = [];
    if (only && run) {
      const seen = new Set();
      for (const c of run.changing) if (net.placeOfCell(c) < net.places.length) seen.add(net.placeOfCell(c));
      for (const p of support) seen.add(p);
      list = [...seen];
    } else list = net.places.map((_, p) => p);
    if (filter) list = list.filter((p) => net.placeName(p).toLowerCase().includes(filter) || net.places[p].toLowerCase().includes(filter));
    list.sort((a, b) => support.has(b) - support.has(a) || a - b);
    this.placeList = list;
    this.support = support;
    this.plots = new Map();
    byId("places-count").textContent = "(" + list.length + " of " + net.places.length + ")";
    this.places.set(list.length);
  }
  placeRow(p) {
    const { player, net } = this, tokens = player.placeTokens(p);
    const changed = this.drawing.changes(player.last).get(p);
    const colours = net.coloured ? player.colours(p).filter(([c]) => c).map(([c, k]) => (k == 1 ? "" : k + "′") + c).join(" ") : "";
    const name = make("button", { class: "place-name", title: "show in the drawing", click: () => this.drawing.reveal("p" + p) }, this.support.has(p) ? "◆ " : "", nameOf(net.placeName(p), 60));
    return make("div", { class: "place-row" + (changed !== undefined && changed != 0 ? " changed" : ""), "data-place": p, "data-tokens": String(tokens) },
      make("span", { class: "place-cell" }, name, colours ? make("small", { title: shorten(colours, longestTitle) }, shorten(colours, 80)) : null),
      make("span", { class: "count" }, String(tokens)), player.run ? this.plot(p) : null);
  }
  // plot draws the tokens of a place over the run.
  plot(p) {
    const run = this.player.run, width = 130, height = 26;
    const svg = makeSVG("svg", { class: "plot", viewBox: "0 0 " + width + " " + height, preserveAspectRatio: "none", "aria-hidden": "true" });
    if (!this.plots.has(p)) this.plots.set(p, this.plotPath(p, width, height));
    svg.append(makeSVG("path", { class: "line", d: this.plots.get(p) }));
    if (run.hasCycle) {
      const x = (run.cycleStart * width) / run.positions;
      svg.prepend(makeSVG("rect", { class: "cycle", x, y: 0, width: width - x, height }));
    }
    if (!this.player.hand) {
      const x = (((this.player.position + 0.5) * width) / run.positions).toFixed(1);
      svg.append(makeSVG("line", { class: "cursor", x1: x, x2: x, y1: 0, y2: height }));
    }
    svg.addEventListener("click", (e) => this.jumpIn(e, svg));
    return svg;
  }
  plotPath(p, width, height) {
    const run = this.player.run, n = run.positions, columns = Math.min(n, width);
    const cells = this.net.cellsOfPlace(p);
    const value = (i) => { let s = 0; for (const c of cells) s += Number(run.value(c, i)); return s; };
    const values = [];
    let most = 1;
    // Of positions that share a column the smallest and the largest value are drawn, as far
    // as a few looks find them.
    for (let c = 0; c < columns; c++) {
      const from = Math.floor((c * n) / columns), to = Math.max(from + 1, Math.floor(((c + 1) * n) / columns));
      let low = Infinity, high = -Infinity;
      for (let i = from; i < to; i += Math.max(1, Math.floor((to - from) / 16))) {
        const v = value(i);
        low = Math.min(low, v);
        high = Math.max(high, v);
      }
      values.push([low, high]);
      most = Math.max(most, high);
    }
    const y = (v) => (height - 3 - (v / most) * (height - 6)).toFixed(1), x = (c) => ((c * width) / columns).toFixed(1);
    let path = "M0," + y(values[0][0]);
    values.forEach(([low, high], c) => (path += "L" + x(c) + "," + y(low) + (high > low ? "V" + y(high) + "V" + y(low) : "") + "H" + x(c + 1)));
    return path;
  }

  stepRow(i) {
    const { player, net } = this, run = player.run, mode = run.steps[i], times = run.timesOf(i);
    const now = !player.hand && i === player.arrived, inCycle = run.hasCycle && i >= run.cycleStart;
    return make("button", { class: "step-row" + (now ? " now" : "") + (inCycle ? " cycle" : ""), "aria-current": now ? "step" : null, tabindex: -1, click: () => player.jump(i + 1) },
      make("span", { class: "number" }, String(i + 1)), mode < 0 ? "deadlock: nothing fires" : nameOf(net.modeName(mode), 80), times > 1 ? " × " + times : "", inCycle && i === run.cycleStart ? make("small", {}, " ↻ the cycle begins") : null);
  }

  // structure lists units and invariants; choosing one lights its places up.
  structure() {
    const { net } = this, units = net.block.units || [], flows = net.block.semiflows || [];
    byId("structure-panel").hidden = units.length + flows.length === 0;
    const box = byId("structure");
    const entry = (text, places) => make("button", { class: "member", "aria-pressed": "false", title: shorten(text, longestTitle), click: (e) => {
      const on = e.currentTarget.getAttribute("aria-pressed") !== "true";
      for (const b of box.querySelectorAll("button")) b.setAttribute("aria-pressed", "false");
      e.currentTarget.setAttribute("aria-pressed", String(on));
      this.drawing.highlight(on ? places() : null);
    } }, make("bdi", {}, shorten(text, 90)));
    const most = 200;
    const within = (i, seen = new Set()) => {
      if (seen.has(i)) return new Set();
      seen.add(i);
      const all = new Set(units[i].places || []);
      for (const part of units[i].parts || []) for (const p of within(part, seen)) all.add(p);
      return all;
    };
    if (flows.length) box.append(make("h3", {}, "Invariants"));
    for (const f of flows.slice(0, most)) box.append(entry(f.terms.map(([p, k]) => (k == 1 ? "" : k + "·") + net.placeName(p)).join(" + ") + " = " + f.value, () => new Set(f.terms.map(([p]) => p))));
    if (units.length) box.append(make("h3", {}, "Units"));
    units.slice(0, most).forEach((u, i) => box.append(entry(u.id, () => within(i))));
  }
}
