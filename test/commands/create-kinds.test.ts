import { formKinds } from "../../src/forms/forms.ts";
import { sandboxDesk } from "../helpers/desk.ts";
import { samples } from "../helpers/kinds.ts";

describe.each(formKinds)("%s create", (kind) => {
  const { writes, command } = samples[kind];
  const words = [kind, "create", ...command].map((word) => (word === "FILE" ? "body.json" : word));

  test("shows with --dry-run what it would send, and sends nothing", async () => {
    const { run, file, sandbox } = await sandboxDesk();
    await file("body.json", writes[0]?.body);
    const { code, stdout } = await run([...words, "--dry-run", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).body).toEqual(writes[0]?.body);
    expect(sandbox.ledger()).toEqual([]);
  });

  test("create applies the write once and records it in the journal", async () => {
    const { run, file, json, sandbox } = await sandboxDesk();
    await file("body.json", writes[0]?.body);
    expect((await run([...words, "--settle", "0s"])).code).toBe(0);
    expect(sandbox.ledger().filter(({ cause }) => cause === "request")).toHaveLength(1);
    expect(await json(["activity", "list"])).toMatchObject([
      { operation: `${kind} create`, outcome: "confirmed" },
    ]);
  });
});
