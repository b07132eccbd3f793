import { takeRun } from "../../src/bulk/run-owner.ts";
import { createRun } from "../../src/bulk/runs.ts";
import { openFolders } from "../helpers/folders.ts";
import { openSandbox } from "../helpers/service.ts";
import { openBulk } from "./bulking.ts";

test("an input has one run at a time, and another one once that is left", async () => {
  const sandbox = await openSandbox();
  const folders = await openFolders();
  const { context, close } = await openBulk({ folder: folders.state, baseUrl: sandbox.baseUrl });
  onTestFinished(close);
  const { journal } = context;
  const facts = {
    kind: "notes" as const,
    source: "/a.csv",
    results: null,
    reading: {},
    rows: 1,
    requests: 1,
  };
  const input = { ...facts, sha256: "11" };
  const first = await createRun(context, input);
  await journal.commit((rows) => takeRun(rows, context, first));
  await expect(createRun(context, input)).rejects.toMatchObject({
    kind: "in-use",
    message: expect.stringContaining(`is running run ${first} of the same input`),
  });
  await createRun(context, { ...facts, sha256: "22" });
  await journal.commit((rows) =>
    rows.run("UPDATE run SET state = 'ended', owner = NULL WHERE id = ?", first),
  );
  await createRun(context, input);
});
