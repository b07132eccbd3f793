import { handOverLine } from "../../src/text/hand-over-line.ts";

const at = Date.parse("2026-11-22T10:00:00Z");
const plain = {
  supplier: "ACME",
  number: "EXT-1",
  state: "IN_PROGRESS",
  serviceNumber: "",
  times: [],
  note: null,
  command: "supplyline open ACME EXT-1",
};
const note = { body: "Called the owner", outcome: "confirmed", at };

test.each([
  [plain, "ACME EXT-1: IN_PROGRESS; supplyline open ACME EXT-1"],
  [{ ...plain, state: null, command: null }, "ACME EXT-1: not checked yet"],
  [
    { ...plain, state: "COMPLETED", serviceNumber: "A-9", times: ["since 2026-11-22T10:00:00Z"] },
    "ACME EXT-1: COMPLETED (A-9) since 2026-11-22T10:00:00Z; supplyline open ACME EXT-1",
  ],
  [
    { ...plain, times: ["since 2026-11-22T10:00:00Z or earlier", "stuck"], note },
    'ACME EXT-1: IN_PROGRESS since 2026-11-22T10:00:00Z or earlier, stuck; last note 2026-11-22T10:00:00Z: "Called the owner"; supplyline open ACME EXT-1',
  ],
  [
    { ...plain, note: { ...note, outcome: "unknown", body: null } },
    "ACME EXT-1: IN_PROGRESS; last note 2026-11-22T10:00:00Z, unknown: no longer stored; supplyline open ACME EXT-1",
  ],
])("%j", (about, line) => {
  expect(handOverLine(about)).toBe(line);
});

test("a long note of several lines is one short line, and nothing hostile is in it", () => {
  const body = `first\nsecond\u001b[2J\u202e ${"x".repeat(300)}`;
  const line = handOverLine({ ...plain, note: { ...note, body } });
  expect(line).toContain('"first second␛[2J⟨U+202E⟩ xxx');
  expect(line).toContain('x…"; supplyline open');
  expect(line).not.toMatch(/\n/);
  expect(line.length).toBeLessThan(400);
});
