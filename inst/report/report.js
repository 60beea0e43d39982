// Connects the slider, the charts, the tree and the tables of a page of path_report() or explore_path(). The charts are
// drawn by plotly. Names come from the data: they enter the page as textContent, and plotly through plain().
(function () {
  "use strict";

  const page = JSON.parse(document.getElementById("pnmf-data").textContent);
  const part = (name) => document.getElementById("pnmf-" + name);
  const n = page.cells.length;
  const nScales = page.scales.length;
  const grey = "#c8c8c8";

  // ---- Data ----

  const numbers = window.pnmfValues.numbers;

  // Values of one scale: n of them, the scales one after the other.
  function coordinates(encoded) {
    const codes = numbers(encoded);
    const step = (encoded.high - encoded.low) / 65535;
    return (scale) => Array.from(codes.subarray(scale * n, (scale + 1) * n), (code) => encoded.low + step * code);
  }

  const xAt = coordinates(page.x);
  const yAt = coordinates(page.y);
  const clusterCodes = numbers(page.clusters.codes);
  const labelCodes = page.labels.map((column) => numbers(column.codes));
  const clusterOf = (cell, scale) => clusterCodes[scale * n + cell];

  // plotly interprets tags and entities in all texts.
  const plain = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  const counted = (count) => count.toLocaleString("en") + (count === 1 ? " cell" : " cells");

  // ---- State: the position of the scale (0, 1, ...), the colouring and the selection ----

  const state = {
    scale: page.start - 1, colour: page.reference ? "label-0" : "cluster", selection: null, values: "measured"
  };

  // A selection is { kind: "cluster", scale, cluster }, { kind: "label", column, label } or { kind: "cells", cells }.
  function isSelected(selection) {
    if (selection.kind === "cluster") return (cell) => clusterOf(cell, selection.scale) === selection.cluster;
    if (selection.kind === "label") return (cell) => labelCodes[selection.column][cell] === selection.label;
    const chosen = new Set(selection.cells);
    return (cell) => chosen.has(cell);
  }

  function selectedCells() {
    if (!state.selection) return [];
    const test = isSelected(state.selection);
    const cells = [];
    for (let cell = 0; cell < n; cell++) if (test(cell)) cells.push(cell);
    return cells;
  }

  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

  function select(selection) {
    state.selection = same(selection, state.selection) ? null : selection;
    tellShiny("selection", shinySelection());
    draw();
  }

  // ---- Colours ----

  // colours() of a colouring gives a function from cells to colours at the current scale; range() the ends of its ramp.
  const colourings = {};
  page.labels.forEach((column, c) => {
    colourings["label-" + c] = {
      title: column.title, group: "Labels", column: c, colours: () => (cell) => column.colours[labelCodes[c][cell]]
    };
  });
  colourings.cluster = {
    title: "cluster at this scale", colours: () => (cell) => page.clusters.colours[clusterOf(cell, state.scale)]
  };

  const short = (value) => String(Number(value.toPrecision(3)));

  // Colours on the ramp, from values that are read on demand.
  function ramped(title, group, read) {
    return {
      title: title, group: group,
      colours: () => {
        const codes = read().codes;
        return (cell) => page.ramp[codes[cell]];
      },
      range: () => [short(read().low), short(read().high)]
    };
  }

  function addValueColourings(values) {
    page.factors.numbers.forEach((factor, k) => {
      colourings["factor-" + factor] = ramped("factor " + factor, "Factors, most structure first",
        () => values.factor(k, state.scale));
    });
    page.genes.names.forEach((gene, k) => {
      const kinds = { measured: values.isMeasured(k), fitted: values.isFitted(k) };
      if (!kinds.measured && !kinds.fitted) return;
      const usedKind = () => (kinds[state.values] ? state.values : kinds.measured ? "measured" : "fitted");
      const read = () => (usedKind() === "measured" ? values.measured(k) : values.fitted(k, state.scale));
      colourings["gene-" + k] = Object.assign(ramped(gene, "Genes", read), { usedKind: usedKind });
    });
  }

  const geneNumber = new Map(page.genes.names.map((gene, k) => [gene, k]));
  const isGene = (key) => key.startsWith("gene-");

  function setColour(key) {
    state.colour = key;
    addOption(key);
    part("colour").value = key;
    const colouring = colourings[key];
    if (isGene(key)) {
      part("search").value = colouring.title;
      sayFound("Cells are coloured by " + colouring.title + ", " + colouring.usedKind() + " values.");
    } else {
      sayFound("");
    }
    draw();
  }

  // ---- Search ----

  const sayFound = (text) => { part("found").textContent = text || page.genes.names.length + " genes on this page."; };

  // The gene of that name; case is ignored unless two genes differ only in case.
  function geneNamed(text) {
    if (geneNumber.has(text)) return geneNumber.get(text);
    const wanted = text.toLowerCase();
    const same = page.genes.names.filter((gene) => gene.toLowerCase() === wanted);
    return same.length === 1 ? geneNumber.get(same[0]) : undefined;
  }

  function find(text, finished) {
    if (text === "") return sayFound("");
    const gene = geneNamed(text);
    if (gene !== undefined && colourings["gene-" + gene]) {
      if (finished || page.genes.names[gene] === text) setColour("gene-" + gene);
      return;
    }
    if (!finished) return;
    const near = page.genes.names.filter((name) => name.toLowerCase().includes(text.toLowerCase()));
    sayFound("No gene " + text + " among the " + page.genes.names.length + " on this page" +
      (near.length > 0 ? "; there is " + near.slice(0, 5).join(", ") + "." : "."));
  }

  // ---- Small elements ----

  function element(name, text, attributes) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    Object.assign(made, attributes || {});
    return made;
  }

  function chip(colour, text, selection) {
    const button = element("button", undefined, { type: "button" });
    const swatch = element("span", undefined, { className: "pnmf-swatch" });
    swatch.style.background = colour;
    button.append(swatch, element("span", text));
    button.setAttribute("aria-pressed", String(same(selection, state.selection)));
    button.addEventListener("click", () => select(selection));
    return button;
  }

  // Replaces the contents and keeps the keyboard focus.
  function fill(target, children) {
    const focused = [...target.querySelectorAll("button")].indexOf(document.activeElement);
    target.replaceChildren(...children);
    const buttons = target.querySelectorAll("button");
    if (focused >= 0 && buttons.length > 0) buttons[Math.min(focused, buttons.length - 1)].focus();
  }

  // ---- Charts ----

  const charts = {};
  const settings = {
    displaylogo: false, showLink: false, displayModeBar: false, scrollZoom: false, doubleClick: "reset"
  };
  // Version 1 expects titles as text, later versions as objects.
  const asTitle = (text) => (parseInt(Plotly.version, 10) >= 2 ? { text: text } : text);

  function newChart(name) {
    const figure = page.figures[name];
    const target = part(name);
    if (!figure || !target) return Promise.resolve();
    Object.keys(figure.layout).filter((key) => /^[xy]axis/.test(key)).forEach((key) => {
      if (typeof figure.layout[key].title === "string") figure.layout[key].title = asTitle(figure.layout[key].title);
    });
    const own = name !== "cells" ? settings : Object.assign({}, settings, {
      displayModeBar: true, modeBarButtonsToRemove: ["sendDataToCloud", "hoverClosestCartesian",
        "hoverCompareCartesian", "toggleSpikelines", "autoScale2d"]
    });
    charts[name] = target;
    return Plotly.newPlot(target, figure.data, figure.layout, own);
  }

  const hasWebGL = () => {
    const canvas = document.createElement("canvas");
    return Boolean(canvas.getContext("webgl") || canvas.getContext("experimental-webgl"));
  };

  function moveMark(name) {
    if (!charts[name]) return Promise.resolve();
    const place = state.scale + 1;
    return Plotly.relayout(charts[name], { "shapes[0].x0": place, "shapes[0].x1": place });
  }

  const hoverText = (cell) => plain(page.cells[cell]) +
    page.labels.map((column, c) => "<br>" + plain(column.names[labelCodes[c][cell]])).join("") +
    "<br>cluster " + (clusterOf(cell, state.scale) + 1);

  // The points of both traces: all cells, then the selected ones.
  function cellPoints(selected) {
    const x = xAt(state.scale);
    const y = yAt(state.scale);
    const colour = colourings[state.colour].colours();
    const every = Array.from({ length: n }, (_, cell) => cell);
    const pick = (values) => selected.map((cell) => values[cell]);
    const text = every.map(hoverText);
    return {
      x: [x, pick(x)], y: [y, pick(y)], text: [text, pick(text)],
      "marker.color": [state.selection ? grey : every.map(colour), selected.map(colour)]
    };
  }

  const drawCells = (selected) => Plotly.restyle(charts.cells, cellPoints(selected), [0, 1]);

  // Sets the points before the first drawing, so that thousands of them are not drawn twice.
  function placeFirstCells() {
    const points = cellPoints([]);
    page.figures.cells.data.forEach((trace, k) => {
      Object.assign(trace, { x: points.x[k], y: points.y[k], text: points.text[k] });
      trace.marker.color = points["marker.color"][k];
    });
  }

  // The opacity of a node shows the share of its cells that is selected.
  function drawTree(selected) {
    if (!charts.tree) return Promise.resolve();
    const nodes = page.nodes;
    let opacity = 1;
    if (state.selection) {
      const within = page.clusters.sizes.map((sizes) => sizes.map(() => 0));
      const total = page.clusters.sizes.map((sizes) => sizes.map(() => 0));
      const layers = [...new Set(nodes.place)];
      layers.forEach((scale) => {
        for (let cell = 0; cell < n; cell++) total[scale][clusterOf(cell, scale)]++;
        selected.forEach((cell) => within[scale][clusterOf(cell, scale)]++);
      });
      opacity = nodes.place.map((scale, i) => {
        const cluster = nodes.cluster[i];
        return 0.12 + 0.88 * within[scale][cluster] / Math.max(1, total[scale][cluster]);
      });
    }
    return Plotly.restyle(charts.tree, { "marker.opacity": [opacity] }, [page.figures.tree.data.length - 1]);
  }

  // ---- Lists and tables ----

  function drawLegend() {
    const colouring = colourings[state.colour];
    if (state.colour === "cluster") return fill(part("legend"), []);
    if (colouring.column !== undefined) {
      const column = page.labels[colouring.column];
      return fill(part("legend"), column.names.map((name, k) => chip(column.colours[k],
        name + " (" + column.sizes[k] + ")", { kind: "label", column: colouring.column, label: k })));
    }
    const ramp = element("span", undefined, { className: "pnmf-ramp" });
    ramp.style.background = "linear-gradient(to right, " + page.ramp.filter((_, k) => k % 15 === 0).join(", ") + ")";
    const range = colouring.range();
    fill(part("legend"), [element("span", range[0]), ramp, element("span", range[1])]);
  }

  function drawClusters() {
    const sizes = page.clusters.sizes[state.scale];
    const chips = [];
    sizes.forEach((size, k) => {
      if (size > 0) {
        chips.push(chip(page.clusters.colours[k], "cluster " + (k + 1) + " (" + size + ")",
          { kind: "cluster", scale: state.scale, cluster: k }));
      }
    });
    fill(part("clusters"), chips);
  }

  // Selects a cluster at the current scale if it exists there, otherwise shows its first scale.
  function lifetimeButton(i) {
    const lives = page.lifetimes;
    const lived = (scale) => lives.first[i] <= scale && scale <= lives.last[i];
    const scale = lived(state.scale) ? state.scale : lives.first[i];
    const cluster = lives.cluster[i];
    const now = state.selection;
    const pressed = Boolean(now && now.kind === "cluster" && now.cluster === cluster && lived(now.scale));
    const button = chip(page.clusters.colours[cluster], "cluster " + (cluster + 1),
      pressed ? now : { kind: "cluster", scale: scale, cluster: cluster });
    button.addEventListener("click", () => setScale(scale));
    return button;
  }

  // The most persistent clusters first.
  function drawLifetimes() {
    const lives = page.lifetimes;
    if (!part("lifetimes")) return;
    fill(part("lifetimes"), lives.cluster.map((_, i) => {
      const row = document.createElement("tr");
      const head = element("th", undefined, { scope: "row" });
      head.append(lifetimeButton(i));
      const [first, last] = [page.scales[lives.first[i]], page.scales[lives.last[i]]];
      const share = element("td", lives.persistence[i].toFixed(2));
      const bar = element("span", undefined, { className: "pnmf-share" });
      bar.style.width = Math.max(2, 100 * lives.persistence[i]) + "px";
      share.append(bar);
      row.append(head, element("td", lives.size[i].toLocaleString("en")),
        element("td", first === last ? String(first) : first + " to " + last), share);
      if (lives.recommended.some(Boolean)) row.append(element("td", lives.recommended[i] ? "yes" : ""));
      return row;
    }));
  }

  // A name; clicking it colours the cells if there is a colouring for it.
  function colourButton(text, key) {
    if (!colourings[key]) return element("span", text);
    const button = element("button", text, { type: "button" });
    button.addEventListener("click", () => setColour(key));
    return button;
  }

  function drawFeatures() {
    fill(part("features"), page.factors.order.map((factor) => {
      const top = page.features.top[state.scale][factor - 1];
      const row = document.createElement("tr");
      const head = element("th", undefined, { scope: "row" });
      head.append(colourButton(String(factor), "factor-" + factor));
      const names = document.createElement("td");
      top.forEach((feature, k) => {
        const name = page.features.names[feature];
        const item = element("span", undefined, { className: "pnmf-name" });
        item.append(colourButton(name, "gene-" + geneNumber.get(name)), k < top.length - 1 ? "," : "");
        names.append(item, " ");
      });
      row.append(head, names);
      return row;
    }));
  }

  function describeSelection(selected) {
    const selection = state.selection;
    if (!selection) return "None. Select a cluster, a label, or draw around cells with the lasso.";
    const shown = n < page.n_cells ? " (" + counted(selected.length) + " of them shown)" : "";
    if (selection.kind === "cluster") {
      return "Cluster " + (selection.cluster + 1) + " at scale " + page.scales[selection.scale] + ": " +
        counted(page.clusters.sizes[selection.scale][selection.cluster]) + shown + ".";
    }
    if (selection.kind === "label") {
      const column = page.labels[selection.column];
      return column.names[selection.label] + ": " + counted(column.sizes[selection.label]) + shown + ".";
    }
    return counted(selected.length) + ".";
  }

  // Counts of the selected cells among groups, largest first.
  function tallyTable(title, names, groupOf, selected) {
    const counts = new Map();
    selected.forEach((cell) => counts.set(groupOf(cell), (counts.get(groupOf(cell)) || 0) + 1));
    const table = document.createElement("table");
    const head = table.createTHead().insertRow();
    head.append(element("th", title, { scope: "col" }), element("th", "cells", { scope: "col" }));
    const body = table.createTBody();
    [...counts].sort((a, b) => b[1] - a[1]).forEach(([group, count]) => {
      const row = body.insertRow();
      row.append(element("td", names(group)), element("td", String(count)));
    });
    return table;
  }

  function drawSelection(selected) {
    const some = Boolean(state.selection);
    part("selected").textContent = describeSelection(selected);
    part("clear").hidden = !some;
    part("names-label").hidden = !some;
    part("names").value = some ? selected.map((cell) => page.cells[cell]).join("\n") : "";
    const tables = [];
    if (some) {
      page.labels.forEach((column, c) => tables.push(tallyTable(column.title, (k) => column.names[k],
        (cell) => labelCodes[c][cell], selected)));
    }
    if (some) {
      tables.push(tallyTable("cluster at this scale", (k) => "cluster " + (k + 1),
        (cell) => clusterOf(cell, state.scale), selected));
    }
    part("composition").replaceChildren(...tables);
  }

  // ---- Everything ----

  function drawLists(selected) {
    const slider = part("scale");
    slider.value = state.scale + 1;
    slider.setAttribute("aria-valuetext", page.readouts[state.scale]);
    part("readout").textContent = page.readouts[state.scale];
    drawLegend();
    drawClusters();
    drawLifetimes();
    drawFeatures();
    drawSelection(selected);
  }

  const moveMarks = () => ["ruler", "tree", "scores"].map(moveMark);

  function drawNow() {
    const selected = selectedCells();
    drawLists(selected);
    return Promise.all([drawCells(selected), drawTree(selected)].concat(moveMarks()));
  }

  // One drawing at a time; changes during a drawing are drawn once, afterwards.
  let drawing = false;
  let again = false;
  function draw() {
    if (drawing) {
      again = true;
      return;
    }
    drawing = true;
    document.documentElement.dataset.pnmf = "drawing";
    requestAnimationFrame(() => {
      drawNow().then(() => {
        drawing = false;
        if (again) {
          again = false;
          draw();
        } else {
          document.documentElement.dataset.pnmf = "ready";
        }
      });
    });
  }

  function setScale(place) {
    if (place === state.scale) return;
    state.scale = place;
    tellShiny("scale", page.scales[place]);
    draw();
  }

  // ---- Shiny: explore_path() listens to two inputs ----

  function tellShiny(name, value) {
    if (window.Shiny && window.Shiny.setInputValue) window.Shiny.setInputValue("pnmf_" + name, value);
  }

  // In R's numbering: scales as in the path, all others from 1.
  function shinySelection() {
    const selection = state.selection;
    if (!selection) return null;
    if (selection.kind === "cluster") {
      return { kind: "cluster", scale: page.scales[selection.scale], cluster: selection.cluster + 1 };
    }
    if (selection.kind === "label") {
      return { kind: "label", column: selection.column + 1, label: selection.label + 1 };
    }
    return { kind: "cells", cells: selection.cells.map((cell) => cell + 1) };
  }

  function tellShinyAll() {
    tellShiny("scale", page.scales[state.scale]);
    tellShiny("selection", shinySelection());
  }

  // ---- Start ----

  // There are too many genes for a menu: a gene is added when the cells are coloured by it.
  function addOption(key) {
    const menu = part("colour");
    if ([...menu.options].some((option) => option.value === key)) return;
    const colouring = colourings[key];
    const option = element("option", colouring.title, { value: key });
    if (!colouring.group) return menu.append(option);
    let group = [...menu.children].find((child) => child.label === colouring.group);
    if (!group) {
      group = element("optgroup", undefined, { label: colouring.group });
      menu.append(group);
    }
    group.append(option);
  }

  function fillColourMenu() {
    const menu = part("colour");
    Object.keys(colourings).filter((key) => !isGene(key)).forEach(addOption);
    menu.value = state.colour;
    menu.addEventListener("change", () => setColour(menu.value));
  }

  function fillSearch() {
    const genes = Object.keys(colourings).filter(isGene).map((key) => colourings[key].title);
    part("genes").append(...genes.map((gene) => element("option", undefined, { value: gene })));
    const kinds = ["measured", "fitted"].filter((kind) => page.genes[kind]);
    part("values").append(...kinds.map((kind) => element("option", kind, { value: kind })));
    part("values-label").hidden = kinds.length < 2;
    state.values = kinds[0];
    part("search").disabled = genes.length === 0;
    sayFound(genes.length === 0 ? "This browser is too old to show factors and genes." : "");
    part("search").addEventListener("input", (event) => find(event.target.value.trim(), false));
    part("search").addEventListener("change", (event) => find(event.target.value.trim(), true));
    part("values").addEventListener("change", (event) => {
      state.values = event.target.value;
      setColour(state.colour);
    });
  }

  function listen() {
    part("scale").addEventListener("input", (event) => setScale(Number(event.target.value) - 1));
    part("clear").addEventListener("click", () => {
      select(null);
      part("scale").focus();
    });
    charts.ruler.on("plotly_click", (event) => setScale(Math.round(event.points[0].x) - 1));
    if (charts.tree) {
      const nodeTrace = page.figures.tree.data.length - 1;
      charts.tree.on("plotly_click", (event) => {
        const hit = event.points.find((point) => point.curveNumber === nodeTrace);
        if (!hit) return;
        const node = hit.pointNumber;
        select({ kind: "cluster", scale: page.nodes.place[node], cluster: page.nodes.cluster[node] });
      });
    }
    if (charts.scores) charts.scores.on("plotly_click", (event) => setScale(Math.round(event.points[0].x) - 1));
    const cellOf = (point) => (point.curveNumber === 0 ? point.pointNumber : selectedCells()[point.pointNumber]);
    charts.cells.on("plotly_click", (event) => {
      const cell = cellOf(event.points[0]);
      select({ kind: "cluster", scale: state.scale, cluster: clusterOf(cell, state.scale) });
    });
    charts.cells.on("plotly_selected", (event) => {
      if (!event || event.points.length === 0) return;
      const cells = [...new Set(event.points.map(cellOf))].sort((a, b) => a - b);
      // Otherwise plotly would keep dimming the other points.
      Plotly.restyle(charts.cells, { selectedpoints: [null] });
      select({ kind: "cells", cells: cells });
    });
    window.addEventListener("resize", () => Object.values(charts).forEach((chart) => Plotly.Plots.resize(chart)));
    if (window.jQuery) window.jQuery(document).on("shiny:sessioninitialized", tellShinyAll);
  }

  function start() {
    if (!hasWebGL()) page.figures.cells.data.forEach((trace) => { trace.type = "scatter"; });
    fillColourMenu();
    fillSearch();
    drawLists([]);
    placeFirstCells();
    Promise.all(["ruler", "cells", "tree", "scores"].map(newChart)).then(() => {
      listen();
      return Promise.all(moveMarks());
    }).then(() => {
      document.documentElement.dataset.pnmf = "ready";
    });
  }

  window.pnmfValues.load(page).then((values) => {
    if (values) addValueColourings(values);
    start();
  });
})();
