import { DuplicateKeyIndex } from "../../../src/bulk/input/repeated-rows.ts";
import { readingFrom, readingText } from "../../../src/bulk/run-settings.ts";
import { options } from "./inputs.ts";

describe("how an input is read", () => {
  test("is the same after it was kept as texts", () => {
    const asked = options("transactions", {
      format: "csv",
      group: "account",
      query: { check_previously_added: "false", force_add_to_current_statement: "true" },
      allowMissing: true,
    });
    const kept = JSON.parse(JSON.stringify(readingText(asked)));
    expect(Object.values(kept).every((value) => typeof value === "string")).toBe(true);
    expect(readingFrom(kept)).toEqual(asked);
  });

  test.each([{ kind: "letters" }, { format: "xml" }, { group: "all" }, { now: "soon" }])(
    "is not guessed from %j",
    (wrong) => {
      expect(() => readingFrom({ ...readingText(options("notes")), ...wrong })).toThrow(RangeError);
    },
  );
});

test("rows are remembered by their first line, however many there are", () => {
  const seen = new DuplicateKeyIndex(4);
  const key = (n: number) => `row ${n}`;
  for (let n = 1; n <= 20_000; n++) expect(seen.firstLine(key(n), n)).toBeNull();
  for (let n = 1; n <= 20_000; n += 7) expect(seen.firstLine(key(n), n + 50_000)).toBe(n);
});
