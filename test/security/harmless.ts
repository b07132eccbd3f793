/** Checks that every output of untrusted text passes. */
import type { Console } from "../helpers/console.ts";
import type { CliResult } from "../helpers/process.ts";
import { attacks, misfits } from "./attacks.ts";
import { foreign, takeApart, unseen } from "./terminal-bytes.ts";

/** Every payload by what it is. */
export const everyPayload = Object.entries({ ...attacks, ...misfits });

/** All of them in one text, as UTF-8 can carry it. */
export const everything = everyPayload.map(([, payload]) => payload.toWellFormed()).join(" ");

/** The sequence of a clipboard, which the console writes for a copy. */
export const clipboard = /^\u001b\]52;c;[A-Za-z0-9+/=]*\u0007$/;

/** The bell and the notice of something watched. */
export const notice =
  /^\u0007$|^\u001b\]9;supplyline: Watch: [^\u0000-\u001f\u007f-\u009f]*\u0007$/;

/** Checks that the output has only the console's own sequences, and no invisible character. */
export function expectHarmless(terminal: Console, also: readonly RegExp[] = []): void {
  const bytes = terminal.bytes();
  expect(bytes.length).toBeGreaterThan(100);
  expect(foreign(bytes, also)).toEqual([]);
  const text = takeApart(bytes).filter(({ kind }) => kind === "text");
  expect(text.filter((piece) => unseen.test(piece.bytes)).map((piece) => piece.bytes)).toEqual([]);
  expect(terminal.title()).toBe("");
}

/**
 * The same of a command's two streams. Line feeds are the commands' own; nothing else that a terminal
 * obeys may be there.
 */
export function expectHarmlessOutput(
  { stdout, stderr }: Pick<CliResult, "stdout" | "stderr">,
  lineEnd = /\n/g,
): void {
  expect(stdout + stderr).not.toBe("");
  for (const text of [stdout.replace(lineEnd, ""), stderr.replaceAll("\n", "")]) {
    expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
    expect(text.match(unseen)).toBeNull();
  }
}

/** The columns at which a text stands in the rows that hold it; the pane beside a list is left out. */
export function columnsOf(terminal: Console, text: string): number[] {
  const found: number[] = [];
  for (let row = 0; row < terminal.rows; row++) {
    for (let col = 0; col + text.length <= terminal.cols; col++) {
      if (terminal.cell(row, col).chars === "│") break;
      const cells = Array.from(text, (_, at) => terminal.cell(row, col + at).chars).join("");
      if (cells === text) found.push(col);
    }
  }
  return found;
}

/** Ends the console by its key; a fault would end it with another code. */
export async function leave(terminal: Console): Promise<void> {
  terminal.press("q");
  expect(await terminal.exit).toMatchObject({ code: 0 });
}
