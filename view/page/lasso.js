// LassoDrawing draws the run: its prefix as a line, its cycle as a ring at the end of it.
class LassoDrawing {
  constructor(player) {
    this.player = player;
    this.svg = byId("lasso");
    this.svg.addEventListener("click", (e) => this.click(e));
    new ResizeObserver(() => this.draw()).observe(this.svg);
  }
  draw() {
    const run = this.player.run, width = this.svg.clientWidth;
    this.svg.replaceChildren();
    if (!run || !width) return;
    const height = this.svg.clientHeight, middle = height / 2 + 1, ring = height / 2 - 13;
    this.prefix = run.hasCycle ? run.cycleStart : run.steps.length;
    const end = run.hasCycle ? width - 2 * ring - 34 : width - (run.ended ? 76 : 30); // "deadlock" stands behind
    const start = 26;
    // A short prefix needs no long line.
    const length = this.prefix === 0 ? 0 : Math.min(end - start, Math.max(60, this.prefix * 46));
    this.line = { x: start, y: middle, length };
    this.ring = run.hasCycle ? { x: start + length + ring, y: middle, r: ring, n: run.cycle } : null;
    const g = makeSVG("g", {});
    if (length > 0) g.append(makeSVG("line", { class: "way", x1: start, y1: middle, x2: start + length, y2: middle }));
    g.append(makeSVG("circle", { class: "begin", cx: this.at(0).x, cy: this.at(0).y, r: 5 }));
    if (this.ring) {
      g.append(makeSVG("circle", { class: "way ring", cx: this.ring.x, cy: middle, r: ring }));
      g.append(makeSVG("path", { class: "way-head", d: "M-4,-5L5,0L-4,5z", transform: "translate(" + this.ring.x + "," + (middle - ring) + ")" }));
      this.roundText = makeSVG("text", { class: "note", x: this.ring.x, y: middle + 4 });
      g.append(this.roundText);
    } else {
      this.roundText = null;
      const x = start + length;
      if (run.ended) g.append(makeSVG("rect", { class: "dead-end", x: x - 5, y: middle - 5, width: 10, height: 10 }), makeSVG("text", { class: "note left", x: x + 12, y: middle + 4 }, "deadlock"));
    }
    const many = run.positions;
    if (length / Math.max(1, this.prefix) >= 7) for (let i = 1; i < this.prefix; i++) this.dot(g, i);
    if (this.ring && (2 * Math.PI * ring) / this.ring.n >= 7) for (let i = run.cycleStart; i <= run.largest; i++) this.dot(g, i);
    this.now = makeSVG("circle", { class: "now", r: 7 });
    g.append(this.now);
    this.svg.append(g);
    this.svg.setAttribute("aria-label", "A run of " + many + " markings" + (run.hasCycle ? ", of which the last " + run.cycle + " are a cycle" : ""));
    this.update();
  }
  dot(g, i) { g.append(makeSVG("circle", { class: "dot", cx: this.at(i).x, cy: this.at(i).y, r: 2.6 })); }
  at(position) {
    if (this.ring && position >= this.prefix) {
      const angle = Math.PI + (2 * Math.PI * (position - this.prefix)) / this.ring.n;
      return { x: this.ring.x + this.ring.r * Math.cos(angle), y: this.ring.y + this.ring.r * Math.sin(angle) };
    }
    return { x: this.line.x + (this.prefix ? (this.line.length * position) / this.prefix : 0), y: this.line.y };
  }
  update() {
    const { player } = this;
    if (!this.now || !player.run) return;
    const { x, y } = this.at(player.position);
    this.now.setAttribute("cx", x);
    this.now.setAttribute("cy", y);
    this.now.classList.toggle("by-hand", !!player.hand);
    if (this.roundText) this.roundText.textContent = player.round > 0 ? "round " + (player.round + 1) : "cycle";
  }
  click(e) {
    if (!this.player.run) return;
    const box = this.svg.getBoundingClientRect(), x = e.clientX - box.left, y = e.clientY - box.top;
    if (this.ring && x > this.ring.x - this.ring.r - 8) {
      let turn = (Math.atan2(y - this.ring.y, x - this.ring.x) - Math.PI) / (2 * Math.PI);
      turn -= Math.floor(turn);
      this.player.jump(this.prefix + Math.min(this.ring.n - 1, Math.round(turn * this.ring.n) % this.ring.n));
    } else if (this.line.length > 0) this.player.jump(Math.round(Math.max(0, Math.min(1, (x - this.line.x) / this.line.length)) * this.prefix));
  }
}
