// Reads the numbers of a page that path_report() or explore_path() made: window.pnmfValues.
(function () {
  "use strict";

  const unpacked = window.pnmfInflate;

  // Whole numbers of one or two bytes, least byte first, in base 64.
  function numbers(encoded) {
    const bytes = unpacked.bytesOf(encoded.codes);
    return encoded.bytes === 1 ? bytes : new Uint16Array(bytes.buffer);
  }

  // `size` numbers per scale, of which each is a step from the scale before; bytes wrap around by themselves.
  function unpackedSteps(text, size) {
    return unpacked(text).then((codes) => {
      for (let i = size; i < codes.length; i++) codes[i] += codes[i - size];
      return codes;
    });
  }

  // A promise of readers. A reader gives { codes, low, high }: one code 0 ... 255 per cell, and the values of 0 and 255.
  function load(page) {
    const { factors, genes } = page;
    const nFactors = factors.numbers.length;
    return Promise.all([
      unpackedSteps(factors.codes, page.cells.length * nFactors),
      genes.kind === "fitted" ? unpackedSteps(genes.codes, genes.names.length * nFactors) : null
    ]).then(([factorCodes, loadingCodes]) => {
      const factorReader = factorsOf(page, factorCodes);
      const gene = genes.kind === "measured" ? measuredGenes(page) : fittedGenes(page, factorReader, loadingCodes);
      return Object.assign({ factor: factorReader }, gene);
    });
  }

  function factorsOf(page, codes) {
    const n = page.cells.length;
    const { numbers: kept, tops } = page.factors;
    return (k, scale) => {
      const from = (scale * kept.length + k) * n;
      return { codes: codes.subarray(from, from + n), low: 0, high: tops[scale][k] };
    };
  }

  // Steps 0 ... `steps` of one gene after the other, from blocks that are unpacked when they are needed. See
  // block_codes() in R/report_genes.R.
  function measuredGenes(page) {
    const n = page.cells.length;
    const { genes } = page;
    const blocks = new Map();
    const block = (b) => {
      if (!blocks.has(b)) blocks.set(b, unpacked(genes.blocks[b]));
      return blocks.get(b);
    };

    // Calls visit(gene, steps of all cells) for the genes of a block.
    function eachOf(b, bytes, visit) {
      const first = b * genes.per;
      const last = Math.min(genes.names.length, first + genes.per);
      let total = 0;
      for (let g = first; g < last; g++) total += genes.counts[g];
      let at = 0;
      let step = bytes.length - total;
      for (let g = first; g < last; g++) {
        const steps = new Uint8Array(n);
        let cell = -1;
        for (let k = 0; k < genes.counts[g]; k++) {
          while (bytes[at] === 255) {
            cell += 254;
            at++;
          }
          cell += bytes[at++];
          steps[cell] = bytes[step++];
        }
        visit(g, steps);
      }
    }

    const valueOf = (g, step) => genes.low[g] + (genes.high[g] - genes.low[g]) * step / genes.steps;
    return {
      gene: (g) => block(Math.floor(g / genes.per)).then((bytes) => {
        let found;
        eachOf(Math.floor(g / genes.per), bytes, (k, steps) => { if (k === g) found = steps; });
        return { codes: found.map((step) => Math.round(255 * step / genes.steps)), low: genes.low[g],
          high: genes.high[g] };
      }),
      // visit(gene, values of all cells as codes, function from codes to values)
      eachGene: (scale, visit) => Promise.all(genes.blocks.map((_, b) => block(b))).then((all) => {
        all.forEach((bytes, b) => eachOf(b, bytes, (g, steps) => visit(g, steps, (step) => valueOf(g, step))));
      })
    };
  }

  // w_g1 h_1 + ... + w_gr h_r
  function fittedGenes(page, factorReader, loadingCodes) {
    const n = page.cells.length;
    const { genes, factors } = page;
    const nFactors = factors.numbers.length;
    function values(g, scale) {
      const sums = new Float64Array(n);
      for (let k = 0; k < nFactors; k++) {
        const code = loadingCodes[(scale * nFactors + k) * genes.names.length + g];
        const weight = code / 255 * genes.tops[scale][g] * factors.tops[scale][k] / 255;
        if (weight === 0) continue;
        const of = factorReader(k, scale).codes;
        for (let cell = 0; cell < n; cell++) sums[cell] += weight * of[cell];
      }
      return sums;
    }
    return {
      gene: (g, scale) => {
        const sums = values(g, scale);
        const high = sums.reduce((a, b) => Math.max(a, b), 0);
        const codes = Uint8Array.from(sums, (value) => (high > 0 ? Math.round(255 * value / high) : 0));
        return Promise.resolve({ codes: codes, low: 0, high: high });
      },
      eachGene: (scale, visit) => {
        genes.names.forEach((_, g) => visit(g, values(g, scale), (value) => value));
        return Promise.resolve();
      }
    };
  }

  // Mean and variance of the selected cells and of the others, and Welch's t between them.
  function compared(codes, valueOf, isSelected, n) {
    const sums = [[0, 0, 0], [0, 0, 0]];
    for (let cell = 0; cell < n; cell++) {
      const value = valueOf(codes[cell]);
      const side = sums[isSelected[cell]];
      side[0]++;
      side[1] += value;
      side[2] += value * value;
    }
    const [others, own] = sums.map(([count, sum, squares]) => {
      const mean = sum / count;
      return { mean: mean, error: Math.max(0, squares / count - mean * mean) / Math.max(1, count - 1) };
    });
    return { own: own.mean, others: others.mean, t: (own.mean - others.mean) / Math.sqrt(own.error + others.error + 1e-12) };
  }

  window.pnmfValues = { numbers: numbers, load: load, compared: compared };
})();
