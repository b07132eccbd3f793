/** Clients made wrong on purpose are caught: else the campaign proves nothing. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { checkSabotage } from "../../faults/sabotage/check.ts";
import { sabotageNamed, sabotages } from "../../faults/sabotage/list.ts";
import { patched } from "../../faults/sabotage/patched.ts";
import { journalFolder } from "../helpers/folders.ts";

const source = (file: string) =>
  readFileSync(resolve(import.meta.dirname, "../../src", file), "utf8");

describe("every sabotage", () => {
  test.each(sabotages.map(({ name, patches = [] }) => [name, patches] as const))(
    "%s: the replaced text exists in the source",
    (_name, patches) => {
      for (const patch of patches) {
        expect(patched(source(patch.file), [patch])).not.toBe(source(patch.file));
      }
    },
  );

  test.each(
    sabotages.flatMap(({ name, replacements = [] }) =>
      replacements.map((one) => [name, one] as const),
    ),
  )("%s: the replaced export exists in the source", async (_name, { file, name }) => {
    const module: object = await import(resolve(import.meta.dirname, "../../src", file));
    expect(Object.keys(module)).toContain(name);
  });

  test("one that has nothing to replace says so instead of passing for harmless", () => {
    const patch = { file: "x.ts", from: "gone", to: "" };
    expect(() => patched("here", [patch])).toThrow("src/x.ts holds 0 times");
    expect(() => patched("gone gone", [patch])).toThrow("src/x.ts holds 2 times");
  });
});

const some = [
  "every POST is sent again",
  "a resend has another body",
  "no fsync",
  "a 201 that is cut short is trusted",
  "unknown is cleared by a 400",
  "recovery sends again",
  "an answer for another item is trusted",
  "the guard is not asked again before an attempt",
  "the guard forgets closed entries",
  "the guard compares requests",
  "the guard's keys go with their entries",
  "a refusal for another item is trusted",
  "a redirect counts as a refusal",
  "an answer that contradicts itself confirms",
  "retention trusts the machine's clock",
  "writes take no turn under a rate limit",
  "the guard forgets conflicts",
  "a changed profile is not noticed",
  "an override passes every row of its run",
  "the remembered position of the journal is ignored",
  "an older journal refuses nothing",
  "a deadline ends before the socket is read",
  "an interim response counts as the answer",
];

test.each(some)("a client is caught in which %s", async (name) => {
  const where = journalFolder();
  const result = await checkSabotage(sabotageNamed(name), { where, seed: 20_261_121, writes: 12 });
  expect(result).toMatchObject({ name, caught: true });
});
