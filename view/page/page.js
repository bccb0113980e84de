// The page as a whole: what is chosen, and what keys and buttons do.

// Of these questions neither answer is good or bad in itself.
const asksWhether = { deadlock: ["✓ there is one", "✗ there is none"], reachable: ["✓ can be reached", "✗ cannot be reached"] };

// verdictOf writes a verdict.
function verdictOf(a) {
  if (a.verdict === "value") return "= " + (a.value === "infinite" ? "∞" : a.value);
  if (a.verdict === "unknown") return "? not known";
  const holds = a.verdict === "holds";
  if (asksWhether[a.kind]) return asksWhether[a.kind][holds ? 0 : 1];
  return holds ? "✓ holds" : "✗ violated";
}

class Page {
  constructor() {
    this.data = new Data();
    this.player = new Player(this.data);
    this.drawing = new NetDrawing(this.player);
    this.automaton = new AutomatonDrawing(this.player);
    this.lasso = new LassoDrawing(this.player);
    this.panels = new Panels(this.player, this.drawing);
    byId("title").append(nameOf(this.data.net.block.title || "Petri net", 80));
    this.legend();
    this.choices();
    this.buttons();
    this.find();
    this.player.listeners.push((event) => this.changed(event));
    document.addEventListener("keydown", (e) => this.key(e));
    this.changed("choice");
  }
  changed(event) {
    if (event === "choice") {
      this.question();
      this.drawing.choose();
      this.automaton.choose();
      this.panels.choose();
      this.lasso.draw();
    } else if (event !== "play") {
      this.drawing.step(event);
      this.automaton.update();
      this.panels.update();
      this.lasso.update();
    }
    this.controls();
  }
  // question tells what was asked, and the verdict.
  question() {
    const a = this.player.answer, verdict = byId("verdict"), text = byId("question");
    text.replaceChildren();
    verdict.replaceChildren();
    if (!a) {
      verdict.className = "";
      return void this.answered(text);
    }
    verdict.className = "verdict " + (asksWhether[a.kind] && a.verdict !== "unknown" ? "asks" : a.verdict);
    verdict.append(verdictOf(a));
    text.append(make("code", {}, nameOf(a.name, 400)));
    const nodes = a.formula || [];
    if (nodes.length > 0) {
      const formula = this.panels.text(nodes, nodes.length - 1, a.atoms || []);
      if (formula.replace(/[()" ]/g, "") !== a.name.replace(/[()" ]/g, "")) text.append(" ", make("code", { class: "note" }, nameOf(formula, 400)));
    }
    if (a.ground) text.append(make("span", { class: "note" }, " – decided by: " + a.ground));
    if (a.reason) text.append(make("span", { class: "note" }, " " + shorten(a.reason, 300)));
    if (!this.player.run && a.verdict !== "unknown") text.append(make("span", { class: "note" }, " No run shows this; play by hand."));
  }
  // answered tells, where the net is played by hand, what was answered, and plays the runs.
  answered(text) {
    const { answers } = this.data, most = 6;
    answers.slice(0, most).forEach((a, i) => {
      const says = [nameOf(a.name, 60), ": " + verdictOf(a)];
      text.append((a.runs || []).length ? make("button", { class: "answered", click: () => this.chooseAnswer(i) }, ...says, " ▶", make("span", { class: "hidden-text" }, " play the run")) : make("span", { class: "answered" }, ...says), " ");
    });
    if (answers.length > most) text.append(make("span", { class: "note" }, "and " + (answers.length - most) + " more: see Question"));
  }
  choices() {
    const { answers } = this.data, list = byId("answers"), marks = { holds: "✓ ", violated: "✗ ", unknown: "? ", value: "= " };
    byId("answer-choice").hidden = answers.length === 0;
    answers.forEach((a, i) => list.append(make("option", { value: i }, (marks[a.verdict] || "") + shorten(a.name, 70) + ((a.runs || []).length ? "" : " (no run)"))));
    list.append(make("option", { value: -1 }, "– play by hand –"));
    list.addEventListener("change", () => this.chooseAnswer(Number(list.value)));
    byId("runs").addEventListener("change", (e) => this.player.choose(this.player.answerNumber, Number(e.target.value)));
    const first = answers.findIndex((a) => (a.runs || []).length > 0);
    // Behind # stands which question a link asks for.
    const asked = () => { try { return answers.findIndex((a) => a.name === decodeURIComponent(location.hash.slice(1))); } catch { return -1; } };
    addEventListener("hashchange", () => asked() >= 0 && this.chooseAnswer(asked()));
    this.chooseAnswer(asked() >= 0 ? asked() : this.data.net.block.byHand || answers.length === 0 ? -1 : Math.max(0, first));
  }
  chooseAnswer(i) {
    byId("answers").value = i;
    const runs = this.data.answers[i]?.runs || [];
    byId("run-choice").hidden = runs.length < 2;
    byId("runs").replaceChildren(...runs.map((r, k) => make("option", { value: k }, k + 1 + " of " + runs.length + (r.from >= 0 ? ", from run " + (r.from + 1) + " after " + (r.at || 0) + " steps" : ""))));
    this.player.choose(i, 0);
  }
  // other chooses the next or the previous run, of this question or another.
  other(step) {
    const { answers } = this.data, { answerNumber, runNumber } = this.player;
    const runs = (answers[answerNumber]?.runs || []).length;
    if (runNumber + step >= 0 && runNumber + step < runs) {
      byId("runs").value = runNumber + step;
      this.player.choose(answerNumber, runNumber + step);
    } else if (answerNumber + step >= -1 && answerNumber + step < answers.length) this.chooseAnswer(answerNumber + step);
  }
  buttons() {
    const { player, drawing } = this;
    const on = (id, action) => byId(id).addEventListener("click", action);
    on("first", () => player.jump(0));
    on("back", () => player.back());
    on("play", () => this.togglePlay());
    on("forward", () => player.forward());
    on("last", () => player.jump(Infinity));
    on("to-cycle", () => player.jumpToCycle());
    on("undo", () => player.undo());
    on("back-to-run", () => player.toRun());
    on("fit", () => drawing.fit());
    on("zoom-in", () => drawing.scale(1.3));
    on("zoom-out", () => drawing.scale(1 / 1.3));
    on("arrange", () => { drawing.byDocument = !drawing.byDocument; drawing.draw(); drawing.fit(); });
    on("theme", () => this.theme());
    on("help-button", () => byId("help").showModal());
    byId("speed").addEventListener("change", (e) => (player.pace = Number(e.target.value)));
    byId("position").addEventListener("change", (e) => player.jump(Number(e.target.value) || 0));
  }
  controls() {
    const { player } = this, run = player.run;
    document.querySelector("footer").hidden = !run || run.steps.length === 0;
    byId("play").replaceChildren(player.playing ? "Pause" : "Play");
    byId("to-cycle").hidden = !run?.hasCycle;
    if (!run) return;
    byId("position").value = player.position;
    byId("position").max = run.largest;
    byId("of").textContent = "of " + run.steps.length;
    byId("back").disabled = byId("first").disabled = !player.hand && player.position === 0 && player.round === 0;
    byId("forward").disabled = !player.hand && !player.nextStep();
  }
  togglePlay() {
    const { player } = this;
    if (player.playing) return player.pause();
    if (player.hand) player.toRun();
    if (!player.nextStep()) player.jump(0);
    player.play();
  }
  theme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  }
  // find looks nodes up by name.
  find() {
    const { net } = this.data, box = byId("search"), list = byId("found");
    const all = [];
    net.transitions.forEach((_, t) => all.push(["t" + t, net.transitionName(t)]));
    net.places.forEach((_, p) => all.push(["p" + p, net.placeName(p)]));
    box.addEventListener("input", () => {
      const text = box.value.toLowerCase();
      const hits = text ? all.filter(([, name]) => name.toLowerCase().includes(text)) : [];
      list.replaceChildren(...hits.slice(0, 20).map(([, name]) => make("option", { value: shorten(name, 200) })));
      const exact = hits.find(([, name]) => name.toLowerCase() === text) || (hits.length === 1 ? hits[0] : null);
      if (exact) this.drawing.reveal(exact[0]);
    });
    box.addEventListener("keydown", (e) => {
      if (e.key !== "Enter") return;
      const hit = all.find(([, name]) => name.toLowerCase().includes(box.value.toLowerCase()));
      if (hit && box.value) this.drawing.reveal(hit[0]);
    });
  }
  legend() {
    const sample = (kind, text) => make("span", { class: "sample " + kind }, make("i", {}), text);
    byId("legend").append(sample("enabled", "enabled"), sample("fired", "fired last"), sample("next", "fires next"), sample("changed", "tokens changed"), sample("watched", "in the formula"));
  }
  key(e) {
    const target = e.target, { player, drawing } = this;
    if (e.ctrlKey || e.metaKey || e.altKey || byId("help").open) return;
    const typing = target.matches("input:not([type=checkbox]), select, textarea");
    if (typing) {
      if (e.key === "Escape") target.blur();
      return;
    }
    const tenth = Math.max(1, Math.round((player.run?.positions || 0) / 10));
    const inList = target.matches(".rows");
    const actions = {
      ArrowRight: () => player.forward(), ArrowLeft: () => player.back(),
      " ": () => (target.matches("button, summary, input") ? false : this.togglePlay()),
      Home: () => player.jump(0), End: () => player.jump(Infinity),
      PageDown: () => (inList ? false : player.jump(player.position + tenth)), PageUp: () => (inList ? false : player.jump(player.position - tenth)),
      c: () => player.jumpToCycle(), n: () => this.other(1), p: () => this.other(-1), u: () => player.undo(),
      Escape: () => player.toRun(), "/": () => byId("search").focus(), f: () => drawing.fit(),
      "+": () => drawing.scale(1.3), "=": () => drawing.scale(1.3), "-": () => drawing.scale(1 / 1.3), t: () => this.theme(), "?": () => byId("help").showModal(),
    };
    const action = actions[e.key];
    if (!action || action() === false && e.key === " " || inList && e.key.startsWith("Page")) return;
    e.preventDefault();
  }
}

document.addEventListener("DOMContentLoaded", () => new Page());
