/** The parser that the proofs of the terminal gate stand on. */
import { attacks } from "./attacks.ts";
import { foreign, takeApart, unseen } from "./terminal-bytes.ts";

test("what the console draws with is its own", () => {
  expect(
    foreign("\u001b[?2026h\u001b[2J\u001b[H\u001b[1m\u001b[36mA\u001b[39m\r\n\u001b[3;1H\u001b[K"),
  ).toEqual([]);
});

test.each([
  ["a color that is not ours", "\u001b[38;5;196m"],
  ["a title", "\u001b]0;owned\u0007"],
  ["a link", "\u001b]8;;http://evil.example\u001b\\"],
  ["a clipboard", "\u001b]52;c;eA==\u0007"],
  ["a device control string", "\u001bP1$r0m\u001b\\"],
  ["a mode", "\u001b[?1000h"],
  ["a C1 introducer", "\u009b31m"],
  ["a bell", "\u0007"],
  ["a backspace", "\b"],
  ["a reset", "\u001bc"],
  ["a string that never ends", "\u001b]0;owned"],
  ["a lone escape at the end", "\u001b"],
])("%s is foreign", (_what, bytes) => {
  expect(foreign(`a${bytes}`)).toHaveLength(1);
  expect(
    takeApart(`a${bytes}`)
      .map((piece) => piece.bytes)
      .join(""),
  ).toBe(`a${bytes}`);
});

test.each(Object.entries(attacks))("%s would be seen", (_what, payload) => {
  expect(foreign(payload).length > 0 || unseen.test(payload)).toBe(true);
});
