import { join } from "node:path";
import { runScenario } from "../../faults/scenarios/all.ts";
import { openFolders } from "../helpers/folders.ts";

test("a scenario that throws is a finding, and the campaign goes on", async () => {
  const where = join((await openFolders()).home, "missing");
  const options = { where, seed: 1, size: 1, client: { execArgv: [], env: {} } };
  const { name, violations } = await runScenario({ name: "clock set back" }, options);
  expect(name).toBe("clock-set-back");
  expect(violations).toEqual([
    { invariant: "the campaign itself", what: expect.stringContaining("ENOENT") },
  ]);
});
