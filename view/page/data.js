// The data of the page: the net, and runs over it. Numbers lie in base64 as unsigned
// integers of variable length, seven bits a byte, the lowest first.

function bytesOf(text) {
  const binary = atob(text || "");
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// numbersOf decodes a sequence; big ones are of type BigInt.
function numbersOf(text, big = false) {
  const bytes = bytesOf(text);
  const list = [];
  for (let i = 0; i < bytes.length; ) {
    if (big) {
      let value = 0n, shift = 0n;
      for (;;) {
        const b = bytes[i++];
        value |= BigInt(b & 127) << shift;
        shift += 7n;
        if (b < 128) break;
      }
      list.push(value);
      continue;
    }
    let value = 0, factor = 1;
    for (;;) {
      const b = bytes[i++];
      value += (b & 127) * factor;
      factor *= 128;
      if (b < 128) break;
    }
    list.push(value);
  }
  return list;
}

// Arcs are those of transitions or modes: for each its inputs, then its outputs.
class Arcs {
  constructor(text, count) {
    const list = numbersOf(text, false), exact = numbersOf(text, true);
    this.starts = new Uint32Array(2 * count + 1);
    this.nodes = [];
    this.weights = [];
    this.exact = [];
    for (let i = 0, side = 0; side < 2 * count; side++) {
      for (let n = list[i++]; n > 0; n--, i += 2) {
        this.nodes.push(list[i]);
        this.weights.push(list[i + 1]);
        this.exact.push(exact[i + 1]);
      }
      this.starts[side + 1] = this.nodes.length;
    }
  }
  *inputs(t) {
    for (let i = this.starts[2 * t]; i < this.starts[2 * t + 1]; i++) yield [this.nodes[i], this.weights[i], i];
  }
  *outputs(t) {
    for (let i = this.starts[2 * t + 1]; i < this.starts[2 * t + 2]; i++) yield [this.nodes[i], this.weights[i], i];
  }
}

// Net is the net that is drawn, of places and transitions, and the one that fires, of cells
// and modes: of a coloured net these are colours of places and bindings of transitions,
// otherwise the same as places and transitions.
class Net {
  constructor(block) {
    this.block = block;
    this.places = block.places || [];
    this.transitions = block.transitions || [];
    this.arcs = new Arcs(block.arcs, this.transitions.length);
    this.coloured = block.colours !== undefined;
    this.partial = !!block.partial;
    this.initial = numbersOf(block.initial, !!block.big);
    this.cells = this.initial.length;
    if (this.coloured) {
      this.placeOf = numbersOf(block.cellPlaces);
      this.transitionOf = numbersOf(block.modeTransitions);
      this.modes = this.transitionOf.length;
      this.modeArcs = new Arcs(block.modeArcs, this.modes);
    } else {
      this.modes = this.transitions.length;
      this.modeArcs = this.arcs;
    }
    this.cellsOf = this.coloured ? group(this.placeOf, this.places.length) : null;
    this.modesOf = this.coloured ? group(this.transitionOf, this.transitions.length) : null;
    this.effects = new Map();
  }
  placeOfCell(c) { return this.coloured ? this.placeOf[c] : c; }
  transitionOfMode(m) { return this.coloured ? this.transitionOf[m] : m; }
  cellsOfPlace(p) { return this.coloured ? this.cellsOf[p] : [p]; }
  modesOfTransition(t) { return this.coloured ? this.modesOf[t] : [t]; }
  placeName(p) { return (this.block.placeNames || {})[p] || this.places[p]; }
  transitionName(t) { return (this.block.transitionNames || {})[t] || this.transitions[t]; }
  // modeName has the binding, if there is one.
  modeName(m) {
    const name = this.transitionName(this.transitionOfMode(m));
    const binding = this.coloured ? this.block.bindings[m] : "";
    return binding ? name + " [" + binding.replaceAll(",", ", ") + "]" : name;
  }
  binding(m) { return this.coloured ? this.block.bindings[m] : ""; }
  // ceilings are the cells of which a mode needs fewer tokens than a number.
  ceilings(m) { return this.limits(this.block.ceilings, m); }
  inhibitors(t) { return this.limits(this.block.inhibitors, t); }
  // resets are the cells that a mode empties, beyond what it takes: only nets without colours have such.
  resets(m) { return (this.block.resets || {})[m] || []; }
  limits(of, t) { return ((of || {})[t] || []).map(([p, w]) => [Number(p), BigInt(w)]); }
  // effect is what firing a mode adds to cells that it does not reset: pairs of a cell and a number.
  effect(m, big) {
    const key = big ? -1 - m : m;
    let list = this.effects.get(key);
    if (!list) {
      const sum = new Map(), arcs = this.modeArcs, weights = big ? arcs.exact : arcs.weights;
      for (const [c, , i] of arcs.inputs(m)) sum.set(c, (sum.get(c) || (big ? 0n : 0)) - weights[i]);
      for (const [c, , i] of arcs.outputs(m)) sum.set(c, (sum.get(c) || (big ? 0n : 0)) + weights[i]);
      for (const c of this.resets(m)) sum.delete(c);
      list = [...sum].filter(([, n]) => n != 0);
      this.effects.set(key, list);
    }
    return list;
  }
}

// emptied is what a mode leaves in the cells that it resets: pairs of a cell and a number.
function emptied(net, m, big) {
  const resets = net.resets(m);
  if (!resets.length) return [];
  const given = new Map(resets.map((c) => [c, big ? 0n : 0]));
  for (const [c, , i] of net.modeArcs.outputs(m)) if (given.has(c)) given.set(c, (big ? net.modeArcs.exact : net.modeArcs.weights)[i]);
  return [...given];
}

// group lists, for each group, the members that belong to it. (The sum over the colours of a
// place, which inhibitor arcs may look at, is a cell of no place.)
function group(of, count) {
  const lists = Array.from({ length: count }, () => []);
  of.forEach((g, member) => { if (g < count) lists[g].push(member); });
  return lists;
}

// Track is what is known of a formula at each position: 0 it is false, 1 true, 2 unknown.
class Track {
  constructor(text) {
    this.ends = [];
    this.values = [];
    let end = 0;
    for (const n of numbersOf(text)) {
      this.ends.push((end += Math.floor(n / 4)));
      this.values.push(n % 4);
    }
  }
  at(position) {
    const i = search(this.ends, 0, this.ends.length, position);
    return i < this.values.length ? this.values[i] : 2;
  }
}

// search is the first index between two whose element is larger than value.
function search(list, from, to, value) {
  while (from < to) {
    const middle = (from + to) >> 1;
    if (list[middle] <= value) from = middle + 1;
    else to = middle;
  }
  return from;
}

// Run is a run of the net. Position i is the marking after i steps; in a run with a cycle
// that returns, the marking `loop` follows the last one. For each cell it keeps where its
// tokens change, so that a marking far on is found without firing what comes before.
class Run {
  constructor(net, block, start) {
    this.net = net;
    this.block = block;
    this.positions = block.positions;
    this.loop = block.loop;
    this.cycle = block.cycle;
    this.grows = !!block.grows;
    this.ended = !!block.ended;
    this.big = !!(block.big || net.block.big);
    this.start = start.map((n) => (this.big ? BigInt(n) : Number(n)));
    this.steps = numbersOf(block.steps).map((n) => n - 1); // -1: a deadlock stays
    this.times = new Map(block.times || []);
    this.atoms = (block.atoms || []).map((t) => new Track(t));
    this.values = (block.values || []).map((t) => new Track(t));
    this.edges = block.edges ? numbersOf(block.edges) : null;
    this.index();
  }
  index() {
    const count = new Uint32Array(this.net.cells + 1);
    for (const mode of this.steps) {
      if (mode < 0) continue;
      for (const [c] of this.net.effect(mode, this.big)) count[c + 1]++;
      for (const c of this.net.resets(mode)) count[c + 1]++;
    }
    for (let c = 0; c < this.net.cells; c++) count[c + 1] += count[c];
    this.starts = count;
    const total = count[this.net.cells], next = count.slice();
    this.at = new Uint32Array(total);
    this.after = this.big ? new BigInt64Array(total) : new Float64Array(total);
    const now = this.start.slice();
    this.steps.forEach((mode, i) => {
      if (mode < 0) return;
      const times = this.timesOf(i);
      for (const [c, n] of this.net.effect(mode, this.big)) {
        now[c] += n * (this.big ? BigInt(times) : times);
        this.at[next[c]] = i + 1;
        this.after[next[c]++] = now[c];
      }
      for (const [c, n] of emptied(this.net, mode, this.big)) {
        now[c] = n;
        this.at[next[c]] = i + 1;
        this.after[next[c]++] = n;
      }
    });
    this.changing = [];
    for (let c = 0; c < this.net.cells; c++) if (count[c + 1] > count[c]) this.changing.push(c);
  }
  timesOf(i) { return this.times.get(i) || 1; }
  // value is the tokens of a cell after so many steps, and rounds of the cycle.
  value(c, position, round = 0) {
    const i = search(this.at, this.starts[c], this.starts[c + 1], position);
    let n = i > this.starts[c] ? this.after[i - 1] : this.start[c];
    if (round > 0 && this.grows) n += this.gain(c) * (this.big ? BigInt(round) : round);
    return n;
  }
  gain(c) { return this.value(c, this.steps.length) - this.value(c, this.steps.length - this.cycle); }
  marking(position) { return this.start.map((_, c) => this.value(c, position)); }
  // largest is the last position that the run is shown at before it goes round.
  get largest() { return this.grows ? this.positions - 2 : this.positions - 1; }
  get hasCycle() { return this.cycle > 0; }
  get cycleStart() { return this.steps.length - this.cycle; }
}

// Data is all that the page holds. Runs are decoded when they are looked at.
class Data {
  constructor() {
    const blocks = (kind) => [...document.querySelectorAll("script." + kind)].map((s) => JSON.parse(s.textContent));
    this.net = new Net(blocks("net")[0]);
    this.answers = blocks("answer");
    this.decoded = new Map();
  }
  run(answer, number) {
    const blocks = this.answers[answer]?.runs || [];
    if (!blocks[number]) return null;
    const key = answer + "/" + number;
    if (!this.decoded.has(key)) {
      const from = blocks[number].from;
      const start = from >= 0 && from < number ? this.run(answer, from).marking(blocks[number].at || 0) : this.net.initial;
      this.decoded.clear(); // one at a time: runs may be long
      this.decoded.set(key, new Run(this.net, blocks[number], start));
    }
    return this.decoded.get(key);
  }
}
