import { alertSequence } from "../../src/text/osc.ts";
import { HOSTILE } from "./hostile.ts";

test("a bell, and a notice that the terminal shows outside its window", () => {
  expect(alertSequence("EXT-1 COMPLETED", { TERM: "xterm-256color" })).toBe(
    "\u0007\u001b]9;supplyline: EXT-1 COMPLETED\u0007",
  );
});

test("in tmux the bell is for tmux, the notice goes through it", () => {
  for (const env of [{ TERM: "tmux-256color" }, { TERM: "screen-256color", TMUX: "/tmp/t,1,0" }])
    expect(alertSequence("E", env)).toBe(
      "\u0007\u001bPtmux;\u001b\u001b]9;supplyline: E\u0007\u001b\\",
    );
});

test("GNU screen passes the notice on in a string of its own", () => {
  expect(alertSequence("E", { TERM: "screen" })).toBe(
    "\u0007\u001bP\u001b]9;supplyline: E\u0007\u001b\\",
  );
});

test.each(["linux", "vt100", "dumb", undefined])(
  "a terminal like %s gets the bell alone",
  (TERM) => {
    expect(alertSequence("E", { TERM })).toBe("\u0007");
  },
);

test("nothing in the text can end the sequence or begin another, and it is kept short", () => {
  for (const text of Object.values(HOSTILE)) {
    const sequence = alertSequence(text.repeat(50), { TERM: "xterm" });
    const inner = sequence.slice("\u0007\u001b]9;".length, -1);
    expect(inner).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
    expect([...inner].length).toBeLessThan(1_000);
  }
});
