// Connects the slider, the charts, the tree and the tables of a page of path_report() or explore_path(). The charts are
// drawn by plotly. Names come from the data: they enter the page as textContent, and plotly through plain().
window.pnmfInflate(document.getElementById("pnmf-data").textContent).then((bytes) => {
  "use strict";

  const page = JSON.parse(new TextDecoder().decode(bytes));
  const part = (name) => document.getElementById("pnmf-" + name);
  const n = page.cells.length;
  const nScales = page.scales.length;
  const grey = "#a0a0a0";
  let values = null; // readers of factors and genes, once unpacked

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

  const state = { scale: page.start - 1, colour: page.reference ? "label-0" : "cluster", selection: null };

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
  const shortProbability = (value) => value > 0 && value < 0.001 ? value.toExponential(1) : String(value);

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

  // The program of a track at the current scale; undefined where the track does not exist.
  function programAt(track, scale) {
    const programs = page.programs.scales[scale];
    const k = programs.track.indexOf(track);
    return k < 0 ? undefined : page.factors.numbers.indexOf(programs.factor[k]);
  }

  const nothing = { codes: new Uint8Array(n), low: 0, high: 0 };

  function addProgramColourings() {
    const tracks = new Set(page.programs.scales.flatMap((programs) => programs.track));
    tracks.forEach((track) => {
      if (!page.programs.scales.some((_, scale) => programAt(track, scale) >= 0)) return;
      colourings["program-" + track] = ramped("program " + track, "Programs, most structure first", () => {
        const k = programAt(track, state.scale);
        return k >= 0 ? values.factor(k, state.scale) : nothing;
      });
    });
  }

  // Genes are unpacked before a drawing; `unpackedGene` holds the one in use.
  const geneNumber = new Map(page.genes.names.map((gene, k) => [gene, k]));
  const isGene = (key) => key.startsWith("gene-");
  let unpackedGene = { key: null, values: nothing };

  function colouringOf(key) {
    if (isGene(key) && !colourings[key]) {
      colourings[key] = ramped(page.genes.names[Number(key.slice(5))], "Genes", () => unpackedGene.values);
    }
    return colourings[key];
  }

  function unpackColour() {
    const key = state.colour + (page.genes.kind === "fitted" ? "-" + state.scale : "");
    if (!isGene(state.colour) || unpackedGene.key === key) return Promise.resolve();
    return values.gene(Number(state.colour.slice(5)), state.scale).then((found) => {
      unpackedGene = { key: key, values: found };
    });
  }

  function setColour(key) {
    const colouring = colouringOf(key);
    state.colour = key;
    addOption(key);
    part("colour").value = key;
    if (isGene(key)) part("search").value = colouring.title;
    sayFound(isGene(key) ? "Cells are coloured by " + colouring.title + ", " + page.genes.kind + " values." : "");
    draw();
  }

  // ---- Search ----

  const genesHere = page.genes.names.length.toLocaleString("en") +
    (page.genes.names.length < page.genes.of ? " of " + page.genes.of.toLocaleString("en") + " genes" : " genes");
  const sayFound = (text) => { part("found").textContent = text || genesHere + " on this page."; };

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
    if (gene !== undefined) {
      if (finished || page.genes.names[gene] === text) setColour("gene-" + gene);
      return;
    }
    if (!finished) return;
    const near = page.genes.names.filter((name) => name.toLowerCase().includes(text.toLowerCase()));
    sayFound("No gene " + text + " among the " + genesHere + " on this page" +
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
    Object.assign(figure.layout, themed(figure.layout));
    return Plotly.newPlot(target, figure.data, figure.layout, own);
  }

  // Text and the mark of the scale follow light and dark mode.
  const ink = () => getComputedStyle(document.querySelector(".pnmf")).getPropertyValue("--ink").trim();
  function themed(layout) {
    const shapes = (layout.shapes || []).map((shape, k) => (k > 0 ? shape :
      Object.assign({}, shape, { line: Object.assign({}, shape.line, { color: ink() }) })));
    return { font: Object.assign({}, layout.font, { color: ink() }), shapes: shapes };
  }
  const applyTheme = () => Object.values(charts).forEach((chart) => Plotly.relayout(chart, themed(chart.layout)));

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
    const colour = colouringOf(state.colour).colours();
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
    const colouring = colouringOf(state.colour);
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
      if (lives.genes[i]) head.append(element("div", lives.genes[i], { className: "pnmf-note" }));
      if (lives.stage[i]) head.append(element("div", "stage of a continuum", { className: "pnmf-note" }));
      const [first, last] = [page.scales[lives.first[i]], page.scales[lives.last[i]]];
      const share = element("td", lives.persistence[i].toFixed(2));
      const bar = element("span", undefined, { className: "pnmf-share" });
      bar.style.width = Math.max(2, 40 * lives.persistence[i]) + "px";
      share.append(bar);
      row.append(head, element("td", lives.size[i].toLocaleString("en")),
        element("td", first === last ? String(first) : first + " to " + last), share,
        element("td", lives.support[i] === null ? "" : lives.support[i].toFixed(2)),
        element("td", lives.p_value[i] === null ? "" : shortProbability(lives.p_value[i])));
      if (lives.recommended.some(Boolean)) row.append(element("td", lives.recommended[i] ? "yes" : ""));
      return row;
    }));
  }

  // A name; clicking it colours the cells if there is a colouring for it.
  function colourButton(text, key) {
    if (!colourings[key] && !(isGene(key) && key !== "gene-undefined")) return element("span", text);
    const button = element("button", text, { type: "button" });
    button.addEventListener("click", () => setColour(key));
    return button;
  }

  function geneList(names) {
    const list = document.createElement("td");
    names.forEach((name, k) => {
      const item = element("span", undefined, { className: "pnmf-name" });
      item.append(colourButton(name, "gene-" + geneNumber.get(name)), k < names.length - 1 ? "," : "");
      list.append(item, " ");
    });
    return list;
  }

  const topGenes = (programs, k) => programs.top[k].map((gene) => page.programs.names[gene]);

  function drawPrograms() {
    const programs = page.programs.scales[state.scale];
    const known = page.programs.scales.some((all) => all.supported.some((is) => is !== null));
    fill(part("programs"), programs.track.map((track, k) => {
      const row = document.createElement("tr");
      const head = element("th", undefined, { scope: "row" });
      head.append(colourButton(String(track), "program-" + track));
      row.append(head, geneList(topGenes(programs, k)), element("td", (100 * programs.weight[k]).toFixed(0) + "%"));
      if (known) row.append(element("td", { true: "yes", false: "no" }[programs.supported[k]] || ""));
      row.classList.toggle("pnmf-unsupported", programs.supported[k] === false);
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
    return tableOf("", [title, "cells"], [...counts].sort((a, b) => b[1] - a[1])
      .map(([group, count]) => [names(group), String(count)]));
  }

  // A table with a caption, unless that is empty, column heads, and rows of texts and elements.
  function tableOf(title, heads, rows) {
    const table = document.createElement("table");
    if (title) table.append(element("caption", title));
    const head = table.createTHead().insertRow();
    heads.forEach((text) => head.append(element("th", text, { scope: "col" })));
    const body = table.createTBody();
    rows.forEach((cells) => {
      const row = body.insertRow();
      cells.forEach((cell) => {
        const made = element("td");
        made.append(cell);
        row.append(made);
      });
    });
    return table;
  }

  const bitsOf = (selected) => {
    const bits = new Uint8Array(n);
    selected.forEach((cell) => { bits[cell] = 1; });
    return bits;
  };

  // Programs by how much more the selected cells use them: shares of the usage of a cell.
  function usageTable(selected) {
    const programs = page.programs.scales[state.scale];
    const inside = bitsOf(selected);
    const kept = programs.factor.map((factor) => page.factors.numbers.indexOf(factor));
    const total = new Float64Array(n);
    const readers = kept.map((k) => (k < 0 ? null : values.factor(k, state.scale)));
    readers.forEach((read) => {
      if (read) for (let cell = 0; cell < n; cell++) total[cell] += read.codes[cell] * read.high;
    });
    const rows = readers.map((read, k) => {
      if (!read) return null;
      const share = Float64Array.from(read.codes, (code, cell) => (total[cell] > 0 ? code * read.high / total[cell] : 0));
      return Object.assign({ k: k }, window.pnmfValues.compared(share, (value) => value, inside, n));
    }).filter(Boolean).sort((a, b) => (b.own - b.others) - (a.own - a.others)).slice(0, 5);
    const percent = (value) => (100 * value).toFixed(0) + "%";
    return tableOf("Programs of the selected cells at this scale", ["program", "genes", "selected", "others"],
      rows.map((row) => [colourButton(String(programs.track[row.k]), "program-" + programs.track[row.k]),
        topGenes(programs, row.k).slice(0, 5).join(", "), percent(row.own), percent(row.others)]));
  }

  // The ten genes with the largest t. Computed once per selection; later selections win.
  let markersOf = null;
  function drawMarkers(selected) {
    const wanted = JSON.stringify([state.selection, page.genes.kind === "fitted" ? state.scale : 0]);
    if (wanted === markersOf) return Promise.resolve();
    markersOf = wanted;
    part("markers").replaceChildren();
    if (!values || page.genes.names.length === 0 || selected.length < 2 || n - selected.length < 2) {
      return Promise.resolve();
    }
    const inside = bitsOf(selected);
    const found = [];
    return values.eachGene(state.scale, (gene, codes, valueOf) => {
      found.push(Object.assign({ gene: gene }, window.pnmfValues.compared(codes, valueOf, inside, n)));
    }).then(() => {
      if (markersOf !== wanted) return;
      const best = found.sort((a, b) => b.t - a.t).slice(0, 10).filter((row) => row.t > 0);
      part("markers").replaceChildren(tableOf("Markers of the selected cells, " + page.genes.kind + " values",
        ["gene", "t", "mean", "others"], best.map((row) => [
          colourButton(page.genes.names[row.gene], "gene-" + row.gene), row.t.toFixed(1), short(row.own),
          short(row.others)])));
    });
  }

  function drawSelection(selected) {
    const some = Boolean(state.selection);
    part("details").hidden = !some;
    part("usage").replaceChildren(...(some && values && selected.length > 0 && selected.length < n ?
      [usageTable(selected)] : []));
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
    drawPrograms();
    drawSelection(selected);
  }

  function drawNow() {
    return unpackColour().then(() => {
      const selected = selectedCells();
      drawLists(selected);
      return Promise.all([drawCells(selected), drawTree(selected), moveMark("tree"), drawMarkers(selected)]);
    });
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
    const colouring = colouringOf(key);
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

  // The list below the field has the names that contain its text: all genes would be too many for a browser.
  function offerGenes(text) {
    const wanted = text.toLowerCase();
    const near = text === "" ? [] : page.genes.names.filter((name) => name.toLowerCase().includes(wanted)).slice(0, 30);
    part("genes").replaceChildren(...near.map((gene) => element("option", undefined, { value: gene })));
  }

  function fillSearch() {
    part("search").disabled = page.genes.names.length === 0;
    sayFound("");
    part("search").addEventListener("input", (event) => {
      offerGenes(event.target.value.trim());
      find(event.target.value.trim(), false);
    });
    part("search").addEventListener("change", (event) => find(event.target.value.trim(), true));
  }

  // ---- Files ----

  function save(name, type, text) {
    const link = element("a", undefined, { href: URL.createObjectURL(new Blob([text], { type: type })), download: name });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  const quoted = (text) => "\"" + String(text).replace(/"/g, "\"\"") + "\"";

  // One line per cell drawn: its name, labels, and cluster at every scale.
  function labelsAsText() {
    const heads = ["cell"].concat(page.labels.map((column) => column.title),
      page.scales.map((scale) => "cluster at scale " + scale));
    const rows = page.cells.map((name, cell) => [name].concat(
      page.labels.map((column, c) => column.names[labelCodes[c][cell]]),
      page.scales.map((_, scale) => clusterOf(cell, scale) + 1)));
    return [heads].concat(rows).map((row) => row.map(quoted).join(",")).join("\n") + "\n";
  }

  const escaped = (text) => plain(text).replace(/"/g, "&quot;");

  // The map as it is coloured, with its legend.
  function mapAsText() {
    const [x, y] = [xAt(state.scale), yAt(state.scale)];
    const colouring = colouringOf(state.colour);
    const colour = colouring.colours();
    const ends = (list) => [list.reduce((a, b) => Math.min(a, b)), list.reduce((a, b) => Math.max(a, b))];
    const [[left, right], [low, high]] = [ends(x), ends(y)];
    const step = 700 / Math.max(right - left, high - low, 1e-12);
    const points = page.cells.map((_, cell) => "<circle cx=\"" + (20 + step * (x[cell] - left)).toFixed(1) + "\" cy=\"" +
      (20 + step * (high - y[cell])).toFixed(1) + "\" r=\"1.5\" fill=\"" + colour(cell) + "\"/>");
    const lines = [[null, page.readouts[state.scale]], [null, "coloured by " + colouring.title]];
    if (colouring.column !== undefined) {
      const column = page.labels[colouring.column];
      column.names.forEach((name, k) => lines.push([column.colours[k], name]));
    } else if (state.colour === "cluster") {
      page.clusters.sizes[state.scale].forEach((size, k) => {
        if (size > 0) lines.push([page.clusters.colours[k], "cluster " + (k + 1)]);
      });
    } else {
      const range = colouring.range();
      lines.push([page.ramp[0], range[0]], [page.ramp[255], range[1]]);
    }
    const legend = lines.map(([fill, text], k) => (fill ? "<circle cx=\"750\" cy=\"" + (26 + 18 * k) +
      "\" r=\"5\" fill=\"" + fill + "\"/>" : "") + "<text x=\"762\" y=\"" + (30 + 18 * k) + "\">" + escaped(text) +
      "</text>");
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1100\" height=\"" + Math.max(740, 40 + 18 * lines.length) +
      "\" font-family=\"sans-serif\" font-size=\"13\"><rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>" +
      points.join("") + legend.join("") + "</svg>\n";
  }

  function listen() {
    part("scale").addEventListener("input", (event) => setScale(Number(event.target.value) - 1));
    part("clear").addEventListener("click", () => {
      select(null);
      part("scale").focus();
    });
    part("csv").addEventListener("click", () => save("labels.csv", "text/csv", labelsAsText()));
    part("svg").addEventListener("click", () => save("map.svg", "image/svg+xml", mapAsText()));
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);
    if (charts.tree) {
      const nodeTrace = page.figures.tree.data.length - 1;
      charts.tree.on("plotly_click", (event) => {
        const hit = event.points.find((point) => point.curveNumber === nodeTrace);
        if (!hit) return;
        const node = hit.pointNumber;
        select({ kind: "cluster", scale: page.nodes.place[node], cluster: page.nodes.cluster[node] });
      });
    }
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
    Promise.all(["cells", "tree"].map(newChart)).then(() => {
      listen();
      return moveMark("tree");
    }).then(() => {
      document.documentElement.dataset.pnmf = "ready";
    });
  }

  // plotly is packed, too.
  function loadPlotly() {
    return window.pnmfInflate(document.getElementById("pnmf-plotly").textContent).then((bytes) => {
      document.head.append(element("script", new TextDecoder().decode(bytes)));
    });
  }

  Promise.all([window.pnmfValues.load(page), loadPlotly()]).then(([readers]) => {
    values = readers;
    addProgramColourings();
    window.pnmfPage = { labels: labelsAsText, map: mapAsText };
    start();
  });
});
