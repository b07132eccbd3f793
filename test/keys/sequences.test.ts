import { EventEmitter } from "node:events";
import { KeyStream } from "../../src/keys/key-stream.ts";
import * as fc from "../helpers/fast-check.ts";
import {
  altCharacters,
  altSequences,
  characters,
  rawBytes,
  sequences,
} from "./terminal-sequences.ts";

/** The functions that wait for the next turn of the event loop. */
const turns: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("setImmediate", (run: () => void) => turns.push(run));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Lets time pass in milliseconds, with a turn of the event loop after every ten. */
function pass(ms: number): void {
  const takeTurns = () => {
    for (let run = turns.shift(); run; run = turns.shift()) run();
  };
  takeTurns();
  for (let left = ms; left > 0 && vi.getTimerCount() > 0; left -= 10) {
    vi.advanceTimersByTime(Math.min(10, left));
    takeTurns();
  }
}

function namesIn(stream: KeyStream): readonly string[] {
  pass(0);
  const names: string[] = [];
  for (let key = stream.read(); key !== null; key = stream.read()) names.push(nameOf(key));
  return names;
}

/** Returns the name of a key as Ink receives it. A paste is its text with `paste:` before. */
function nameOf(input: string): string {
  const paste = /^\x1b\[200~([\s\S]*)\x1b\[201~$/.exec(input)?.[1];
  if (paste !== undefined) return `paste:${paste}`;
  const codes = /^\x1b\[57376;17;([\d:]+)u$/.exec(input)?.[1];
  if (codes !== undefined) return String.fromCodePoint(...codes.split(":").map(Number));
  return input === " " ? "space" : input;
}

/** A key stream on a fake clock. */
class Typing {
  readonly #input = Object.assign(new EventEmitter(), { setRawMode: () => {} });
  readonly #stream = new KeyStream(this.#input, () => {});

  /** Sends bytes, and then nothing for a time in milliseconds. */
  send(bytes: Buffer | string, ms = 0): void {
    this.#input.emit("data", Buffer.from(bytes));
    pass(ms);
  }

  /** Returns the names of the keys since the last call. */
  keys(): readonly string[] {
    return namesIn(this.#stream);
  }
}

/** Returns the keys of bytes between `j` and `k` that arrive in two pieces. */
function cutKeys(bytes: Buffer, cut: number, gapMs: number): readonly string[] {
  const typing = new Typing();
  typing.send(Buffer.concat([Buffer.from("j"), bytes.subarray(0, cut)]), gapMs);
  typing.send(Buffer.concat([bytes.subarray(cut), Buffer.from("k")]));
  return typing.keys();
}

/** Gaps in milliseconds around the wait of 50 after an Esc byte. */
const gaps = [0, 3, 30, 49, 60, 300] as const;
const isAfterEscape = (gapMs: number) => gapMs > 50;

describe("a sequence of a terminal, cut at every byte, after every gap, is its key or nothing", () => {
  test.each(Object.entries(sequences))("%s", (_, rows) => {
    for (const [sequence, keys] of rows) {
      const bytes = Buffer.from(sequence);
      for (let cut = 0; cut <= bytes.length; cut++) {
        for (const gapMs of gaps) {
          // A single Esc byte is the key Esc. The rest of its sequence is dropped.
          const isEscape = cut === 1 && sequence.startsWith("\x1b") && isAfterEscape(gapMs);
          expect(
            cutKeys(bytes, cut, gapMs),
            `${JSON.stringify(sequence)} cut at ${cut}, ${gapMs} ms`,
          ) //
            .toEqual(["j", ...(isEscape ? ["esc"] : keys), "k"]);
        }
      }
    }
  });

  test("without a limit of time once its introducer has a continuation", () => {
    for (const [sequence] of Object.values(sequences).flat()) {
      const bytes = Buffer.from(sequence);
      const middle = Math.ceil((bytes.length + 2) / 2);
      if (middle < 3 || middle >= bytes.length) continue;
      expect(cutKeys(bytes, middle, 3_600_000), JSON.stringify(sequence)).toEqual(
        cutKeys(bytes, 0, 0),
      );
    }
  });

  test("bytes that are no UTF-8", () => {
    for (const [raw, keys] of rawBytes) {
      const bytes = Buffer.from(raw);
      for (let cut = 0; cut <= bytes.length; cut++) {
        const message = `${bytes.toString("hex")} cut at ${cut}`;
        expect(cutKeys(bytes, cut, 0), message).toEqual(["j", ...keys, "k"]);
      }
    }
  });

  test("characters, and Alt with a character", () => {
    for (const [text, keys] of [...characters, ...altCharacters]) {
      const bytes = Buffer.from(text);
      for (let cut = 0; cut <= bytes.length; cut++) {
        for (const gapMs of gaps) {
          const isEscape =
            cut === 1 && bytes.length > 1 && isAfterEscape(gapMs) && bytes[0] === 0x1b;
          const expected = isEscape ? ["esc", ...keys.map((key) => key.replace("alt-", ""))] : keys;
          if (isEscape && /[A-Z]/.test(text)) continue;
          expect(cutKeys(bytes, cut, gapMs), `${JSON.stringify(text)} cut at ${cut}, ${gapMs} ms`) //
            .toEqual(["j", ...expected, "k"]);
        }
      }
    }
  });

  test("Alt with a sequence, as rxvt sends it", () => {
    for (const [text, keys] of altSequences) {
      const bytes = Buffer.from(text);
      for (let cut = 0; cut <= bytes.length; cut++) {
        for (const gapMs of gaps) {
          const isLate = isAfterEscape(gapMs);
          const plain = keys.map((key) => key.replace("alt-", ""));
          const late = { 1: ["esc", ...plain], 2: ["esc", "esc"] }[cut];
          expect(cutKeys(bytes, cut, gapMs), `${JSON.stringify(text)} cut at ${cut}, ${gapMs} ms`) //
            .toEqual(["j", ...((isLate && late) || keys), "k"]);
        }
      }
    }
  });
});

test.each([
  [8, 25],
  [3, 30],
  [15, 30],
  [30, 40],
  [120, 130],
])("a held arrow in two pieces, %i ms apart and every %i ms, is only arrows", (gapMs, periodMs) => {
  const typing = new Typing();
  for (let press = 0; press < 40; press++) {
    typing.send("\x1b[", gapMs);
    typing.send("B", periodMs - gapMs);
  }
  expect(typing.keys()).toEqual(Array(40).fill("down"));
});

test("whatever follows whatever, in whatever pieces, each sequence is its own keys", () => {
  const rows = [
    ...Object.values(sequences).flat(),
    ...characters,
    ...altCharacters,
    ...altSequences,
  ];
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...rows), { minLength: 1, maxLength: 12 }),
      fc.array(fc.record({ size: fc.integer({ min: 1, max: 9 }), gapMs: fc.nat({ max: 40 }) })),
      (typed, pieces) => {
        const bytes = Buffer.from(typed.map(([sequence]) => sequence).join(""));
        const typing = new Typing();
        let at = 0;
        for (const { size, gapMs } of pieces) {
          typing.send(bytes.subarray(at, at + size), gapMs);
          at += size;
        }
        typing.send(bytes.subarray(at));
        expect(typing.keys()).toEqual(typed.flatMap(([, keys]) => keys));
      },
    ),
  );
});

test("no bytes after Esc and an introducer become characters, up to the end of the sequence", () => {
  const introducers = ["[", "[<", "[?", "[1;", "]", "]5", "P", "P1", "_", "^", "X", "[M"];
  fc.assert(
    fc.property(
      fc.constantFrom(...introducers),
      fc.array(fc.constantFrom(..."0123456789;:<=>?"), { minLength: 3, maxLength: 3_000 }),
      fc.nat(),
      (introducer, body, cut) => {
        const end = introducer.startsWith("[") ? "z" : "\x1b\\";
        const isMouse = introducer === "[M";
        const text = `\x1b${introducer}${isMouse ? body.slice(0, 3).join("") : body.join("") + end}`;
        const bytes = Buffer.from(text);
        expect(cutKeys(bytes, 2 + (cut % bytes.length), 30)).toEqual(["j", "k"]);
      },
    ),
  );
});

describe("the key Esc", () => {
  test("is a single byte without a continuation, and two of them are two keys", () => {
    const typing = new Typing();
    typing.send("\x1b", 60);
    expect(typing.keys()).toEqual(["esc"]);
    typing.send("\x1b\x1b", 60);
    expect(typing.keys()).toEqual(["esc", "esc"]);
  });

  test.each(["[", "]", "O", "P", "_", "OK", "PAYCO", "]x", "j", "2", "jj"])(
    "leaves %s after it to the screen",
    (text) => {
      for (const gapMs of [60, 300, 1_100]) {
        const typing = new Typing();
        typing.send("\x1b", gapMs);
        typing.send(text, 60);
        expect(typing.keys(), `${gapMs} ms`).toEqual(["esc", ...text]);
      }
    },
  );

  test("does not delay an interrupt", () => {
    const typing = new Typing();
    typing.send("\x1b\x03");
    expect(typing.keys()).toEqual(["ctrl-c"]);
  });
});

describe("an interrupt and Esc end what never ends", () => {
  test.each(["\x1b]11;rgb:", "\x1bP1$r", "\x1b[1;", "\x1b[M ", "\x1b_G", "\x1bXq", "\x1bO1;"])(
    "%j",
    (begun) => {
      const typing = new Typing();
      typing.send(begun, 5_000);
      typing.send("\x03j");
      expect(typing.keys()).toEqual(["ctrl-c", "j"]);
      typing.send(begun, 5_000);
      // A late terminator begins with an Esc byte, so that one alone is not the key yet.
      typing.send("\x1b", 60);
      typing.send("\x1b", 60);
      typing.send("j");
      expect(typing.keys().slice(-2)).toEqual(["esc", "j"]);
    },
  );
});

describe("a paste", () => {
  const content = "EXT-1\r\x1b[Aq\x1b]11;q\x07é\x1b[20";

  test("is one piece however it is cut, after every gap", () => {
    const bytes = Buffer.from(`\x1b[200~${content}\x1b[201~`);
    for (let cut = 0; cut <= bytes.length; cut++) {
      for (const gapMs of gaps) {
        const isEscape = cut === 1 && isAfterEscape(gapMs);
        const expected = isEscape ? ["esc"] : [`paste:${content}`];
        expect(cutKeys(bytes, cut, gapMs), `${cut}, ${gapMs} ms`).toEqual(["j", ...expected, "k"]);
      }
    }
  });

  test("that never ends is delivered in parts, and no part is keys", () => {
    const typing = new Typing();
    const half = "q\r".repeat(1024 * 1024);
    typing.send(`\x1b[200~${half}`);
    expect(typing.keys()).toEqual([]);
    typing.send(half);
    typing.send("s\r", 60_000);
    typing.send("\x1b[201~k");
    const keys = typing.keys();
    expect(keys.map((key) => key.slice(0, 6))).toEqual(["paste:", "paste:", "k"]);
    expect(keys.map((key) => key.replace("paste:", "")).join("")).toBe(`${half}${half}s\rk`);
  });
});

describe("after another program", () => {
  /** A stream that reclaims the terminal, and the end of the wait. */
  function reclaiming() {
    const input = Object.assign(new EventEmitter(), { setRawMode: () => {} });
    const stream = new KeyStream(input, () => {});
    const over = Promise.withResolvers<void>();
    const asked: string[] = [];
    stream.release();
    const reclaimed = stream.reclaim(
      (answered) => {
        answered.addEventListener("abort", () => over.reject(answered.reason));
        return over.promise;
      },
      () => asked.push("asked"),
    );
    const keys = () => namesIn(stream);
    return { input, reclaimed, over, asked, keys };
  }

  const owed = ["q:wq\r", "|Konsole 23.08.1\x1b\\", "\x1b[200~text\r", "\x1bP1$r2 q\x1b\\", "\x1b"];

  test.each(owed)(
    "%j before the answer of the terminal is dropped, keys after it are kept",
    async (text) => {
      const bytes = Buffer.from(`${text}\x1b[?62;22cj`);
      for (let cut = 0; cut <= bytes.length; cut++) {
        const { input, reclaimed, asked, keys } = reclaiming();
        input.emit("data", bytes.subarray(0, cut));
        input.emit("data", bytes.subarray(cut));
        await reclaimed;
        expect(asked).toEqual(["asked"]);
        input.emit("data", Buffer.from("k"));
        expect(keys(), `cut at ${cut}`).toEqual(["j", "k"]);
      }
    },
  );

  test("a terminal that does not answer is not waited for, and a late answer is no key", async () => {
    const { input, reclaimed, over, keys } = reclaiming();
    input.emit("data", Buffer.from("q\x1b[?6"));
    over.resolve();
    await over.promise;
    await Promise.all([reclaimed, Promise.resolve().then(() => pass(0))]);
    input.emit("data", Buffer.from("2;22c"));
    input.emit("data", Buffer.from("j\x1b[?62;22ck"));
    expect(keys()).toEqual(["j", "k"]);
  });
});
