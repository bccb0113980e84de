// Tables of the class "sorts" are sorted by a click on a heading, and filtered by a field
// above them. A row of the class "total" stays last.
document.addEventListener("DOMContentLoaded", () => {
  const fewRows = 8;
  // A cell with a number is compared as such; 1'000, 12 %, 3.5 s are numbers.
  const valueOf = (cell) => {
    const text = (cell?.dataset.value ?? cell?.textContent ?? "").trim();
    const number = /^[-+]?[\d.]+(e[-+]?\d+)?( ?(%|s|MB))?$/i.test(text) ? parseFloat(text) : NaN;
    return { text, number };
  };
  const compare = (a, b) => {
    if (!isNaN(a.number) && !isNaN(b.number)) return a.number - b.number;
    if (isNaN(a.number) !== isNaN(b.number)) return isNaN(a.number) ? 1 : -1;
    return a.text.localeCompare(b.text, "en", { numeric: true });
  };
  for (const table of document.querySelectorAll("table.sorts")) {
    const head = table.rows[0], body = table.tBodies[0];
    const rows = [...body.rows].filter((r) => r !== head && !r.classList.contains("total"));
    const last = [...body.rows].filter((r) => r.classList.contains("total"));
    [...head.cells].forEach((th, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...th.childNodes);
      th.append(button);
      button.addEventListener("click", () => {
        const down = th.getAttribute("aria-sort") === "ascending";
        for (const other of head.cells) other.removeAttribute("aria-sort");
        th.setAttribute("aria-sort", down ? "descending" : "ascending");
        const keyed = rows.map((row) => ({ row, value: valueOf(row.cells[column]) }));
        keyed.sort((a, b) => (down ? compare(b.value, a.value) : compare(a.value, b.value)));
        body.append(...keyed.map((k) => k.row), ...last);
      });
    });
    if (rows.length < fewRows) continue;
    const label = document.createElement("label"), field = document.createElement("input"), shown = document.createElement("span");
    label.className = "filter";
    field.type = "search";
    field.placeholder = "words, -without";
    shown.setAttribute("aria-live", "polite");
    label.append("Show rows with ", field, " ", shown);
    table.parentElement.insertBefore(label, table);
    field.addEventListener("input", () => {
      const words = field.value.toLowerCase().split(/\s+/).filter((w) => w && w !== "-");
      let count = 0;
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((w) => (w[0] === "-" ? !text.includes(w.slice(1)) : text.includes(w)));
        if (!row.hidden) count++;
      }
      shown.textContent = words.length ? count + " of " + rows.length : "";
    });
  }
});
