import { frameOutput } from "../../src/screens/shell/frame-output.ts";
import { Display } from "../helpers/display.ts";

/** A terminal's output that keeps what is written to it. */
function output() {
  const written: string[] = [];
  const stdout = {
    columns: 80,
    isTTY: true,
    write(chunk: string) {
      written.push(chunk);
      return true;
    },
    width() {
      return this.columns;
    },
  };
  return { written, ...frameOutput(stdout as unknown as NodeJS.WriteStream), inner: stdout };
}

test("is in all else the terminal's output, also as it changes", () => {
  const { stdout, inner } = output();
  inner.columns = 132;
  expect(stdout.columns).toBe(132);
  expect((stdout as unknown as typeof inner).width()).toBe(132);
});

test("lets nothing but ASCII through to a terminal that shows no more, whoever wrote it", () => {
  const written: string[] = [];
  const write = (chunk: string) => written.push(chunk) > 0;
  const { stdout } = frameOutput({ write } as unknown as NodeJS.WriteStream, { ascii: true });
  stdout.write("\x1b[1mZoë│東京\x1b[E");
  expect(written).toEqual(["\x1b[1mZo?|????\x1b[E"]);
});

test("the screen is cleared if the terminal has no alternate screen", async () => {
  const { written, stdout } = output();
  stdout.write("\x1b[?1049l");
  const display = new Display(20, 3, () => {});
  // Without the sequence itself, as on a terminal that does not know it.
  display.feed(`1\r\n2\r\nq quit${written.join("").replace("\x1b[?1049l", "")}$ `);
  await display.end("done");
  expect(display.screen()).toEqual(["$", "", ""]);
});

test("begins at the edge, whatever the terminal has echoed before the first frame", async () => {
  const { written, stdout } = output();
  stdout.write("\x1b[?1049h");
  stdout.write("Suppliers");
  const display = new Display(20, 3, () => {});
  display.feed(`n${written.join("")}`);
  await display.end("done");
  expect(display.screen()).toEqual(["Suppliers", "", ""]);
});

test("the alternate screen is left only once", () => {
  const { written, stdout } = output();
  for (const sequence of [
    "\x1b[?1049h",
    "\x1b[?1049l",
    "\x1b[?1049l",
    "\x1b[?1049h",
    "\x1b[?1049l",
  ])
    stdout.write(sequence);
  const leave = "\x1b[H\x1b[J\x1b[?1049l";
  expect(written).toEqual(["\x1b[?1049h\r", leave, "", "\x1b[?1049h\r", leave]);
});

test("writes a frame in one piece", () => {
  const { written, stdout } = output();
  for (const part of ["\x1b[?2026h", "Suppliers", "\x1b[?25l", "\x1b[?2026l", "\x07"])
    stdout.write(part);
  expect(written).toEqual(["\x1b[?2026hSuppliers\x1b[?25l\x1b[?2026l", "\x07"]);
});

test("writes a frame that is never closed, and nothing before it", async () => {
  const { written, stdout } = output();
  stdout.write("\x1b[?2026h");
  stdout.write("half of it");
  expect(written).toEqual([]);
  await Promise.resolve();
  expect(written).toEqual(["\x1b[?2026hhalf of it"]);
  stdout.write("more");
  expect(written).toEqual(["\x1b[?2026hhalf of it", "more"]);
});

test("writes what must be reported as written at once, behind what was there before", () => {
  const { written, stdout } = output();
  stdout.write("\x1b[?2026h");
  stdout.write("frame");
  stdout.write("report", () => {});
  stdout.write("\x1b[?2026l");
  expect(written).toEqual(["\x1b[?2026hframe", "report", "\x1b[?2026l"]);
});

test("the output tracks if the alternate screen is active", () => {
  const { stdout, isOwnScreen } = output();
  const seen = ["", "\x1b[?1049h", "frame", "\x1b[?1049l", "\x1b[?1049h"].map((sequence) => {
    stdout.write(sequence);
    return isOwnScreen();
  });
  expect(seen).toEqual([false, true, true, false, true]);
});
