import { osc52 } from "../../src/text/osc.ts";
import { nearest } from "../../src/text/suggest.ts";
import { textTable } from "../../src/text/table.ts";
import { widthOf } from "../../src/text/width.ts";
import { HOSTILE } from "./hostile.ts";

describe("clipboard sequence", () => {
  test("carries the text in base64, exactly", () => {
    expect(osc52("EXT-1 é", {})).toBe("\u001b]52;c;RVhULTEgw6k=\u0007");
    for (const text of Object.values(HOSTILE).filter((hostile) => hostile.isWellFormed())) {
      const payload = /^\u001b\]52;c;([A-Za-z0-9+/=]*)\u0007$/.exec(osc52(text, {}) ?? "")?.[1];
      expect(Buffer.from(payload ?? "", "base64").toString("utf8")).toBe(text);
    }
  });

  test("goes to tmux and through it", () => {
    const plain = "\u001b]52;c;eA==\u0007";
    const through = "\u001bPtmux;\u001b\u001b]52;c;eA==\u0007\u001b\\";
    expect(osc52("x", { TMUX: "/tmp/tmux", TERM: "screen-256color" })).toBe(plain + through);
    expect(osc52("x", { TERM: "tmux-256color" })).toBe(plain + through);
    expect(osc52("x", { TMUX: "", TERM: "xterm" })).toBe(plain);
  });

  test("sends nothing that GNU screen within tmux, or tmux within it, would draw", () => {
    const either = osc52("x", { TMUX: "/tmp/tmux", STY: "1.a", TERM: "screen" });
    expect(either).toBe(`${osc52("x", { TERM: "xterm" })}${osc52("x", { TERM: "screen" })}`);
    expect(osc52("x", { TMUX: "/tmp/tmux", STY: "1.a", TERM: "tmux-256color" })).toContain(
      "Ptmux;",
    );
  });

  test("goes through GNU screen in pieces it keeps", () => {
    const text = "x".repeat(3000);
    const sent = osc52(text, { TERM: "screen" }) ?? "";
    const parts = sent.split("\u001b\\").filter((part) => part !== "");
    expect(parts.length).toBeGreaterThan(4);
    for (const part of parts) {
      expect(part.startsWith("\u001bP")).toBe(true);
      expect(part.length).toBeLessThan(768);
    }
    expect(parts.map((part) => part.slice(2)).join("")).toBe(osc52(text, {}));
  });

  test("is not made for more than terminals take", () => {
    expect(osc52("x".repeat(56_244), {})).not.toBeNull();
    expect(osc52("x".repeat(56_246), {})).toBeNull();
  });
});

describe("did you mean", () => {
  const suppliers = ["ACME", "PAUSED", "DONE"];

  test("finds the word that was mistyped", () => {
    expect(nearest("ACEM", suppliers)).toBe("ACME");
    expect(nearest("acme", suppliers)).toBe("ACME");
    expect(nearest("pausd", suppliers)).toBe("PAUSED");
    expect(nearest("pa", suppliers)).toBe("PAUSED");
  });

  test("says nothing when nothing is near", () => {
    expect(nearest("zzzzzz", suppliers)).toBeNull();
    expect(nearest("", suppliers)).toBeNull();
    expect(nearest("x", ["y"])).toBeNull();
    expect(nearest("A".repeat(10_000), suppliers)).toBeNull();
    expect(nearest("st", ["start", "status"])).toBeNull();
  });
});

describe("plain table", () => {
  const columns = [{ title: "Account" }, { title: "Rows", align: "right" }] as const;

  test("lines columns up, wide characters too", () => {
    expect(
      textTable(columns, [
        ["日本", "1"],
        ["EXT-100", "12"],
      ]),
    ).toEqual(["Account  Rows", "日本        1", "EXT-100    12"]);
  });

  test("ends no line in spaces and takes short rows", () => {
    expect(textTable([{ title: "A" }, { title: "B" }], [["long"], ["x", "y"]])).toEqual([
      "A     B",
      "long",
      "x     y",
    ]);
  });

  test("cuts the widest column first and keeps to the width", () => {
    const rows = [["E".repeat(40), "7"]];
    expect(textTable(columns, rows, { maxWidth: 20 })[1]).toBe(`${"E".repeat(13)}…     7`);
    for (const maxWidth of [1, 3, 8, 20]) {
      for (const line of textTable(columns, rows, { maxWidth, ascii: true })) {
        expect(widthOf(line)).toBeLessThanOrEqual(maxWidth);
        expect(line).toMatch(/^[\x20-\x7e]*$/);
      }
    }
  });

  test("shows hostile cells on their line", () => {
    const lines = textTable(
      [{ title: "Name" }],
      Object.values(HOSTILE).map((text) => [text]),
    );
    expect(lines).toHaveLength(Object.keys(HOSTILE).length + 1);
    expect(lines.join("")).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  });
});
