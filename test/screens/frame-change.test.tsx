/** Frames as changes beside the same frames as Ink writes them: the same terminal in every cell. */
import { Box, render, Text, useCursor } from "ink";
import { createElement, type ReactNode } from "react";
import { changeOf } from "../../src/screens/shell/frame-change.ts";
import { frameOutput } from "../../src/screens/shell/frame-output.ts";
import { Display } from "../helpers/display.ts";
import * as fc from "../helpers/fast-check.ts";
import { TerminalOutput } from "../helpers/terminal-streams.ts";

const cols = 24;
const rows = 9;

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A terminal that gets frames as Ink writes them, or as changes. */
class Side {
  readonly display = new Display(cols, rows, () => {});
  readonly output = new TerminalOutput(cols, rows, (chunk) => {
    this.bytes += chunk.length;
    this.display.feed(chunk);
  });
  bytes = 0;
  readonly stdout: NodeJS.WriteStream;

  constructor(options: { readonly term?: string; readonly ascii?: boolean } | null) {
    const stdout = this.output as unknown as NodeJS.WriteStream;
    this.stdout = options ? frameOutput(stdout, options).stdout : stdout;
    ends.push(() => this.display.dispose());
  }

  /** Lines as they look, each followed by its styles; a cell never written looks like a blank. */
  async cells(): Promise<string[]> {
    await this.display.end("looked at");
    return Array.from({ length: this.display.rows }, (_, row) => {
      const cells = Array.from({ length: this.display.cols }, (_, col) =>
        this.display.cell(row, col),
      );
      const styles = cells.map(({ chars, width, ...style }, col) => ({ col, ...style }));
      const styled = styles.filter(
        ({ col, ...style }) => JSON.stringify(style) !== JSON.stringify(plainCell),
      );
      return [...cells.map(({ chars }) => chars || " "), JSON.stringify(styled)].join("");
    });
  }
}

const plainCell = {
  fg: "default",
  bg: "default",
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
  strikethrough: false,
};

/** The plain way and the other one, and what proves them equal. */
function sides(options: { readonly term?: string; readonly ascii?: boolean } = {}) {
  const plain = new Side(null);
  const changed = new Side(options);
  return {
    plain,
    changed,
    write: (text: string) => {
      plain.stdout.write(text);
      changed.stdout.write(text);
    },
    /** The cursor. Only its row counts if it is hidden: Ink continues from there. */
    async expectEqual(isCursorShown = false) {
      expect(await changed.cells()).toEqual(await plain.cells());
      const cursor = (side: Side) =>
        isCursorShown ? side.display.cursor() : side.display.cursor().row;
      expect(cursor(changed)).toEqual(cursor(plain));
    },
  };
}

/** A frame as Ink writes it over one of `before` lines. */
function overwriting(before: number, lines: readonly string[]): string {
  const erased = Array.from({ length: before }, () => "\x1b[2K").join("\x1b[1A");
  return `${erased}${before > 0 ? "\x1b[G" : ""}${lines.join("\n")}`;
}

const enter = "\x1b[?1049h\x1b[H";
const styled = (text: string, on: string, off: string) => `\x1b[${on}m${text}\x1b[${off}m`;
const listRow = (n: number, isSelected: boolean) =>
  isSelected
    ? `${styled("▌", "1", "22")}${styled(`EXT-${n} pending ${n % 7} h`, "7", "27")}`
    : `  EXT-${n} ${styled(n % 3 ? "pending" : "imported", n % 3 ? "33" : "32", "39")} ${n % 7} h`;

/** A table from `first` on in the rows between a header and a footer. */
function table(first: number, selected: number, note = "", top = 2, bottom = 2): string[] {
  const list = Array.from({ length: rows - top - bottom }, (_, at) =>
    listRow(first + at, at === selected),
  );
  const header = Array.from({ length: top }, (_, at) => (at ? "" : "Accounts"));
  const footer = Array.from({ length: bottom }, (_, at) =>
    at ? styled("q quit", "2", "22") : `${first + selected} of 99 ${note}`,
  );
  return [...header, ...list, ...footer];
}

describe("cells of many styles", () => {
  const style = fc.record({
    text: fc.constantFrom("ab", "c", "  ", "▌"),
    color: fc.constantFrom("", "31", "33", "92", "38;5;28", "38;5;33", "38;5;130"),
    shade: fc.constantFrom("", "48;5;237", "48;5;31", "41"),
    weight: fc.constantFrom("", "1", "2", "7"),
  });
  const line = fc.array(style, { maxLength: 8 }).map((pieces) =>
    pieces
      .map(({ text, color, shade, weight }) => {
        const codes = [weight, shade, color].filter((code) => code !== "");
        return codes.length === 0 ? text : `\x1b[${codes.join(";")}m${text}\x1b[m`;
      })
      .join(""),
  );

  test("cells are drawn correctly after any earlier style", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(line, line), { minLength: 2, maxLength: 5 }),
        async (frames) => {
          const { write, expectEqual } = sides();
          write(`${enter}${overwriting(0, ["", ""])}`);
          for (const lines of frames) {
            write(overwriting(2, lines));
            await expectEqual();
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test("that differ in their color alone keep the shade behind them", () => {
    const shade = (text: string, color: string) =>
      `\x1b[48;5;237m\x1b[${color}m${text}\x1b[39m\x1b[49m`;
    const next = `${shade("one", "33")}\x1b[48;5;237m two\x1b[49m`;
    const change = changeOf([""], [next], { columns: cols, scrolls: false }) ?? "";
    expect(change).toContain("one\x1b[39m two");
  });
});

describe("a list that scrolls", () => {
  test.each([
    ["in a region of the terminal", "xterm-256color", true],
    ["line by line, on a terminal without regions", "ansi", false],
  ])("a scrolled list equals a full redraw: %s", async (_, term, hasRegions) => {
    const { plain, changed, write, expectEqual } = sides({ term });
    let sequences = "";
    write(`${enter}${overwriting(0, table(1, 4))}`);
    const firsts = [2, 3, 4, 3, 2, 1, 6, 11, 12, 8, 1, 30, 31];
    for (const first of firsts) {
      const before = changed.display.bytes().length;
      write(overwriting(rows, table(first, first % 5)));
      await expectEqual();
      sequences += changed.display.bytes().slice(before);
    }
    expect(/\x1b\[\d+;\d+r/.test(sequences)).toBe(hasRegions);
    expect(changed.bytes).toBeLessThan(plain.bytes * 0.7);
  });

  test("looks the same beside a pane that stays, and with lines that stand there twice", async () => {
    const { write, expectEqual } = sides();
    const frame = (first: number) =>
      table(first, 2).map((line, at) => (at === 3 || at === 4 ? `${line}│ ${at}` : line));
    write(`${enter}${overwriting(0, frame(1))}`);
    for (const lines of [
      frame(2),
      frame(3),
      table(9, 0).fill("same", 3, 7),
      frame(4),
      table(5, 1),
    ]) {
      write(overwriting(rows, lines));
      await expectEqual();
    }
  });

  test("survives a resize between two of its lines, and is whole again after it", async () => {
    const { plain, changed, write, expectEqual } = sides();
    write(`${enter}${overwriting(0, table(1, 4))}`);
    write(overwriting(rows, table(2, 4)));
    // The terminal is smaller before the program knows, and the next line is already on its way.
    for (const side of [plain, changed]) side.display.resize(cols - 4, rows - 2);
    write(overwriting(rows, table(3, 4)));
    for (const side of [plain, changed]) side.output.setSize(cols - 4, rows - 2);
    // As the console does at a resize: cleared, and drawn from the corner.
    write("\x1b[2J\x1b[H");
    write(overwriting(0, table(3, 2).slice(2)));
    await expectEqual();
    write(overwriting(rows - 2, table(4, 2).slice(2)));
    await expectEqual();
  });
});

const pieces = fc.constantFrom(
  ...["EXT-1", "     ", "▌", "…", "日本", "é", "e\u0301", "👩‍🚀", "a", "", "x".repeat(cols - 2)],
  ...[
    "\x1b[1m",
    "\x1b[22m",
    "\x1b[31m",
    "\x1b[39m",
    "\x1b[7m",
    "\x1b[27m",
    "\x1b[38;5;99m",
    "\x1b[0m",
  ],
);
const lines = fc.oneof(
  fc.array(pieces, { maxLength: 4 }).map((parts) => `${cut(parts.join(""))}\x1b[0m`),
  fc.integer({ min: 1, max: 12 }).map((n) => listRow(n, n % 5 === 0)),
);
const cut = (line: string) => (line.replace(/\x1b\[[\d;]*m/g, "").length > cols - 8 ? "cut" : line);
const frames = fc.array(
  fc.oneof(
    fc.array(lines, { minLength: rows, maxLength: rows }),
    fc
      .tuple(fc.nat(20), fc.nat(5), fc.nat(3), fc.nat(3))
      .map(([first, selected, top, bottom]) => table(first, selected, "", top, bottom)),
  ),
  { minLength: 2, maxLength: 8 },
);

test("an incremental frame equals a full redraw", async () => {
  await fc.assert(
    fc.asyncProperty(frames, async (drawn) => {
      const { write, expectEqual } = sides();
      write(enter);
      for (const [at, frame] of drawn.entries()) {
        write(overwriting(at === 0 ? 0 : rows, frame));
        await expectEqual();
      }
    }),
    { numRuns: 60 },
  );
});

test("a frame is redrawn completely after another program wrote", async () => {
  const { write, expectEqual } = sides();
  write(`${enter}${overwriting(0, table(1, 4))}`);
  for (const other of ["a line\nfrom elsewhere\n", "\x1b[2J\x1b[H", "\x1b]52;c;QQ==\x07"]) {
    write(overwriting(rows, []));
    write(other);
    write(overwriting(0, table(2, 4)));
    await expectEqual();
    write(overwriting(rows, table(3, 4)));
    await expectEqual();
  }
});

test("lines wider than the terminal are drawn as Ink draws them", async () => {
  const { write, expectEqual } = sides();
  const wide = (first: number) => table(first, 2).with(4, "x".repeat(cols + 3));
  write(`${enter}${overwriting(0, wide(1))}`);
  for (const lines of [wide(2), table(3, 2), wide(4)]) {
    write(overwriting(rows, lines));
    await expectEqual();
  }
});

test("a frame smaller than the terminal stays where it began", async () => {
  const { plain, changed, write, expectEqual } = sides();
  write("$ supplyline\n");
  write(`${overwriting(0, ["one", "two"])}\n`);
  write(`${overwriting(3, ["one", "three"])}\n`);
  await expectEqual();
  expect(changed.bytes).toBe(plain.bytes);
});

describe("as Ink draws it", () => {
  function drawn(element: (first: number, cursor: number | null) => ReactNode) {
    const both = sides();
    const inks = [both.plain, both.changed].map((side) => {
      const ink = render(element(1, null), {
        stdout: side.stdout,
        interactive: true,
        alternateScreen: true,
        patchConsole: false,
        exitOnCtrlC: false,
      });
      ends.push(() => ink.unmount());
      return ink;
    });
    const draw = async (first: number, cursor: number | null) => {
      for (const ink of inks) {
        ink.rerender(element(first, cursor));
        await ink.waitUntilRenderFlush();
      }
      await both.expectEqual(cursor !== null);
    };
    return { ...both, draw };
  }

  function Screen({ first, cursor }: { readonly first: number; readonly cursor: number | null }) {
    const { setCursorPosition } = useCursor();
    setCursorPosition(cursor === null ? undefined : { x: cursor, y: 1 });
    return (
      <Box flexDirection="column" height={rows}>
        <Text bold>Accounts</Text>
        {Array.from({ length: rows - 2 }, (_, at) => first + at).map((number) => (
          <Text key={number} inverse={number === first + 3} dimColor={number % 2 === 0}>
            EXT-{number}
          </Text>
        ))}
        <Text dimColor>{first} of 99</Text>
      </Box>
    );
  }

  test("frames are recognized, scroll and keep the cursor where a form shows it", async () => {
    const { plain, changed, draw } = drawn((first, cursor) =>
      createElement(Screen, { first, cursor }),
    );
    const before = { plain: plain.bytes, changed: changed.bytes };
    for (const first of [2, 3, 4, 9, 8]) await draw(first, null);
    for (const cursor of [3, 5, null, 2]) await draw(8, cursor);
    for (const first of [9, 10]) await draw(first, 4);
    await draw(11, null);
    expect(changed.bytes - before.changed).toBeLessThan((plain.bytes - before.plain) * 0.6);
  });
});
