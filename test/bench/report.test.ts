import { expect, test } from "vitest";
import { linesOf } from "../../bench/measure/report.ts";
import { inTurn, isSkipped, median, p95, type Reading } from "../../bench/measure/rounds.ts";

const absent = { skipped: "htop is not installed" };

function startFigures(ours: number, node: Reading = 20) {
  const peers = { "node -e 0": node, htop: absent };
  return { "first frame": { ours, peers }, "first frame, at a supplier": { ours, peers } };
}

test("judges a budget that is a multiple of the peer's", () => {
  const [within] = linesOf("start", startFigures(60));
  expect(within).toMatchObject({ ratio: 3, budget: "≤ 3×", met: true });
  const [beyond] = linesOf("start", startFigures(61));
  expect(beyond).toMatchObject({ met: false });
});

test("judges nothing that needs a peer which is absent", () => {
  const [beside] = linesOf("start", startFigures(100, absent));
  expect(beside).toMatchObject({ theirs: absent, budget: "≤ 3×", ratio: null, met: null });
});

test("judges a figure with a limit of its own without its peer", () => {
  const line = (ours: number) =>
    linesOf("idle", {
      "share of a core": {
        ours: 1,
        peers: { "htop, every 5 s": absent, "undici alone, as many requests": absent },
      },
      "to the terminal": { ours, peers: { "htop, every 5 s": absent } },
    }).at(-1);
  expect(line(20)).toMatchObject({ met: true });
  expect(line(20.1)).toMatchObject({ met: false });
});

test("refuses a benchmark that has not measured what it must", () => {
  expect(() => linesOf("start", {})).toThrow(/no figure for first frame/);
  expect(() => linesOf("start", startFigures(Number.NaN))).toThrow(/no figure/);
});

test("takes sides in turn and leaves the first round out", async () => {
  const order: string[] = [];
  let ours = 100;
  const side = (name: string) => async () => {
    order.push(name);
    return { ms: name === "ours" ? ours-- : 1 };
  };
  const reading = await inTurn(3, { ours: side("ours"), theirs: side("theirs"), gone: absent });
  expect(order.join(" ")).toBe(Array(4).fill("ours theirs").join(" "));
  expect(reading("ours", "ms")).toBe(98);
  expect(isSkipped(reading("gone", "ms"))).toBe(true);
});

test("knows the middle and the nearly slowest", () => {
  const hundred = Array.from({ length: 100 }, (_, n) => 100 - n);
  expect(median(hundred)).toBe(50);
  expect(p95(hundred)).toBe(95);
  expect(median([])).toBeNaN();
});
