import { formKinds } from "../../src/forms/forms.ts";
import { samples } from "../helpers/kinds.ts";
import { world } from "../helpers/world.ts";

describe.each(formKinds)("%s create", (kind) => {
  const { writes, command } = samples[kind];
  const words = [kind, "create", ...command].map((word) => (word === "FILE" ? "body.json" : word));

  test("sends nothing with --dry-run, which shows what it would send, or --read-only", async () => {
    const { run, file, service } = await world();
    await file("body.json", writes[0]?.body);
    const { code, stdout } = await run([...words, "--dry-run", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).body).toEqual(writes[0]?.body);
    const refused = await run([...words, "--read-only", "--yes"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/--read-only forbids .*Nothing was sent/);
    expect(service.ledger()).toEqual([]);
  });

  test("create applies the write once and records it in the journal", async () => {
    const { run, file, json, service } = await world();
    await file("body.json", writes[0]?.body);
    expect((await run([...words, "--settle", "0s"])).code).toBe(0);
    expect(service.ledger().filter(({ cause }) => cause === "request")).toHaveLength(1);
    expect(await json(["activity", "list"])).toMatchObject([
      { operation: `${kind} create`, outcome: "confirmed" },
    ]);
  });
});
