// Player knows which marking is shown: a position of a run and how often its cycle was gone
// around, or what was fired by hand from there. Whoever draws is told when that changes.
class Player {
  constructor(data) {
    this.data = data;
    this.net = data.net;
    this.listeners = [];
    this.timer = null;
    this.pace = 900;
    this.choose(0, 0);
  }
  tell(event) { for (const listener of this.listeners) listener(event); }

  choose(answer, run) {
    this.pause();
    this.answerNumber = answer;
    this.runNumber = run;
    this.answer = this.data.answers[answer] || null;
    this.run = this.data.run(answer, run);
    this.position = 0;
    this.round = 0;
    this.last = null; // the step that led here: {mode, times, forward}
    this.hand = this.run ? null : this.newHand();
    this.tell("choice");
  }
  newHand() {
    const big = this.run ? this.run.big : !!this.net.block.big;
    const marking = [];
    for (let c = 0; c < this.net.cells; c++) marking.push(this.run ? this.run.value(c, this.position, this.round) : this.net.initial[c]);
    return { marking, big, fired: [], undone: [], lost: [] }; // lost is what each firing took by resets
  }

  tokens(c) { return this.hand ? this.hand.marking[c] : this.run.value(c, this.position, this.round); }
  placeTokens(p) {
    if (!this.net.coloured) return this.tokens(p);
    let sum = null;
    for (const c of this.net.cellsOf[p]) sum = sum === null ? this.tokens(c) : sum + this.tokens(c);
    return sum === null ? 0 : sum;
  }
  // colours are those of the tokens on a place, with how many there are of each.
  colours(p) {
    return this.net.cellsOfPlace(p).map((c) => [this.net.block.colours[c], this.tokens(c)]).filter(([, n]) => n > 0);
  }
  enabled(m) {
    for (const [c, w, i] of this.net.modeArcs.inputs(m)) if (this.tokens(c) < (this.net.block.big ? this.net.modeArcs.exact[i] : w)) return false;
    for (const [c, w] of this.net.ceilings(m)) if (this.tokens(c) >= w) return false;
    return true;
  }
  // enabledModes are those of all modes that are enabled, at most limit.
  enabledModes(limit) {
    const list = [];
    for (let m = 0; m < this.net.modes && list.length < limit; m++) if (this.enabled(m)) list.push(m);
    return list;
  }
  enabledTransition(t) { return this.net.modesOfTransition(t).some((m) => this.enabled(m)); }

  // arrived is the number of the step that led to the present marking, which is the last one of
  // the cycle where that begins again, or -1.
  get arrived() { return this.round > 0 && this.position === this.run.cycleStart ? this.run.largest : this.position - 1; }
  // nextStep is the step of the run that follows, or null.
  nextStep() {
    if (this.hand || this.position >= this.run.steps.length) return null;
    return { mode: this.run.steps[this.position], times: this.run.timesOf(this.position) };
  }
  forward() {
    if (this.hand) {
      const mode = this.hand.undone.pop();
      if (mode !== undefined) this.fire(mode, true);
      return mode !== undefined;
    }
    const step = this.nextStep();
    if (!step) return false;
    this.last = { ...step, forward: true };
    this.position++;
    if (this.position > this.run.largest && this.run.hasCycle) {
      this.position = this.run.cycleStart;
      this.round++;
    }
    this.tell("step");
    return true;
  }
  back() {
    if (this.hand) return this.undo();
    if (this.position === 0 && this.round === 0) return false;
    if (this.round > 0 && this.position === this.run.cycleStart) {
      this.round--;
      this.position = this.run.largest + 1;
    }
    this.position--;
    this.last = { mode: this.run.steps[this.position], times: this.run.timesOf(this.position), forward: false };
    this.tell("step");
    return true;
  }
  jump(position) {
    if (this.hand && this.run) this.hand = null;
    if (!this.run) return;
    this.position = Math.max(0, Math.min(position, this.run.largest));
    this.round = 0;
    this.last = this.position > 0 ? { mode: this.run.steps[this.position - 1], times: this.run.timesOf(this.position - 1), forward: true, jumped: true } : null;
    this.tell("jump");
  }
  jumpToCycle() { if (this.run?.hasCycle) this.jump(this.run.cycleStart); }

  // fire fires a mode by hand. The run's own next step stays a step of the run.
  fire(mode, again = false) {
    if (!this.enabled(mode)) return;
    const next = this.nextStep();
    if (next && next.mode === mode && next.times === 1) return void this.forward();
    this.pause();
    if (!this.hand) this.hand = this.newHand();
    if (!again) this.hand.undone = [];
    const marking = this.hand.marking;
    for (const [c, n] of this.net.effect(mode, this.hand.big)) marking[c] += n;
    const lost = emptied(this.net, mode, this.hand.big).map(([c, n]) => [c, marking[c] - n]);
    for (const [c, n] of lost) marking[c] -= n;
    this.hand.lost.push(lost);
    this.hand.fired.push(mode);
    this.last = { mode, times: 1, forward: true, lost };
    this.tell("step");
  }
  undo() {
    const mode = this.hand?.fired.pop();
    if (mode === undefined) {
      if (this.hand && this.run) this.toRun();
      return false;
    }
    const lost = this.hand.lost.pop();
    for (const [c, n] of this.net.effect(mode, this.hand.big)) this.hand.marking[c] -= n;
    for (const [c, n] of lost) this.hand.marking[c] += n;
    this.hand.undone.push(mode);
    this.last = { mode, times: 1, forward: false, lost };
    if (this.hand.fired.length === 0 && this.run) this.hand = null;
    this.tell("step");
    return true;
  }
  toRun() {
    if (!this.run || !this.hand) return;
    this.hand = null;
    this.last = null;
    this.tell("jump");
  }

  play() {
    if (this.hand) return;
    const tick = () => {
      if (!this.forward()) return this.pause();
      this.timer = setTimeout(tick, this.pace);
    };
    this.timer = setTimeout(tick, 0);
    this.tell("play");
  }
  pause() {
    if (this.timer === null) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.tell("play");
  }
  get playing() { return this.timer !== null; }
}
