import { expect, test } from "vitest";
import { liveBlock } from "../../src/commands/watch/live-block.ts";
import { type LiveRow, liveLines, rowLines } from "../../src/commands/watch/live-lines.ts";
import { accountStatusWords } from "../../src/text/describe-status.ts";
import { widthOf } from "../../src/text/width.ts";
import { Display } from "../helpers/display.ts";

/** A block on a terminal that a prompt stands on already. */
async function setUp(cols = 40, rows = 8) {
  const display = new Display(cols, rows, () => {});
  const written: string[] = [];
  const block = liveBlock((text) => {
    written.push(text);
    display.feed(text.replaceAll("\n", "\r\n"));
  });
  display.feed("$ watch\r\n");
  const shows = async (...lines: string[]) => {
    await display.waitFor((text) => text.trimEnd() === lines.join("\n"), {
      describe: JSON.stringify(lines),
    });
  };
  return { block, written, shows, display };
}

test("lines are drawn over in place, and only those that changed are written", async () => {
  const { block, written, shows } = await setUp();
  block.draw(["one", "two", "three"]);
  await shows("$ watch", "one", "two", "three");
  block.draw(["one", "2", "three"]);
  await shows("$ watch", "one", "2", "three");
  expect(written.at(-1)).not.toContain("three");
  const before = written.length;
  block.draw(["one", "2", "three"]);
  expect(written).toHaveLength(before);
  block.draw(["one"]);
  await shows("$ watch", "one");
  block.draw(["one", "more"]);
  await shows("$ watch", "one", "more");
});

test("at the lower edge the screen scrolls, and what stood above goes up with it", async () => {
  const { block, shows } = await setUp(40, 4);
  block.draw(["one"]);
  block.draw(["1", "2", "3"]);
  await shows("1", "2", "3");
  block.draw(["1", "two", "3"]);
  await shows("1", "two", "3");
});

test("it can be taken away, left behind, or restarted on a clear screen", async () => {
  const { block, shows } = await setUp();
  block.draw(["one", "two"]);
  block.clear();
  await shows("$ watch");
  block.draw(["one"]);
  block.leave();
  block.draw(["anew"]);
  await shows("$ watch", "one", "anew");
  block.startOver();
  block.draw(["alone"]);
  await shows("alone");
});

const row = (id: string, kind: LiveRow["kind"], status = "IN_PROGRESS"): LiveRow => ({
  id,
  kind,
  words: accountStatusWords(status),
  since: 0,
  first: false,
  note: "A-1234",
});
const plain = { columns: 80, rows: 24, ascii: false, colour: false };

test("no line is as wide as the terminal, whatever is in it, not counting colors", () => {
  const rows = [
    row("E".repeat(70), "failing"),
    row("日本".repeat(20), "open"),
    row("E\u001b[2J", "done"),
  ];
  for (const columns of [20, 33, 60, 80, 200]) {
    for (const colour of [true, false]) {
      for (const line of liveLines(rows, () => "x".repeat(300), { ...plain, columns, colour })) {
        const bare = line.replaceAll(/\u001b\[\d+m/g, "");
        expect(bare).not.toContain("\u001b");
        expect(widthOf(bare)).toBeLessThan(columns);
      }
    }
  }
});

test("where there is no room for all, what ended badly and what fails is shown, and the rest counted", () => {
  const rows = [
    ...Array.from({ length: 30 }, (_, n) => row(`DONE-${n}`, "done", "COMPLETED")),
    row("OPEN", "open"),
    row("BAD", "ended", "UNKNOWN"),
    row("DOWN", "failing"),
  ];
  const lines = liveLines(rows, (hidden) => `${hidden} not shown`, { ...plain, rows: 6 });
  expect(lines.map((line) => line.split(" ")[0])).toEqual(["BAD", "DOWN", "OPEN", "DONE-0", "29"]);
  expect(rowLines(rows, plain)).toHaveLength(33);
});

test("without colors the mark is enough, without Unicode a letter", () => {
  const [line] = rowLines([row("E", "ended", "UNKNOWN")], plain);
  expect(line).toMatch(/^E {2}✗ UNKNOWN/);
  const [ascii] = rowLines([row("E", "ended", "UNKNOWN")], { ...plain, ascii: true });
  expect(ascii).toMatch(/^[\x20-\x7e]*$/);
});
