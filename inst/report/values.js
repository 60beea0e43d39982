// Reads the numbers of a page that path_report() or explore_path() made: window.pnmfValues.
(function () {
  "use strict";

  function bytesOf(text) {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
  }

  // Whole numbers of one or two bytes, least byte first, in base 64.
  function numbers(encoded) {
    const bytes = bytesOf(encoded.codes);
    return encoded.bytes === 1 ? bytes : new Uint16Array(bytes.buffer);
  }

  // Whole numbers of one byte, deflated. A promise.
  function unpacked(text) {
    const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).arrayBuffer().then((buffer) => new Uint8Array(buffer));
  }

  // The same, `size` numbers per scale, of which each is a step from the scale before; bytes wrap around by themselves.
  function unpackedSteps(text, size) {
    return unpacked(text).then((codes) => {
      for (let i = size; i < codes.length; i++) codes[i] += codes[i - size];
      return codes;
    });
  }

  // Factors and genes, once unpacked; nothing of them in a browser without DecompressionStream.
  function load(page) {
    if (typeof DecompressionStream === "undefined") return Promise.resolve(null);
    const n = page.cells.length;
    const { factors, genes } = page;
    const nFactors = factors.numbers.length;
    return Promise.all([
      unpackedSteps(factors.codes, n * nFactors),
      genes.measured ? unpacked(genes.measured.codes) : null,
      genes.fitted ? unpackedSteps(genes.fitted.codes, genes.names.length * nFactors) : null
    ]).then(([factorCodes, measuredCodes, loadingCodes]) => {
      return readers(page, factorCodes, measuredCodes, loadingCodes);
    });
  }

  // Each reader gives { codes, low, high }: one code 0 ... 255 per cell, and the values of 0 and 255.
  function readers(page, factorCodes, measuredCodes, loadingCodes) {
    const n = page.cells.length;
    const { factors, genes } = page;
    const nFactors = factors.numbers.length;
    const valuesOf = (scale, k) => factorCodes.subarray((scale * nFactors + k) * n, (scale * nFactors + k + 1) * n);

    function factor(k, scale) {
      return { codes: valuesOf(scale, k), low: 0, high: factors.tops[scale][k] };
    }

    function measured(gene) {
      const codes = measuredCodes.subarray(gene * n, (gene + 1) * n);
      return { codes: codes, low: genes.measured.low[gene], high: genes.measured.high[gene] };
    }

    // w_g1 h_1 + ... + w_gr h_r
    function fitted(gene, scale) {
      const values = new Float64Array(n);
      for (let k = 0; k < nFactors; k++) {
        const code = loadingCodes[(scale * nFactors + k) * genes.names.length + gene];
        const weight = code / 255 * genes.fitted.tops[scale][gene] * factors.tops[scale][k] / 255;
        if (weight === 0) continue;
        const of = valuesOf(scale, k);
        for (let cell = 0; cell < n; cell++) values[cell] += weight * of[cell];
      }
      const high = values.reduce((a, b) => Math.max(a, b), 0);
      return { codes: values.map((value) => (high > 0 ? Math.round(255 * value / high) : 0)), low: 0, high: high };
    }

    const without = (list) => (list ? new Set(list) : null);
    const unmeasured = without(genes.unmeasured);
    const unfitted = without(genes.unfitted);
    return {
      factor: factor, measured: measured, fitted: fitted,
      isMeasured: (gene) => Boolean(measuredCodes && !unmeasured.has(gene)),
      isFitted: (gene) => Boolean(loadingCodes && !unfitted.has(gene))
    };
  }

  window.pnmfValues = { numbers: numbers, load: load };
})();
