"use strict";
(() => {
  const root = document.documentElement;
  const printed = root.hasAttribute("data-printed");
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const say = (sentence) => { document.getElementById("said").textContent = sentence; };

  // Bytes that the page holds: base64, and mostly compressed.
  const bytesOf = (script) => Uint8Array.from(atob(script.textContent.trim()), (c) => c.charCodeAt(0));
  const unpacked = (script) =>
    new Response(new Blob([bytesOf(script)]).stream().pipeThrough(new DecompressionStream("gzip")));

  // Tables: a button in each head sorts by its column.
  const keyOf = (row, column) => {
    const cell = row.cells[column];
    return "order" in cell.dataset ? Number(cell.dataset.order) : cell.textContent.trim();
  };
  const compared = (one, other) => {
    if (typeof one === "number" && typeof other === "number") return one - other;
    if (typeof one === "number") return -1; // what is not known comes last
    if (typeof other === "number") return 1;
    return one.localeCompare(other, undefined, { numeric: true });
  };
  const sort = (table, head, column) => {
    const up = head.getAttribute("aria-sort") !== "ascending";
    all("thead th", table).forEach((each) => each.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const rows = [...table.tBodies[0].rows].map((row) => [keyOf(row, column), row]);
    rows.sort(([one], [other]) => (up ? 1 : -1) * compared(one, other));
    table.tBodies[0].append(...rows.map(([, row]) => row));
    say(`Sorted by ${head.textContent}, ${up ? "ascending" : "descending"}.`);
  };
  if (!printed) {
    for (const table of all("table.sortable")) {
      all("thead th", table).forEach((head, column) => {
        const button = document.createElement("button");
        button.type = "button";
        button.append(...head.childNodes);
        head.append(button);
        button.addEventListener("click", () => sort(table, head, column));
      });
    }
  }

  // Plots: colours have names, which the style sheet gives a value in each theme.
  const probe = document.createElement("span");
  probe.hidden = true;
  document.body.append(probe);
  const colour = (name) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const coloured = (value, shared, key = "") => {
    if (Array.isArray(value)) return value.map((each) => coloured(each, shared));
    if (value !== null && typeof value === "object") {
      if ("shared" in value) return { ...shared[value.shared] };
      return Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, coloured(each, shared, name)]));
    }
    if (key === "colorscale") return [[0, colour("heat-low")], [1, colour("heat-high")]];
    return /color$/.test(key) && typeof value === "string" ? colour(value) : value;
  };
  const merged = (one, other) => {
    const result = { ...one };
    for (const [key, value] of Object.entries(other)) {
      const both = value !== null && typeof value === "object" && !Array.isArray(value);
      result[key] = both ? merged(result[key] ?? {}, value) : value;
    }
    return result;
  };
  const axis = () => ({
    automargin: true,
    color: colour("quiet"),
    gridcolor: colour("grid"),
    linecolor: colour("line"),
    zeroline: false,
    fixedrange: matchMedia("(pointer: coarse)").matches, // so that a finger scrolls the page
    title: { standoff: 8 },
  });
  const layoutOf = (drawing, size) => {
    const given = coloured(drawing.layout, []);
    const axes = Object.keys(given).filter((name) => /^[xy]axis\d*$/.test(name));
    return merged({
      autosize: size === null,
      ...(size ?? {}),
      dragmode: matchMedia("(pointer: coarse)").matches ? false : "zoom",
      font: { family: getComputedStyle(document.body).fontFamily, size: 12, color: colour("text") },
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      margin: { l: 50, r: 12, t: 34, b: 40 },
      hoverlabel: {
        bgcolor: colour("raised"), bordercolor: colour("line"), font: { color: colour("text") },
      },
      hovermode: "closest",
      legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom" },
      modebar: { bgcolor: "rgba(0,0,0,0)", color: colour("quiet"), activecolor: colour("text") },
      ...Object.fromEntries(axes.map((name) => [name, axis()])),
    }, given);
  };
  const settings = {
    displaylogo: false,
    responsive: true,
    displayModeBar: !printed,
    // Named one by one: Plotly has others, which would send the figures to a service.
    modeBarButtons: [["toImage"], ["zoom2d", "pan2d"], ["zoomIn2d", "zoomOut2d", "resetScale2d"]],
    showSendToCloud: false,
    toImageButtonOptions: { format: "svg", filename: "streamgage" },
  };
  const PAPER = 690; // pixels of the width of A4 between its margins
  const plots = all("figure.plot").map((figure) => {
    const select = figure.querySelector(".choice select");
    const chosen = figure.querySelector(".chosen");
    const tall = figure.classList.contains("tall");
    let drawings = null;
    return {
      canvas: figure.querySelector(".canvas"),
      select,
      drawn: false,
      draw(paper = false) {
        drawings ??= JSON.parse(figure.querySelector('script[type="application/json"]').textContent);
        const drawing = drawings[select ? Number(select.value) : 0];
        const traces = coloured(drawing.traces, drawing.shared);
        this.drawn = true;
        if (select) chosen.textContent = drawing.name;
        const size = paper ? { width: PAPER, height: tall ? 370 : 300 } : null;
        Plotly.react(this.canvas, traces, layoutOf(drawing, size), settings);
        // Its words are in the label, and its figures in the table; the buttons stay.
        all("svg.main-svg", this.canvas).forEach((each) => each.setAttribute("aria-hidden", "true"));
        this.canvas.dataset.drawn = select ? select.value : "0";
      },
    };
  });
  const redraw = () => plots.filter((each) => each.drawn).forEach((each) => each.draw());

  const watch = () => {
    root.dataset.drawing = "";
    const seen = new IntersectionObserver((entries) => {
      for (const entry of entries.filter((each) => each.isIntersecting)) {
        seen.unobserve(entry.target);
        plots.find((each) => each.canvas === entry.target).draw();
      }
    }, { rootMargin: "300px" });
    for (const plot of plots) {
      seen.observe(plot.canvas);
      plot.select?.addEventListener("change", () => plot.draw());
    }
    all(".choice").forEach((each) => { each.hidden = false; });
    addEventListener("beforeprint", () => {
      const shown = root.dataset.theme ?? "";
      root.dataset.theme = "light";
      document.querySelectorAll("details.all").forEach((each) => { each.open = true; });
      plots.forEach((each) => each.draw(true));
      root.dataset.before = shown;
    });
    addEventListener("afterprint", () => {
      theme(root.dataset.before ?? "");
      delete root.dataset.before;
    });
  };
  const start = async () => {
    const packed = document.getElementById("plotly");
    if (packed === null || plots.length === 0) return;
    const script = document.createElement("script");
    script.textContent = await (await unpacked(packed)).text();
    document.head.append(script); // the page's policy knows its hash
    packed.remove();
    watch();
  };

  // The theme follows the system until somebody chooses; nothing of that is kept.
  const theme = (name) => {
    if (name) root.dataset.theme = name;
    else delete root.dataset.theme;
    redraw();
  };

  // Downloads: made here, of what the page holds.
  const save = (name, parts, type) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(parts, { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    say(`${name} is downloaded.`);
  };
  const quoted = (value) => {
    const text = value === null || value === undefined ? "" : String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const samplesOf = (text) => {
    const columns = ["kernel", "store", "isa", "tuned", "purpose", "block", "epoch", "seconds",
      "passes", "moved", "switches"];
    const variants = new Map();
    const lines = [columns.join(",")];
    for (const line of text.split("\n")) {
      let record = null;
      try { record = JSON.parse(line); } catch { continue; } // cut off, or empty
      if (record.record === "variant") variants.set(record.id, record);
      if (record.record !== "sample" || record.role !== "timed") continue;
      const whole = { tuned: false, purpose: "rate", epoch: 0, passes: 1,
        ...variants.get(record.variant), ...record };
      lines.push(columns.map((name) => quoted(whole[name])).join(","));
    }
    return `${lines.join("\n")}\n`;
  };
  for (const button of all("button.download")) {
    const script = button.parentElement.querySelector("script");
    button.disabled = false;
    button.addEventListener("click", async () => {
      save(button.dataset.name, [await (await unpacked(script)).arrayBuffer()], button.dataset.type);
    });
  }
  for (const button of all("button.samples")) {
    const script = button.parentElement.previousElementSibling.querySelector("script");
    button.disabled = false;
    button.addEventListener("click", async () => {
      save(button.dataset.name, [samplesOf(await (await unpacked(script)).text())], "text/csv");
    });
  }

  if (printed) {
    root.dataset.drawing = "";
    plots.forEach((each) => each.draw(true));
    return;
  }
  const chosen = document.getElementById("theme");
  chosen.parentElement.hidden = false;
  chosen.addEventListener("change", () => theme(chosen.value));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  start().catch((error) => {
    say("The plots cannot be drawn by this browser; the figures are in the tables.");
    console.error(error);
  });
})();
