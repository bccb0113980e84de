// Labels finds places for what arcs are inscribed with: beside the arc, where as little else lies
// as can be.
class Labels {
  constructor(net, layout) {
    this.taken = [];
    this.list = [];
    for (const [node, { x, y }] of layout.at) {
      const { width, height } = sizeOf(net, node);
      if (node[0] === "t") this.take(x, y, width, height);
      else {
        this.take(x, y, 2 * placeRadius, 2 * placeRadius);
        this.take(x, y + placeRadius + (net.coloured ? 15 : 9), width, net.coloured ? 26 : 14); // its name, and colours
      }
    }
  }
  take(x, y, width, height) { this.taken.push({ x0: x - width / 2, x1: x + width / 2, y0: y - height / 2, y1: y + height / 2 }); }
  // add takes in the label of an arc; settle finds places for all, and once more for each when
  // it is known where the others are.
  add(label, path, text) { this.list.push({ label, path, text }); }
  settle() {
    const rounds = this.list.length > 120 ? 1 : 3; // many take long
    for (let round = 0; round < rounds; round++) {
      for (const l of this.list) {
        if (l.box) this.taken.splice(this.taken.indexOf(l.box), 1);
        const at = this.beside(l.path, l.text);
        l.box = this.taken[this.taken.length - 1];
        l.label.setAttribute("x", at.x);
        l.label.setAttribute("y", at.y);
      }
    }
  }
  // beside is where a text stands, on one side of the arc or the other, best in its middle.
  beside(path, text) {
    const length = path.getTotalLength(), width = 6.4 * text.length + 2, height = 13;
    let best = null;
    for (const part of [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82, 0.1, 0.9]) {
      const at = path.getPointAtLength(part * length), on = path.getPointAtLength(part * length + 1), d = Math.hypot(on.x - at.x, on.y - at.y) || 1;
      const across = { x: (at.y - on.y) / d, y: (on.x - at.x) / d };
      for (const side of [1, -1]) {
        const far = side * (3 + 0.85 * (Math.abs(across.x) * (width / 2) + Math.abs(across.y) * (height / 2)));
        const x = at.x + across.x * far, y = at.y + across.y * far;
        let cost = Math.abs(part - 0.5);
        for (const b of this.taken) {
          const w = Math.min(b.x1, x + width / 2) - Math.max(b.x0, x - width / 2), h = Math.min(b.y1, y + height / 2) - Math.max(b.y0, y - height / 2);
          if (w > 0 && h > 0) cost += 1 + (w * h) / 20;
        }
        if (best === null || cost < best.cost) best = { x, y, cost };
      }
    }
    this.take(best.x, best.y, width, height);
    return { x: best.x, y: best.y + 4 };
  }
}

// NetDrawing draws the net, its tokens, and what is enabled, fired and changed.
class NetDrawing {
  constructor(player) {
    this.player = player;
    this.net = player.net;
    this.svg = byId("net");
    this.byDocument = true;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.svg.append(makeSVG("defs", {},
      this.arrow("arrow", "arc-head"), this.arrow("arrow-lit", "arc-head lit"),
      this.arrow("arrows", "arc-head", true), this.arrow("arrows-lit", "arc-head lit", true), this.ring("ring", "arc-ring")));
    this.view = makeSVG("g", {});
    this.layers = { arcs: makeSVG("g", { class: "arcs" }), nodes: makeSVG("g", {}), moving: makeSVG("g", { class: "moving" }) };
    this.view.append(this.layers.arcs, this.layers.nodes, this.layers.moving);
    this.svg.append(this.view);
    this.zoom = d3.zoom().scaleExtent([0.05, 4]).on("zoom", (e) => this.view.setAttribute("transform", e.transform));
    d3.select(this.svg).call(this.zoom).on("dblclick.zoom", null);
    new ResizeObserver(() => { if (!this.moved) this.fit(); }).observe(this.svg);
    this.svg.addEventListener("wheel", () => (this.moved = true), { passive: true });
    this.svg.addEventListener("pointerdown", () => (this.moved = true));
  }
  // head is what an arc ends in: an inhibitor arc in a ring, a reset arc in two arrow heads.
  head(arc, lit) { return "url(#" + (arc.inhibits ? "ring" : (arc.resets ? "arrows" : "arrow") + (lit ? "-lit" : "")) + ")"; }
  ring(id, name) {
    return makeSVG("marker", { id, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto" },
      makeSVG("circle", { cx: 5, cy: 5, r: 4, class: name }));
  }
  arrow(id, name, twice = false) {
    const width = twice ? 18 : 10;
    return makeSVG("marker", { id, viewBox: "0 0 " + width + " 10", refX: width - 1, refY: 5, markerWidth: 0.9 * width, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto" },
      makeSVG("path", { d: "M0,1L10,5L0,9z" + (twice ? "M8,1L18,5L8,9z" : ""), class: name }));
  }

  // choose draws the net of another run.
  choose() {
    byId("legend").querySelector(".watched").hidden = !(this.player.answer?.support || []).length;
    this.part = new Part(this.player);
    this.moved = false;
    this.draw();
    this.fit();
  }
  draw() {
    this.layout = arrange(this.net, this.part.nodes, this.byDocument);
    byId("arrange").hidden = !this.net.block.positions;
    byId("arrange").textContent = this.layout.given ? "Arrange anew" : "As in the document";
    byId("part").hidden = this.part.whole;
    byId("part").textContent = this.part.nodes.size + " of " + (this.net.places.length + this.net.transitions.length) + " nodes; + shows neighbours";
    this.layers.arcs.replaceChildren();
    this.layers.nodes.replaceChildren();
    this.labels = new Labels(this.net, this.layout);
    this.arcs = this.layout.arcs.map((a) => this.drawArc(a));
    this.labels.settle();
    this.nodes = new Map();
    for (const node of this.part.nodes) this.nodes.set(node, node[0] === "p" ? this.drawPlace(node) : this.drawTransition(node));
    this.update();
  }
  drawArc(a) {
    const path = makeSVG("path", { class: "arc", d: curve(a.points), "marker-end": this.head(a, false) });
    this.layers.arcs.append(path);
    const text = a.resets ? "" : a.inhibits ? (a.weight == 1 ? "" : String(a.weight)) : this.net.coloured ? (this.net.block.inscriptions || [])[a.number] || "" : a.weight == 1 ? "" : String(this.net.arcs.exact[a.number]);
    if (text) {
      const label = makeSVG("text", { class: "weight" }, shorten(text, 18));
      this.labels.add(label, path, shorten(text, 18));
      if (text.length > 18) label.append(makeSVG("title", {}, shorten(text, longestTitle)));
      this.layers.arcs.append(label);
    }
    return { ...a, path };
  }
  nodeGroup(node, name, kind) {
    const { x, y } = this.layout.at.get(node);
    const g = makeSVG("g", { class: kind, transform: "translate(" + x.toFixed(1) + "," + y.toFixed(1) + ")", role: "img", "data-node": node });
    const hidden = this.part.hidden(node);
    g.append(makeSVG("title", {}, shorten(name, longestTitle)));
    if (hidden > 0) {
      const more = makeSVG("g", { class: "more", transform: "translate(" + (node[0] === "p" ? -placeRadius : -sizeOf(this.net, node).width / 2) + "," + -17 + ")",
        click: (e) => { e.stopPropagation(); this.part.expand(node); this.draw(); } },
        makeSVG("circle", { r: 8 }), makeSVG("text", { y: 4 }, "+"), makeSVG("title", {}, "show its " + hidden + " hidden neighbours"));
      g.append(more);
    }
    this.layers.nodes.append(g);
    return g;
  }
  drawPlace(node) {
    const p = Number(node.slice(1)), name = this.net.placeName(p);
    const g = this.nodeGroup(node, name, "place");
    const watched = (this.player.answer?.support || []).includes(p);
    g.classList.toggle("watched", watched);
    g.prepend(makeSVG("circle", { class: "halo", r: placeRadius + 6 }));
    g.append(makeSVG("circle", { class: "body", r: placeRadius }));
    if (watched) g.append(makeSVG("circle", { class: "inner", r: placeRadius - 3.5 }));
    const tokens = makeSVG("g", { class: "tokens" }), change = makeSVG("text", { class: "change", x: placeRadius - 2, y: -placeRadius + 3 });
    const label = makeSVG("text", { class: "label", y: placeRadius + 13 }, shorten(name, longestLabel));
    const colours = makeSVG("text", { class: "colours", y: placeRadius + 25 });
    g.append(tokens, label, colours, change);
    return { g, tokens, change, colours, title: g.querySelector("title"), p };
  }
  drawTransition(node) {
    const t = Number(node.slice(1)), name = this.net.transitionName(t);
    const g = this.nodeGroup(node, name, "transition");
    const { width, height } = sizeOf(this.net, node);
    const guard = (this.net.block.guards || {})[t];
    if (guard) g.querySelector("title").textContent += "\nif " + shorten(guard, longestTitle);
    g.prepend(makeSVG("rect", { class: "halo", x: -width / 2 - 5, y: -height / 2 - 5, width: width + 10, height: height + 10, rx: 8 }));
    g.append(makeSVG("rect", { class: "body", x: -width / 2, y: -height / 2, width, height, rx: 4 }),
      makeSVG("text", { class: "label", y: 4 }, shorten(name, longestLabel)),
      makeSVG("path", { class: "flag", d: "M" + (width / 2 - 9) + "," + (-height / 2 - 5) + "l9,5l-9,5z" }));
    g.addEventListener("click", () => this.fire(t));
    return { g, t, name, title: g.querySelector("title"), text: g.querySelector("title").textContent };
  }
  // fire fires a transition by hand: that of the run if it is one of its bindings, or the
  // first one that is enabled.
  fire(t) {
    const next = this.player.nextStep();
    if (next && next.mode >= 0 && this.net.transitionOfMode(next.mode) === t) return void this.player.forward();
    const mode = this.net.modesOfTransition(t).find((m) => this.player.enabled(m));
    if (mode !== undefined) this.player.fire(mode);
  }

  // update shows the present marking.
  update() {
    const { player, net } = this;
    const last = player.last, next = player.nextStep();
    const firedNow = last && last.mode >= 0 ? net.transitionOfMode(last.mode) : -1;
    const nextNow = next && next.mode >= 0 ? net.transitionOfMode(next.mode) : -1;
    const changes = this.changes(last);
    for (const [, n] of this.nodes) {
      if (n.p !== undefined) this.updatePlace(n, changes.get(n.p));
      else {
        const enabled = player.enabledTransition(n.t);
        n.g.classList.toggle("enabled", enabled);
        n.g.classList.toggle("fired", n.t === firedNow);
        n.g.classList.toggle("next", n.t === nextNow);
        const words = [enabled ? "enabled" : net.partial ? "whether it is enabled is not known" : "", n.t === firedNow ? "fired last" : "", n.t === nextNow ? "fires next" : ""].filter(Boolean);
        const text = n.text + (words.length ? "\n" + words.join(", ") : "");
        if (n.title.textContent !== text) n.title.textContent = text;
        n.g.setAttribute("aria-label", "transition " + shorten(n.name, 200) + (words.length ? ", " + words.join(", ") : ""));
      }
    }
    for (const a of this.arcs) {
      const lit = firedNow >= 0 && (a.from === "t" + firedNow || a.to === "t" + firedNow);
      a.path.classList.toggle("lit", lit);
      a.path.setAttribute("marker-end", this.head(a, lit));
    }
  }
  // changes are what the last step added to places.
  changes(last) {
    const sum = new Map();
    if (!last || last.mode < 0) return sum;
    const big = this.player.hand ? this.player.hand.big : this.player.run.big;
    for (const [c, n] of this.net.effect(last.mode, big)) {
      if (this.net.placeOfCell(c) >= this.net.places.length) continue; // a sum over colours
      const p = this.net.placeOfCell(c), d = n * (big ? BigInt(last.times) : last.times) * (last.forward ? (big ? 1n : 1) : big ? -1n : -1);
      sum.set(p, sum.has(p) ? sum.get(p) + d : d);
    }
    for (const [c, n] of this.lost(last)) if (n != 0) sum.set(c, last.forward ? -n : n);
    return sum;
  }
  // lost is what the last firing took by resets: pairs of a cell and a number.
  lost(last) {
    if (last.lost) return last.lost;
    const { run, position, arrived } = this.player, i = last.forward ? arrived : position;
    return this.net.resets(last.mode).map((c) => [c, run.value(c, i) - run.value(c, i + 1)]);
  }
  updatePlace(n, change) {
    const tokens = this.player.placeTokens(n.p);
    n.g.dataset.tokens = String(tokens);
    n.g.classList.toggle("marked", tokens > 0);
    n.g.classList.toggle("changed", change !== undefined);
    n.change.textContent = change === undefined || change == 0 ? "" : (change > 0 ? "+" : "−") + countText(change > 0 ? change : -change);
    const name = this.net.placeName(n.p);
    let text = shorten(name, longestTitle) + "\n" + tokens + (tokens == 1 ? " token" : " tokens");
    if (this.net.coloured) {
      const list = this.player.colours(n.p).map(([colour, k]) => (k == 1 ? "" : k + "′") + (colour || "•"));
      const plain = this.net.cellsOfPlace(n.p).every((c) => !this.net.block.colours[c]);
      n.colours.textContent = plain ? "" : shorten(list.join(" "), 26);
      if (list.length && !plain) text += "\n" + shorten(list.join("  "), longestTitle);
    }
    n.title.textContent = text;
    n.g.setAttribute("aria-label", "place " + shorten(name, 200) + ", " + tokens + (tokens == 1 ? " token" : " tokens"));
    if (n.shown === tokens) return;
    n.shown = tokens;
    n.tokens.replaceChildren();
    const dots = { 1: [[0, 0]], 2: [[-6, 0], [6, 0]], 3: [[0, -6], [-6, 5], [6, 5]], 4: [[-6, -6], [6, -6], [-6, 6], [6, 6]], 5: [[-7, -7], [7, -7], [-7, 7], [7, 7], [0, 0]] }[tokens];
    if (dots) for (const [cx, cy] of dots) n.tokens.append(makeSVG("circle", { cx, cy, r: tokens == 1 ? 6 : 4.4 }));
    else if (tokens > 0) n.tokens.append(makeSVG("text", { y: 5, class: countText(tokens).length > 3 ? "small" : null }, countText(tokens)));
  }

  step(event) {
    if (this.part.follow()) this.draw();
    else this.update();
    if (event === "step") this.animate();
  }
  // animate lets dots run along the arcs of the transition that fired.
  animate() {
    const { player, net } = this;
    this.layers.moving.replaceChildren();
    cancelAnimationFrame(this.frame);
    if (this.calm.matches || !player.last || player.last.mode < 0 || player.playing && player.pace < 250) return;
    const node = "t" + net.transitionOfMode(player.last.mode), forward = player.last.forward;
    const moving = [], lost = new Map(this.lost(player.last));
    for (const a of this.arcs) {
      if (a.inhibits || a.resets && !(lost.get(Number(a.from.slice(1))) > 0)) continue;
      const into = a.to === node;
      if (!into && a.from !== node) continue;
      const dot = makeSVG("circle", { r: 5, class: "token" });
      moving.push({ dot, path: a.path, length: a.path.getTotalLength(), first: into === forward });
      this.layers.moving.append(dot);
    }
    const begun = performance.now(), whole = Math.min(600, player.pace * 0.8);
    const frame = (now) => {
      const done = (now - begun) / whole;
      if (done >= 1) return this.layers.moving.replaceChildren();
      for (const m of moving) {
        const part = m.first ? done * 2 : done * 2 - 1;
        const visible = part >= 0 && part <= 1;
        m.dot.classList.toggle("away", !visible);
        if (!visible) continue;
        const at = m.path.getPointAtLength(m.length * (forward ? part : 1 - part));
        m.dot.setAttribute("cx", at.x);
        m.dot.setAttribute("cy", at.y);
      }
      this.frame = requestAnimationFrame(frame);
    };
    this.frame = requestAnimationFrame(frame);
  }

  fit() {
    const box = this.view.getBBox(), w = this.svg.clientWidth, h = this.svg.clientHeight;
    if (!box.width || !w || !h) return;
    // The tools and the legend lie there, in as many lines as they need.
    const above = byId("tools").offsetHeight + 16, below = byId("legend").offsetHeight + 14, high = Math.max(60, h - above - below);
    const k = Math.min(1.6, w / (box.width + 50), high / (box.height + 8));
    const transform = d3.zoomIdentity.translate(w / 2 - k * (box.x + box.width / 2), above + high / 2 - k * (box.y + box.height / 2)).scale(k);
    d3.select(this.svg).call(this.zoom.transform, transform);
    this.moved = false;
  }
  scale(k) {
    this.moved = true;
    d3.select(this.svg).call(this.zoom.scaleBy, k);
  }
  // reveal draws a node, and puts it in the middle.
  reveal(node) {
    if (this.part.show(node)) this.draw();
    const at = this.layout.at.get(node);
    this.moved = true;
    d3.select(this.svg).call(this.zoom.translateTo, at.x, at.y);
    for (const [, n] of this.nodes) n.g.classList.remove("found");
    this.nodes.get(node).g.classList.add("found");
  }
  highlight(places) {
    for (const [, n] of this.nodes) if (n.p !== undefined) n.g.classList.toggle("member", places !== null && places.has(n.p));
  }
}
