import { describe, expect, test } from "vitest";
import { type HeaderState, headerPieces, widthOfPieces } from "../../src/components/header.tsx";

const states: readonly HeaderState[] = [
  { text: "2 unknown", tone: "bad", drop: 1 },
  { text: "1 run stopped", tone: "waiting", drop: 3 },
  { text: "watching 3", tone: "muted", drop: 17 },
  { text: "acme-production-europe-west", tone: "bad", shorten: true },
  { text: " PROD ", tone: "danger" },
  { text: "read-only", tone: "waiting" },
  { text: "UTC-5", tone: "muted", drop: 7 },
];
const textAt = (columns: number) =>
  headerPieces(states, columns, 12)
    .map(({ text }) => text)
    .join("");

describe("the right of the header", () => {
  test("shows everything where there is room, a long name cut", () => {
    expect(textAt(120)).toBe(
      "2 unknown  1 run stopped  watching 3  acme-production-europe-…   PROD   read-only  UTC-5",
    );
  });

  test("leaves out what is least important first, and the counts that need someone last", () => {
    expect(textAt(96)).not.toContain("watching");
    expect(textAt(85)).not.toContain("UTC-5");
    expect(textAt(70)).not.toContain("run stopped");
    expect(textAt(70)).toContain("2 unknown");
  });

  test.each([40, 44, 50, 60])("at %i cells the profile, PROD and read-only stay", (columns) => {
    const text = textAt(columns);
    expect(text).toContain("acme");
    expect(text).toContain("PROD");
    expect(text).toContain("read-only");
    expect(widthOfPieces(headerPieces(states, columns, 12))).toBeLessThanOrEqual(columns - 12);
  });
});
