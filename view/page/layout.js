// Where nodes are drawn: a node is "p3" for a place, "t5" for a transition.

// mostDrawn bounds the nets that are drawn whole, and mostAround the part of a larger one
// that is drawn around a step.
const mostDrawn = 300, mostAround = 110;

const placeRadius = 19;

// Part chooses which nodes are drawn: all, or those that the run touches, or those around
// the present step, with what the user asked for besides.
class Part {
  constructor(player) {
    this.player = player;
    this.net = player.net;
    this.extra = new Set();
    this.neighbours();
    this.choose();
  }
  neighbours() {
    this.around = { p: this.net.places.map(() => []), t: this.net.transitions.map(() => []) };
    for (let t = 0; t < this.net.transitions.length; t++) {
      const seen = new Set();
      for (const arcs of [this.net.arcs.inputs(t), this.net.inhibitors(t), this.net.resets(t).map((p) => [p]), this.net.arcs.outputs(t)]) {
        for (const [p] of arcs) {
          if (seen.has(p)) continue;
          seen.add(p);
          this.around.t[t].push("p" + p);
          this.around.p[p].push("t" + t);
        }
      }
    }
  }
  of(node) { return this.around[node[0]][node.slice(1)]; }

  choose() {
    const { net, player } = this;
    const total = net.places.length + net.transitions.length;
    this.whole = total <= mostDrawn;
    this.follows = false;
    this.nodes = new Set();
    if (this.whole) {
      for (let p = 0; p < net.places.length; p++) this.nodes.add("p" + p);
      for (let t = 0; t < net.transitions.length; t++) this.nodes.add("t" + t);
      return;
    }
    const run = player.run;
    if (run) {
      const fired = new Set();
      for (const m of run.steps) if (m >= 0) fired.add(net.transitionOfMode(m));
      for (const t of fired) if (this.nodes.size <= mostDrawn) this.add("t" + t);
      for (const p of player.answer.support || []) if (this.nodes.size <= mostDrawn) this.nodes.add("p" + p);
    }
    if (!run || run.steps.length === 0 || this.nodes.size > mostDrawn) {
      this.follows = !!run && run.steps.length > 0;
      this.chooseAround();
    }
    for (const node of this.extra) this.add(node);
  }
  // add adds a node, and of a transition its places.
  add(node) {
    this.nodes.add(node);
    if (node[0] === "t") for (const other of this.of(node).slice(0, 60)) this.nodes.add(other);
  }
  chooseAround() {
    const { net, player } = this;
    this.nodes = new Set();
    const run = player.run;
    if (run && !player.hand) {
      const size = run.steps.length;
      for (let d = 0; d < size && this.nodes.size < mostAround; d++) {
        for (const i of d === 0 ? [player.position - 1, player.position] : [player.position + d, player.position - 1 - d]) {
          if (i >= 0 && i < size && run.steps[i] >= 0) this.add("t" + net.transitionOfMode(run.steps[i]));
        }
        if (d > 200) break;
      }
    }
    if (player.hand?.fired.length) for (const m of player.hand.fired.slice(-20)) this.add("t" + net.transitionOfMode(m));
    // What is left of the room goes to what is marked, and what is around it.
    const queue = [...this.nodes];
    for (let p = 0; p < net.places.length && queue.length < 400; p++) if (player.placeTokens(p) > 0) queue.push("p" + p);
    for (let i = 0; i < queue.length && this.nodes.size < mostAround; i++) {
      this.nodes.add(queue[i]);
      for (const other of this.of(queue[i]).slice(0, 30)) if (this.nodes.size < mostAround && !this.nodes.has(other)) {
        this.add(other);
        queue.push(other);
      }
    }
  }
  // show makes sure that a node is drawn, and reports whether that changes anything.
  show(node) {
    if (this.nodes.has(node)) return false;
    this.extra.add(node);
    this.add(node);
    return true;
  }
  expand(node) {
    for (const other of this.of(node).slice(0, 60)) {
      this.extra.add(other);
      this.add(other);
    }
  }
  hidden(node) { return this.whole ? 0 : this.of(node).filter((n) => !this.nodes.has(n)).length; }
  // follow draws another part if the transition that fires next or fired last is not drawn.
  follow() {
    if (!this.follows) return false;
    const { player, net } = this;
    const wanted = [player.last, player.nextStep()].filter((s) => s && s.mode >= 0).map((s) => "t" + net.transitionOfMode(s.mode));
    if (wanted.every((n) => this.nodes.has(n))) return false;
    this.chooseAround();
    for (const node of this.extra) this.add(node);
    return true;
  }
}

// labels of nodes in the drawing
const longestLabel = 26;
const labelWidth = (text) => Math.min(text.length, longestLabel) * 6.6;

// sizeOf is the room that a node takes.
function sizeOf(net, node) {
  const i = Number(node.slice(1));
  if (node[0] === "t") return { width: Math.max(30, labelWidth(net.transitionName(i)) + 16), height: 28 };
  return { width: Math.max(2 * placeRadius + 4, labelWidth(net.placeName(i))), height: 2 * placeRadius + 22 };
}

// arcsBetween are the arcs between nodes that are drawn.
function arcsBetween(net, nodes) {
  const arcs = [];
  for (const node of nodes) {
    if (node[0] !== "t") continue;
    const t = Number(node.slice(1));
    for (const [p, weight, i] of net.arcs.inputs(t)) if (nodes.has("p" + p)) arcs.push({ from: "p" + p, to: node, weight, number: i });
    for (const [p, weight] of net.inhibitors(t)) if (nodes.has("p" + p)) arcs.push({ from: "p" + p, to: node, weight, inhibits: true });
    for (const p of net.resets(t)) if (nodes.has("p" + p)) arcs.push({ from: "p" + p, to: node, resets: true });
    for (const [p, weight, i] of net.arcs.outputs(t)) if (nodes.has("p" + p)) arcs.push({ from: node, to: "p" + p, weight, number: i });
  }
  return arcs;
}

// fromDocument are the positions that the document gives, made as large as nodes need; null
// if it gives few, or puts many nodes in the same place.
function fromDocument(net, nodes) {
  const given = net.block.positions;
  if (!given) return null;
  const at = new Map(), places = new Set();
  for (const node of nodes) {
    const i = Number(node.slice(1)) + (node[0] === "t" ? net.places.length : 0);
    if (!given[i]) continue;
    at.set(node, { x: given[i].x, y: given[i].y });
    places.add(Math.round(given[i].x) + "," + Math.round(given[i].y));
  }
  if (at.size < 0.9 * nodes.size || places.size < 0.9 * at.size || at.size === 0) return null;
  const list = [...at.values()], nearest = [];
  for (const a of list.slice(0, 300)) {
    let best = Infinity;
    for (const b of list) if (a !== b) best = Math.min(best, Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)));
    if (best < Infinity) nearest.push(best);
  }
  nearest.sort((a, b) => a - b);
  const usual = nearest[Math.floor(nearest.length / 4)] || 80;
  const scale = Math.max(0.3, Math.min(20, 76 / Math.max(usual, 1)));
  for (const p of at.values()) {
    p.x *= scale;
    p.y *= scale;
  }
  // The few without a position go where their neighbours are.
  let lost = 0;
  for (const node of nodes) if (!at.has(node)) at.set(node, { x: lost++ * 80, y: -80 });
  const bends = new Map();
  for (const [arc, points] of Object.entries(net.block.bends || {})) bends.set(arc, points.map((p) => ({ x: p.x * scale, y: p.y * scale })));
  return { at, bends, given: true };
}

// laidOut are positions by dagre: a layer after the other, from what is marked at first.
function laidOut(net, nodes, arcs, direction) {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: direction, nodesep: direction === "LR" ? 16 : 22, ranksep: 34, edgesep: 10, marginx: 20, marginy: 20, ranker: nodes.size > 150 ? "tight-tree" : "network-simplex" });
  graph.setDefaultEdgeLabel(() => ({}));
  // The order in which nodes come decides which arcs of a cycle point backwards.
  const after = new Map([...nodes].map((n) => [n, []]));
  for (const a of arcs) after.get(a.from).push(a.to);
  const marked = [...nodes].filter((n) => n[0] === "p" && net.cellsOfPlace(Number(n.slice(1))).some((c) => net.initial[c] > 0));
  const seen = new Set();
  const visit = (first) => {
    for (const queue = [first]; queue.length > 0; ) {
      const node = queue.shift();
      if (seen.has(node)) continue;
      seen.add(node);
      graph.setNode(node, sizeOf(net, node));
      queue.push(...after.get(node));
    }
  };
  marked.forEach(visit);
  nodes.forEach(visit);
  arcs.forEach((a, i) => graph.setEdge(a.from, a.to, { arc: a }, String(i)));
  dagre.layout(graph);
  const at = new Map(), ways = new Map();
  for (const node of graph.nodes()) {
    const { x, y } = graph.node(node);
    at.set(node, { x, y: node[0] === "p" ? y - 11 : y });
  }
  for (const e of graph.edges()) {
    const edge = graph.edge(e);
    ways.set(edge.arc, edge.points.slice(1, -1));
  }
  return { at, ways, given: false };
}

// pulled are positions by forces: arcs pull, nodes push. It shows rings and symmetry, where
// layers show an order.
function pulled(net, nodes, arcs, begin) {
  const list = [...nodes].map((id) => {
    const { x, y } = begin.at.get(id), size = sizeOf(net, id);
    return { id, x, y, r: Math.max(26, Math.min(44, size.width / 2 + 6)) };
  });
  const links = arcs.map((a) => ({ source: a.from, target: a.to }));
  const simulation = d3.forceSimulation(list).stop()
    .force("link", d3.forceLink(links).id((n) => n.id).distance(68).strength(0.7))
    .force("charge", d3.forceManyBody().strength(-520).distanceMax(900))
    .force("x", d3.forceX().strength(0.012)).force("y", d3.forceY().strength(0.03))
    .force("collide", d3.forceCollide((n) => n.r).strength(0.8));
  simulation.tick(Math.min(400, Math.round(60000 / nodes.size)));
  separate(net, list);
  return { at: new Map(list.map((n) => [n.id, { x: n.x, y: n.y }])), ways: new Map(), given: false };
}

// separate moves nodes apart that overlap, along the side where that takes least.
function separate(net, list) {
  for (const n of list) {
    const { width, height } = sizeOf(net, n.id);
    n.w = width / 2 + 9;
    n.h = n.id[0] === "p" ? placeRadius + 14 : height / 2 + 9;
  }
  for (let round = 0; round < 80; round++) {
    let moved = false;
    for (let i = 0; i < list.length; i++) {
      for (let j = i + 1; j < list.length; j++) {
        const a = list[i], b = list[j], x = a.w + b.w - Math.abs(a.x - b.x), y = a.h + b.h - Math.abs(a.y - b.y);
        if (x <= 0 || y <= 0) continue;
        moved = true;
        if (x < y) {
          const d = (a.x < b.x ? -x : x) / 2;
          a.x += d;
          b.x -= d;
        } else {
          const d = (a.y < b.y ? -y : y) / 2;
          a.y += d;
          b.y -= d;
        }
      }
    }
    if (!moved) return;
  }
}

// cost is how hard a layout is to read: arcs that cross, arcs through nodes, long arcs, and
// how small it is drawn.
function cost(net, nodes, arcs, layout, width, height) {
  const lines = [];
  for (const a of arcs) {
    const points = [layout.at.get(a.from), ...(layout.ways.get(a) || []), layout.at.get(a.to)];
    for (let i = 1; i < points.length; i++) lines.push([points[i - 1], points[i], a]);
  }
  const side = (a, b, c) => Math.sign((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
  let crossings = 0;
  for (let i = 0; i < lines.length; i++) {
    for (let j = i + 1; j < lines.length; j++) {
      const [a, b, x] = lines[i], [c, d, y] = lines[j];
      if (x === y || x.from === y.from || x.from === y.to || x.to === y.from || x.to === y.to) continue;
      if (side(a, b, c) !== side(a, b, d) && side(c, d, a) !== side(c, d, b)) crossings++;
    }
  }
  let x0 = Infinity, x1 = -Infinity, y0 = Infinity, y1 = -Infinity, length = 0;
  for (const { x, y } of layout.at.values()) { x0 = Math.min(x0, x); x1 = Math.max(x1, x); y0 = Math.min(y0, y); y1 = Math.max(y1, y); }
  for (const [a, b] of lines) length += Math.hypot(a.x - b.x, a.y - b.y);
  const scale = Math.min(1.3, width / (x1 - x0 + 100), height / (y1 - y0 + 80));
  // An arc that runs through a node that is not its own is worse than one that crosses.
  if (layout.ways.size === 0) {
    for (const [node, at] of layout.at) {
      for (const [a, b, arc] of lines) {
        if (arc.from === node || arc.to === node) continue;
        const dx = b.x - a.x, dy = b.y - a.y, along = Math.max(0, Math.min(1, ((at.x - a.x) * dx + (at.y - a.y) * dy) / (dx * dx + dy * dy || 1)));
        if (Math.hypot(a.x + along * dx - at.x, a.y + along * dy - at.y) < placeRadius + 6) crossings += 4;
      }
    }
  }
  return ((1 + crossings / Math.max(4, arcs.length)) * (length / Math.max(1, arcs.length) + 60)) / scale;
}

// mirrored has another start for forces: x and y swapped, and every second node moved aside.
function mirrored(layout) {
  let i = 0;
  return { at: new Map([...layout.at].map(([n, p]) => [n, { x: p.y + (i++ % 2 ? 60 : -60), y: p.x / 2 }])) };
}

// packed puts the connected parts of a layout into rows that fill a window, the highest first;
// dagre puts them all in one column or row.
function packed(net, arcs, layout, width, height) {
  const part = new Map([...layout.at.keys()].map((n) => [n, n]));
  const root = (n) => { while (part.get(n) !== n) { part.set(n, part.get(part.get(n))); n = part.get(n); } return n; };
  for (const a of arcs) part.set(root(a.from), root(a.to));
  const boxes = new Map();
  for (const [n, { x, y }] of layout.at) {
    const size = sizeOf(net, n), r = root(n);
    if (!boxes.has(r)) boxes.set(r, { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity });
    const b = boxes.get(r);
    b.x0 = Math.min(b.x0, x - size.width / 2); b.x1 = Math.max(b.x1, x + size.width / 2);
    b.y0 = Math.min(b.y0, y - size.height / 2); b.y1 = Math.max(b.y1, y + size.height / 2);
  }
  if (boxes.size < 2) return layout;
  for (const [a, points] of layout.ways) for (const { x, y } of points) {
    const b = boxes.get(root(a.from));
    b.x0 = Math.min(b.x0, x); b.x1 = Math.max(b.x1, x); b.y0 = Math.min(b.y0, y); b.y1 = Math.max(b.y1, y);
  }
  const gap = 36, list = [...boxes.values()].sort((a, b) => b.y1 - b.y0 - (a.y1 - a.y0));
  let area = 0, widest = 0;
  for (const b of list) {
    area += (b.x1 - b.x0 + gap) * (b.y1 - b.y0 + gap);
    widest = Math.max(widest, b.x1 - b.x0 + gap);
  }
  const row = Math.max(widest, 1.05 * Math.sqrt((area * width) / height));
  let x = 0, y = 0, high = 0;
  for (const b of list) {
    if (x > 0 && x + b.x1 - b.x0 > row) { x = 0; y += high + gap; high = 0; }
    b.dx = x - b.x0;
    b.dy = y - b.y0;
    x += b.x1 - b.x0 + gap;
    high = Math.max(high, b.y1 - b.y0);
  }
  const moved = (p, b) => ({ x: p.x + b.dx, y: p.y + b.dy });
  return { at: new Map([...layout.at].map(([n, p]) => [n, moved(p, boxes.get(root(n)))])), ways: new Map([...layout.ways].map(([a, w]) => [a, w.map((p) => moved(p, boxes.get(root(a.from))))])), given: false };
}

// mostCompared bounds the arcs of nets for which several layouts are compared.
const mostCompared = 450;

// best is the best of a few layouts.
function best(net, nodes, arcs) {
  const box = byId("net"), width = box.clientWidth || 900, height = box.clientHeight || 600;
  const layers = packed(net, arcs, laidOut(net, nodes, arcs, "LR"), width, height);
  if (arcs.length > mostCompared || nodes.size < 2) return layers;
  const down = packed(net, arcs, laidOut(net, nodes, arcs, "TB"), width, height);
  const all = [layers, down, pulled(net, nodes, arcs, layers)];
  // A part of a larger net is laid out anew again and again while the run is played.
  const whole = nodes.size === net.places.length + net.transitions.length;
  if (whole && nodes.size <= 120) all.push(pulled(net, nodes, arcs, down), pulled(net, nodes, arcs, mirrored(layers)));
  const costs = all.map((l) => cost(net, nodes, arcs, l, width, height));
  // Layers show well where a net begins and ends, if it hardly ever goes back.
  const backwards = arcs.filter((a) => layers.at.get(a.to).x < layers.at.get(a.from).x).length;
  if (backwards < 0.05 * arcs.length) costs[0] *= 0.5;
  return all[costs.indexOf(Math.min(...costs))];
}

// arrange is where the nodes and arcs of a part are drawn.
function arrange(net, nodes, byDocument) {
  const arcs = arcsBetween(net, nodes);
  const found = (byDocument && fromDocument(net, nodes)) || best(net, nodes, arcs);
  const both = new Set(arcs.map((a) => a.from + ">" + a.to));
  for (const a of arcs) {
    const from = found.at.get(a.from), to = found.at.get(a.to);
    let way = found.given ? found.bends.get(a.from + ">" + a.to) || [] : found.ways.get(a) || [];
    if (way.length === 0 && both.has(a.to + ">" + a.from)) {
      // Two arcs between the same nodes bend away from each other.
      const dx = to.x - from.x, dy = to.y - from.y, length = Math.hypot(dx, dy) || 1;
      way = [{ x: (from.x + to.x) / 2 - (dy / length) * 18, y: (from.y + to.y) / 2 + (dx / length) * 18 }];
    }
    a.points = [border(net, a.from, from, way[0] || to), ...way, border(net, a.to, to, way[way.length - 1] || from)];
  }
  return { arcs, at: found.at, given: found.given };
}

// border is where a line from a node's centre towards a point leaves the node.
function border(net, node, centre, towards) {
  const dx = towards.x - centre.x, dy = towards.y - centre.y, length = Math.hypot(dx, dy) || 1;
  let reach = placeRadius + 1;
  if (node[0] === "t") {
    const { width, height } = sizeOf(net, node);
    reach = length * Math.min(dx ? (width / 2 + 1) / Math.abs(dx) : Infinity, dy ? (height / 2 + 1) / Math.abs(dy) : Infinity);
    if (!isFinite(reach)) reach = height / 2;
  }
  return { x: centre.x + (dx / length) * reach, y: centre.y + (dy / length) * reach };
}

// curve is a path through points that is smooth between the first and the last.
function curve(points) {
  const r = (p) => p.x.toFixed(1) + "," + p.y.toFixed(1);
  if (points.length < 3) return "M" + points.map(r).join("L");
  let path = "M" + r(points[0]);
  for (let i = 1; i < points.length - 1; i++) {
    const end = i === points.length - 2 ? points[i + 1] : { x: (points[i].x + points[i + 1].x) / 2, y: (points[i].y + points[i + 1].y) / 2 };
    path += "Q" + r(points[i]) + " " + r(end);
  }
  return path;
}
