/** Every client that is made wrong on purpose still changes something, or it would pass for harmless. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { sabotages } from "../../faults/sabotage/list.ts";
import { patched } from "../../faults/sabotage/patched.ts";
import type { SabotagedClient } from "../../faults/sabotage/sabotage.ts";
import { teamSabotages } from "../../faults/sabotage/team.ts";

const clients: readonly SabotagedClient[] = [...sabotages, ...teamSabotages];

const source = (file: string) =>
  readFileSync(resolve(import.meta.dirname, "../../src", file), "utf8");

describe("every sabotage", () => {
  test.each(clients.map(({ name, patches = [] }) => [name, patches] as const))(
    "%s: the replaced text exists in the source",
    (_name, patches) => {
      for (const patch of patches) {
        expect(patched(source(patch.file), [patch])).not.toBe(source(patch.file));
      }
    },
  );

  test.each(
    clients.flatMap(({ name, replacements = [] }) =>
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
