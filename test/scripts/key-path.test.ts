import { resolve } from "node:path";
import { expect, test } from "vitest";
import { runProcess } from "../helpers/process.ts";

const script = resolve(import.meta.dirname, "../../scripts/key-path.ts");

/** As few as there are; whoever takes one away lowers it. */
const mostFiles = 89;

test("a note runs through few files from its key to the drawn result", async () => {
  const { stdout } = await runProcess([process.execPath, script]);
  const files = stdout.trimEnd().split("\n").slice(0, -1);
  expect(files).toContain("screens/compose/compose-form.tsx");
  expect(files).toContain("writes/send/send-entry.ts");
  expect(files.length).toBeLessThanOrEqual(mostFiles);
});
