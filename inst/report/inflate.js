// Unpacks deflated bytes (RFC 1950 and 1951): window.pnmfInflate(text in base 64) is a promise of bytes. Browsers without
// DecompressionStream use the plain decoder below.
(function () {
  "use strict";

  function bytesOf(text) {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
  }

  // Canonical Huffman code: how many codes of each length, and the symbols in the order of their codes.
  function huffman(lengths) {
    const counts = new Uint16Array(16);
    lengths.forEach((length) => { if (length > 0) counts[length]++; });
    const next = new Uint16Array(16);
    for (let length = 1; length < 15; length++) next[length + 1] = next[length] + counts[length];
    const symbols = new Uint16Array(lengths.length);
    lengths.forEach((length, symbol) => { if (length > 0) symbols[next[length]++] = symbol; });
    return { counts: counts, symbols: symbols };
  }

  const range = (n, value) => new Array(n).fill(value);
  const fixedLiterals = huffman([].concat(range(144, 8), range(112, 9), range(24, 7), range(8, 8)));
  const fixedDistances = huffman(range(30, 5));
  // Base values and extra bits of lengths (step 4, 3 ... 258) and distances (step 2, 1 ... 32768).
  function steps(n, first, every) {
    const extra = Array.from({ length: n }, (_, k) => Math.max(0, Math.floor(k / every) - 1));
    const base = [first];
    for (let k = 1; k < n; k++) base.push(base[k - 1] + (1 << extra[k - 1]));
    return { base: base, extra: extra };
  }
  const lengthSteps = steps(29, 3, 4);
  lengthSteps.base[28] = 258;
  lengthSteps.extra[28] = 0;
  const distanceSteps = steps(30, 1, 2);
  const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

  function inflate(input) {
    let at = 2; // after the header of RFC 1950
    let hold = 0;
    let held = 0;
    let out = new Uint8Array(4 * input.length + 1024);
    let size = 0;

    function bits(n) {
      while (held < n) {
        hold |= input[at++] << held;
        held += 8;
      }
      const value = hold & ((1 << n) - 1);
      hold >>>= n;
      held -= n;
      return value;
    }
    function symbol(code) {
      let value = 0;
      let first = 0;
      let index = 0;
      for (let length = 1; length <= 15; length++) {
        value |= bits(1);
        const count = code.counts[length];
        if (value - count < first) return code.symbols[index + value - first];
        index += count;
        first = (first + count) << 1;
        value <<= 1;
      }
      throw new Error("the packed values are damaged");
    }
    function put(byte) {
      if (size === out.length) {
        const larger = new Uint8Array(2 * size);
        larger.set(out);
        out = larger;
      }
      out[size++] = byte;
    }
    function stored() {
      hold = 0;
      held = 0;
      const length = input[at] | (input[at + 1] << 8);
      at += 4;
      for (let k = 0; k < length; k++) put(input[at++]);
    }
    function codes() {
      const nLiterals = bits(5) + 257;
      const nDistances = bits(5) + 1;
      const nLengths = bits(4) + 4;
      const own = range(19, 0);
      for (let k = 0; k < nLengths; k++) own[lengthOrder[k]] = bits(3);
      const code = huffman(own);
      const lengths = [];
      while (lengths.length < nLiterals + nDistances) {
        const kind = symbol(code);
        if (kind < 16) lengths.push(kind);
        else if (kind === 16) lengths.push(...range(3 + bits(2), lengths[lengths.length - 1]));
        else lengths.push(...range(kind === 17 ? 3 + bits(3) : 11 + bits(7), 0));
      }
      return [huffman(lengths.slice(0, nLiterals)), huffman(lengths.slice(nLiterals))];
    }
    function packed(literals, distances) {
      for (;;) {
        const kind = symbol(literals);
        if (kind === 256) return;
        if (kind < 256) {
          put(kind);
          continue;
        }
        const length = lengthSteps.base[kind - 257] + bits(lengthSteps.extra[kind - 257]);
        const step = symbol(distances);
        const distance = distanceSteps.base[step] + bits(distanceSteps.extra[step]);
        for (let k = 0; k < length; k++) put(out[size - distance]);
      }
    }

    let last = 0;
    while (!last) {
      last = bits(1);
      const kind = bits(2);
      if (kind === 0) stored();
      else if (kind === 1) packed(fixedLiterals, fixedDistances);
      else packed(...codes());
    }
    return out.subarray(0, size);
  }

  window.pnmfInflate = function (text) {
    const bytes = bytesOf(text);
    if (typeof DecompressionStream === "undefined") return Promise.resolve(inflate(bytes));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).arrayBuffer().then((buffer) => new Uint8Array(buffer));
  };
  window.pnmfInflate.bytesOf = bytesOf;
})();
