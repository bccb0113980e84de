// AutomatonDrawing draws the automaton of the negated property, with its present state, and
// says which acceptance marks were seen.
const mostStates = 60;

class AutomatonDrawing {
  constructor(player) {
    this.player = player;
    this.svg = byId("automaton");
    byId("automaton-panel").addEventListener("toggle", () => this.drawn && !this.cropped && this.crop());
  }
  choose() {
    const a = (this.automaton = this.player.answer?.automaton || null);
    byId("automaton-panel").hidden = !a;
    this.svg.replaceChildren();
    this.cropped = false;
    byId("automaton-box").hidden = !a || a.states > mostStates || a.edges.length > 4 * mostStates;
    this.drawn = a && !byId("automaton-box").hidden;
    if (this.drawn) this.draw(a);
    if (a) this.update();
  }
  draw(a) {
    const graph = new dagre.graphlib.Graph({ multigraph: true });
    graph.setGraph({ rankdir: "LR", nodesep: 26, ranksep: 40, edgesep: 14, marginx: 14, marginy: 14 });
    graph.setDefaultEdgeLabel(() => ({}));
    // Loops stand above their state: room for them is left on both sides of its middle.
    const loops = Array.from({ length: a.states }, () => []);
    const widthOf = (e) => shorten(e.label, 34).length * 6.4 + 14 * (e.marks || []).length + 8;
    a.edges.forEach((e, i) => { if (e.from === e.to) loops[e.from].push(i); });
    for (let s = 0; s < a.states; s++) {
      const above = loops[s].length ? 24 + 20 * loops[s].length : 0;
      graph.setNode("s" + s, { width: Math.max(34, ...loops[s].map((i) => widthOf(a.edges[i]))), height: 34 + 2 * above });
    }
    a.initial.forEach((s, i) => { graph.setNode("i" + i, { width: 2, height: 2 }); graph.setEdge("i" + i, "s" + s, { width: 1, height: 1 }, "i" + i); });
    a.edges.forEach((e, i) => {
      if (e.from !== e.to) graph.setEdge("s" + e.from, "s" + e.to, { width: widthOf(e), height: 18, labelpos: "c", edge: e }, String(i));
    });
    dagre.layout(graph);
    const head = (id, lit) => makeSVG("marker", { id, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 8, markerHeight: 8, markerUnits: "userSpaceOnUse", orient: "auto" },
      makeSVG("path", { d: "M0,1L10,5L0,9z", class: lit ? "arc-head lit" : "arc-head" }));
    const view = makeSVG("g", {});
    this.svg.append(makeSVG("defs", {}, head("head", false), head("head-lit", true)), view);
    this.edges = [];
    this.states = [];
    const reach = (s, towards) => { // where a line leaves the circle of a state
      const { x, y } = graph.node(s), d = Math.hypot(towards.x - x, towards.y - y) || 1, r = s[0] === "i" ? 1 : 17;
      return { x: x + ((towards.x - x) / d) * r, y: y + ((towards.y - y) / d) * r };
    };
    for (const e of graph.edges()) {
      const edge = graph.edge(e), inner = edge.points.slice(1, -1);
      const points = [reach(e.v, inner[0] || graph.node(e.w)), ...inner, reach(e.w, inner[inner.length - 1] || graph.node(e.v))];
      const path = makeSVG("path", { class: "arc", d: curve(points), "marker-end": "url(#head)" });
      view.append(path);
      if (edge.edge) this.edges[e.name] = { path, label: this.label(view, edge.edge, edge.x, edge.y, edge.width) };
    }
    loops.forEach((list, s) => list.forEach((i, k) => {
      const { x, y } = graph.node("s" + s);
      const path = makeSVG("path", { class: "arc", d: `M${x - 9},${y - 14}C${x - 24},${y - 44} ${x + 24},${y - 44} ${x + 9},${y - 15}`, "marker-end": "url(#head)" });
      view.append(path);
      this.edges[i] = { path, label: this.label(view, a.edges[i], x, y - 46 - 20 * k, widthOf(a.edges[i])) };
    }));
    for (let s = 0; s < a.states; s++) {
      const { x, y } = graph.node("s" + s);
      const g = makeSVG("g", { class: "state", transform: "translate(" + x + "," + y + ")" }, makeSVG("circle", { r: 16 }), makeSVG("text", { y: 4 }, String(s)));
      const name = (a.names || [])[s];
      if (name) g.append(makeSVG("title", {}, shorten(name, longestTitle)));
      view.append(g);
      this.states[s] = g;
    }
    this.crop();
  }
  // crop cuts the drawing to what is in it, once it can be measured: not while it is hidden.
  crop() {
    const box = this.svg.querySelector("g").getBBox();
    if (!box.width) return;
    const width = Math.ceil(box.width + 12), height = Math.ceil(box.height + 12);
    this.svg.setAttribute("viewBox", [box.x - 6, box.y - 6, width, height].join(" "));
    this.svg.setAttribute("width", Math.round(1.2 * width));
    this.svg.setAttribute("height", Math.round(1.2 * height));
    this.svg.style.minWidth = Math.round(0.72 * width) + "px"; // below that nobody reads its labels: the box scrolls
    this.cropped = true;
  }
  // reveal scrolls a state into sight, if the drawing is larger than its box.
  reveal(g) {
    const box = byId("automaton-box"), frame = box.getBoundingClientRect(), at = g.getBoundingClientRect();
    if (at.left < frame.left || at.right > frame.right) box.scrollLeft += (at.left + at.right - frame.left - frame.right) / 2;
    if (at.top < frame.top || at.bottom > frame.bottom) box.scrollTop += (at.top + at.bottom - frame.top - frame.bottom) / 2;
  }
  // label writes what an edge reads, and its marks.
  label(view, edge, x, y, width) {
    const label = makeSVG("g", { class: "edge-label", transform: "translate(" + x + "," + y + ")" });
    const marks = edge.marks || [], text = shorten(edge.label, 34);
    label.append(makeSVG("rect", { x: -width / 2, y: -9, width, height: 18, rx: 4 }), makeSVG("text", { x: -width / 2 + 4, y: 4 }, text));
    marks.forEach((m, i) => label.append(makeSVG("circle", { class: "mark", cx: width / 2 - 9 - 14 * i, r: 6.5 }), makeSVG("text", { class: "mark", x: width / 2 - 9 - 14 * i, y: 3.5 }, String(m))));
    label.append(makeSVG("title", {}, shorten(edge.label, longestTitle)));
    view.append(label);
    return label;
  }
  // at is the state the number of the edge that was taken last, or -1.
  at(position) {
    const run = this.player.run;
    if (!run?.edges || position > run.edges.length) return null;
    const a = this.automaton;
    if (position > 0) return a.edges[run.edges[position - 1]].to;
    return run.block.start;
  }
  update() {
    const { player, automaton: a } = this;
    if (!a) return;
    const run = player.run, hand = player.hand;
    const position = player.position;
    const state = hand ? null : this.at(position);
    const words = byId("automaton-now");
    if (!run || !run.edges) words.textContent = "It has " + a.states + " states. No run of it is shown.";
    else if (hand) words.textContent = "It follows the run, not what is fired by hand.";
    else if (state === null) words.textContent = "It has accepted whatever follows.";
    else {
      const taken = player.last && player.last.forward && player.arrived >= 0 ? a.edges[run.edges[player.arrived]] : null;
      const parts = ["State ", make("b", {}, String(state)), " of " + a.states];
      if (a.sets > 0) {
        const cycle = new Set();
        if (run.hasCycle) for (let i = run.cycleStart; i < run.edges.length; i++) for (const m of a.edges[run.edges[i]].marks || []) cycle.add(m);
        parts.push(taken?.marks?.length ? "; mark " + taken.marks.join(", ") + " seen just now" : "");
        if (run.hasCycle) parts.push("; the cycle sees " + (cycle.size === a.sets ? "all marks: " : "marks ") + [...cycle].sort((x, y) => x - y).join(", "));
      } else parts.push("; it accepts every run that goes on for ever");
      words.replaceChildren(...parts, ".");
    }
    if (!this.drawn) return;
    this.states.forEach((g, s) => g.classList.toggle("now", s === state));
    if (state !== null) this.reveal(this.states[state]);
    const before = !hand && run?.edges && player.arrived >= 0 ? run.edges[player.arrived] : -1;
    const next = !hand && run?.edges && position < run.edges.length ? run.edges[position] : -1;
    this.edges.forEach((e, i) => {
      e.path.classList.toggle("lit", i === before);
      e.path.setAttribute("marker-end", i === before ? "url(#head-lit)" : "url(#head)");
      e.label.classList.toggle("lit", i === before);
      e.label.classList.toggle("next", i === next);
    });
  }
}
