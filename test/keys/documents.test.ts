import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { keyTable } from "../../scripts/keys/table.ts";

it("the key table in the documents is the one the program handles (npm run keys makes it)", async () => {
  expect(await readFile(new URL("../../docs/keys.md", import.meta.url), "utf8")).toBe(keyTable());
});
