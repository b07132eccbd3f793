import { EventEmitter } from "node:events";
import { inkInput } from "../../src/keys/key-name.ts";
import { KeyStream } from "../../src/keys/key-stream.ts";

/** A terminal's input, as far as the stream uses it. */
class Input extends EventEmitter {
  raw = false;
  setRawMode(mode: boolean): void {
    this.raw = mode;
  }
}

/** The keys with these names, as the stream delivers them. */
const keysNamed = (...names: readonly string[]) => names.map(inkInput);

/** Feeds pieces and gathers what comes out until as many keys came as are wanted. */
async function keysOf(pieces: readonly (string | Buffer)[], wanted: number): Promise<string[]> {
  const input = new Input();
  const stream = new KeyStream(input, () => {});
  const keys: string[] = [];
  const enough = new Promise<void>((resolve) => {
    stream.on("data", (key: string) => {
      keys.push(key);
      if (keys.length === wanted) resolve();
    });
  });
  for (const piece of pieces) input.emit("data", piece);
  await enough;
  return keys;
}

test("what was typed for another program is dropped, also when a busy machine reads it late", async () => {
  const input = new Input();
  const stream = new KeyStream(input, () => {});
  const keys: string[] = [];
  stream.on("data", (key: string) => keys.push(key));
  stream.release();
  const back = stream.reclaim(async () => {});
  // The pause is over already, and only now the input is looked at.
  setImmediate(() => input.emit("data", "q"));
  await back;
  input.emit("data", "j");
  await new Promise((resolve) => setImmediate(resolve));
  expect(keys).toEqual(["j"]);
});

describe("keys from a slow link", () => {
  test("come one at a time although they arrived together", async () => {
    expect(await keysOf(["jjj"], 3)).toEqual(["j", "j", "j"]);
    expect(await keysOf(["ab\r"], 3)).toEqual(keysNamed("a", "b", "enter"));
  });

  test("a pasted number that the terminal does not mark is a paste outside fields, else keys", async () => {
    const input = new Input();
    const stream = new KeyStream(input, () => {});
    let isTyping = true;
    stream.whileTyping(() => isTyping);
    const keys: string[] = [];
    stream.on("data", (key: string) => keys.push(key));
    input.emit("data", "EXT-0001\r");
    await vi.waitFor(() => expect(keys).toEqual(keysNamed(..."EXT-0001", "enter")));
    isTyping = false;
    input.emit("data", "EXT-0002\r");
    await vi.waitFor(() => expect(keys.at(-1)).toBe("\x1b[200~EXT-0002\r\x1b[201~"));
  });

  test("keep escape sequences and characters whole", async () => {
    expect(await keysOf(["j\x1b[Bk\x1b[5~\x1bOHé😀"], 7)).toEqual(
      keysNamed("j", "down", "k", "page-up", "home", "é", "😀"),
    );
  });

  test("join a sequence that was cut anywhere, and keep Alt with a letter whole", async () => {
    const sequence = "\x1b[1;5D";
    for (let cut = 2; cut < sequence.length; cut++) {
      const pieces = [`j${sequence.slice(0, cut)}`, `${sequence.slice(cut)}k`];
      expect(await keysOf(pieces, 3), `cut at ${cut}`).toEqual(keysNamed("j", "ctrl-left", "k"));
    }
    expect(await keysOf(["\x1bb\x1bf\x1b\x7f\x1b\r\x1bOd"], 5)).toEqual(
      keysNamed("alt-b", "alt-f", "alt-backspace", "alt-enter", "ctrl-left"),
    );
  });

  test("do not wait for ever for the rest of Alt-[, which has none and is no key", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate"] });
    try {
      const input = new Input();
      const stream = new KeyStream(input, () => {});
      const first = new Promise<string>((resolve) => stream.once("data", resolve));
      input.emit("data", "\x1b[");
      vi.advanceTimersByTime(1_010);
      input.emit("data", "x");
      expect(await first).toBe("x");
    } finally {
      vi.useRealTimers();
    }
  });

  test("join a character whose bytes came in two pieces", async () => {
    const bytes = Buffer.from("é");
    expect(await keysOf([bytes.subarray(0, 1), bytes.subarray(1)], 1)).toEqual(["é"]);
  });

  test("a paste whose end was lost does not swallow Ctrl-C", async () => {
    expect(await keysOf(["\x1b[200~half of it", "jjj", "\x03", "j"], 2)).toEqual(
      keysNamed("ctrl-c", "j"),
    );
    // Within a piece it is pasted text.
    const pasted = "\x1b[200~a\x03b\x1b[201~";
    expect(await keysOf([pasted, "j"], 2)).toEqual([pasted, "j"]);
  });

  test("Esc right before a paste is the key Esc, and the paste stays a paste", async () => {
    const paste = "\x1b[200~EXT-1~once\x1b[201~";
    const whole = `\x1b${paste}`;
    for (let cut = 1; cut < whole.length; cut++)
      expect(await keysOf([whole.slice(0, cut), whole.slice(cut)], 2)).toEqual([
        ...keysNamed("esc"),
        paste,
      ]);
  });

  test("hand over a paste in one piece, however it arrived", async () => {
    const paste = "\x1b[200~EXT-1\nEXT-2\x1b[201~";
    expect(await keysOf(["x", paste, "y"], 3)).toEqual(["x", paste, "y"]);
    for (let cut = 3; cut < paste.length; cut++) {
      const pieces = [paste.slice(0, cut), `${paste.slice(cut)}y`];
      expect(await keysOf(pieces, 2), `cut at ${cut}`).toEqual([paste, "y"]);
    }
  });

  test("are dropped while another program owns the terminal", async () => {
    const input = new Input();
    const stream = new KeyStream(input, () => {});
    const keys: string[] = [];
    const last = new Promise<void>((resolve) => {
      stream.on("data", (key: string) => {
        keys.push(key);
        resolve();
      });
    });
    stream.dropKeys();
    input.emit("data", "typed into an editor");
    await stream.reclaim(async () => {});
    input.emit("data", "k");
    await last;
    expect(keys).toEqual(["k"]);
  });

  test("end with the terminal: a hang-up is reported when it happens", () => {
    const input = new Input();
    let hungUp = 0;
    new KeyStream(input, () => hungUp++);
    input.emit("end");
    expect(hungUp).toBe(1);
  });
});

describe("keys for a reader that is not there yet", () => {
  test("wait, and come in the order they were typed when the last hold is released", async () => {
    const input = new Input();
    const stream = new KeyStream(input, () => {});
    const keys: string[] = [];
    const last = new Promise<void>((resolve) => {
      stream.on("data", (key: string) => {
        keys.push(key);
        if (key === "d") resolve();
      });
    });
    const first = stream.hold();
    const second = stream.hold();
    input.emit("data", "ab");
    first();
    first();
    input.emit("data", "c");
    await new Promise((resolve) => setImmediate(resolve));
    expect(keys).toEqual([]);
    second();
    input.emit("data", "d");
    await last;
    expect(keys).toEqual(["a", "b", "c", "d"]);
  });

  test("are held between two that arrived together", async () => {
    const input = new Input();
    const stream = new KeyStream(input, () => {});
    const keys: string[] = [];
    const release = new Promise<() => void>((resolve) => {
      stream.on("data", (key: string) => {
        keys.push(key);
        if (key === "a") resolve(stream.hold());
      });
    });
    input.emit("data", "abc");
    const letGo = await release;
    await new Promise((resolve) => setImmediate(resolve));
    expect(keys).toEqual(["a"]);
    const all = new Promise<void>((resolve) => {
      stream.on("data", (key: string) => key === "c" && resolve());
    });
    letGo();
    await all;
    expect(keys).toEqual(["a", "b", "c"]);
  });

  test("do not keep an interrupt waiting; what was typed before it is dropped", async () => {
    const input = new Input();
    const stream = new KeyStream(input, () => {});
    const keys: string[] = [];
    const done = new Promise<void>((resolve) => {
      stream.on("data", (key: string) => {
        keys.push(key);
        if (key === "z") resolve();
      });
    });
    const letGo = stream.hold();
    input.emit("data", "ab\x03");
    input.emit("data", "z");
    await new Promise((resolve) => setImmediate(resolve));
    expect(keys).toEqual(keysNamed("ctrl-c"));
    letGo();
    await done;
    expect(keys).toEqual(keysNamed("ctrl-c", "z"));
  });
});

describe("what the terminal answers", () => {
  const white = "\x1b]11;rgb:ffff/ffff/ffff";

  test.each([
    ["ended by a bell", [`j${white}\x07k`]],
    ["ended by a string terminator", [`j${white}\x1b\\k`]],
    ["in pieces", ["j\x1b]1", "1;rgb:ffff/ff", "ff/ffff\x1b", "\\k"]],
  ])("is no key, %s", async (_, pieces) => {
    const input = new Input();
    const answers: string[] = [];
    const stream = new KeyStream(
      input,
      () => {},
      (answer) => answers.push(answer),
    );
    const keys: string[] = [];
    const enough = new Promise<void>((resolve) => {
      stream.on("data", (key: string) => {
        keys.push(key);
        if (key === "k") resolve();
      });
    });
    for (const piece of pieces) input.emit("data", piece);
    await enough;
    expect(keys).toEqual(["j", "k"]);
    expect(answers).toHaveLength(1);
    expect(answers[0]?.startsWith(white)).toBe(true);
  });
});
