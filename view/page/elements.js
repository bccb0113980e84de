"use strict";
// Elements of the page. Text only ever becomes text nodes and attributes, never markup.

const byId = (id) => document.getElementById(id);

// make is an element with attributes and children. Attributes that are functions are
// listeners; children that are no elements are text.
function make(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function makeSVG(tag, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((c) => c !== null && c !== undefined));
  return node;
}

// shorten cuts a text after so many characters, and says so by an ellipsis.
function shorten(text, length) {
  if (text.length <= length) return text;
  return Array.from(text.slice(0, 2 * length)).slice(0, length - 1).join("") + "…";
}

// longestTitle bounds texts that pop up.
const longestTitle = 1000;

// nameOf is a name isolated from the direction of the text around it.
function nameOf(text, length = 200) {
  return make("bdi", { class: "name", title: text.length > length ? shorten(text, longestTitle) : null }, shorten(text, length));
}

// countText writes a number of tokens as short as can be read.
function countText(n) {
  const text = String(n);
  if (text.length <= 5) return text;
  return text[0] + "." + text[1] + "e" + (text.length - 1);
}

// rows is a list of which only the rows in sight are elements: count rows of a height, made
// by row(i).
class Rows {
  constructor(box, height, row) {
    this.box = box;
    this.height = height;
    this.row = row;
    this.count = 0;
    this.first = 0; // of the rows that are shown
    this.space = make("div", { class: "rows-space" });
    this.shown = make("div", { class: "rows-shown" });
    box.replaceChildren(this.space, this.shown);
    box.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(box);
  }
  set(count) {
    this.count = count;
    // Browsers draw no element higher than some 16 million pixels.
    this.scale = Math.max(1, (count * this.height) / 8e6);
    this.space.style.height = Math.ceil((count * this.height) / this.scale) + "px";
    this.draw();
  }
  draw() {
    const inSight = Math.ceil(this.box.clientHeight / this.height) + 2;
    let first = Math.floor((this.box.scrollTop * this.scale) / this.height);
    first = Math.max(0, Math.min(first, this.count - inSight + 1));
    const list = [];
    for (let i = first; i < Math.min(this.count, first + inSight); i++) list.push(this.row(i));
    const shift = this.scale > 1 ? this.box.scrollTop : first * this.height;
    this.shown.style.transform = "translateY(" + shift + "px)";
    // What has the focus keeps it, though its row is made anew: who goes by keys would begin
    // at the top of the page otherwise.
    const focused = [...this.shown.children].findIndex((r) => r.contains(document.activeElement));
    const row = focused < 0 ? -1 : this.first + focused;
    this.shown.replaceChildren(...list);
    this.first = first;
    if (row >= 0) {
      const again = list[row - first];
      ((again && (again.matches("button") ? again : again.querySelector("button"))) || this.box).focus({ preventScroll: true });
    }
  }
  reveal(i) {
    const top = (i * this.height) / this.scale, bottom = top + this.height;
    if (top < this.box.scrollTop) this.box.scrollTop = Math.max(0, top - this.height);
    else if (bottom > this.box.scrollTop + this.box.clientHeight) this.box.scrollTop = bottom - this.box.clientHeight + this.height;
    this.draw();
  }
}
