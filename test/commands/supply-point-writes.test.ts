import { errorOf, supplyPoint } from "../helpers/desk.ts";
import { world } from "../helpers/world.ts";

const create = (...words: string[]) => ["supply-points", "create", "--settle", "0s", ...words];
const validate = (...words: string[]) => ["supply-points", "validate", ...words];

test("a supply point is validated: the service's body is printed, nothing recorded", async () => {
  const { run, json, file, service } = await world();
  await file("sp.json", { payload: supplyPoint("SP-NEW") });
  const { code, stdout } = await run(validate("sp.json"));
  expect(code).toBe(0);
  expect(JSON.parse(stdout).payload.supply_point.identifier).toBe("SP-NEW");
  expect(service.ledger()).toEqual([]);
  expect(await json(["activity", "list"])).toEqual([]);
});

test("what the service finds wrong is reported at its line in the file: 4", async () => {
  const { run, file } = await world();
  const payload = supplyPoint("SP-NEW");
  const [account] = payload.accounts;
  Object.assign(account?.customers[0] ?? {}, { mobile: "12", email: "nobody" });
  await file("sp.json", JSON.stringify(payload, null, 2));
  const { code, stderr } = await run(validate("sp.json"));
  expect(code).toBe(4);
  expect(stderr).toMatch(/^ {2}sp\.json:\d+:\d+: accounts\.0\.customers\.0\.mobile: /m);
  expect(stderr).toMatch(/^ {2}sp\.json:\d+:\d+: accounts\.0\.customers\.0\.email: /m);
  const error = errorOf(await run(validate("sp.json", "--json")));
  expect(error.errors).toHaveLength(2);
});

test("a supply point is created, with or without the outer key, and can be followed", async () => {
  const { run, file, service } = await world();
  await file("bare.json", supplyPoint("SP-1"));
  const first = await run(create("bare.json"));
  expect(first.code).toBe(0);
  expect(first.stdout).toMatch(
    /Confirmed: 1 supply point, SP-1 of ACME, on ad-hoc \(test, .*\); journal entry 1/,
  );
  expect(first.stdout).toContain("`supplyline supply-points watch ACME SP-1`");
  const second = await run(create("-", "--json"), {
    input: JSON.stringify({ payload: supplyPoint("SP-2") }),
  });
  expect(JSON.parse(second.stdout)).toEqual({
    journal_id: 2,
    outcome: "confirmed",
    response: null,
  });
  expect(service.ledger().map(({ identifier }) => identifier)).toEqual(["SP-1", "SP-2"]);
});

test("a duplicate is shown before it is sent, and the service refuses it: 4", async () => {
  const { run, file, service } = await world();
  await file("sp.json", supplyPoint("SP-1"));
  await run(create("sp.json"));
  const second = await run(create("sp.json"));
  expect(second.code).toBe(4);
  expect(second.stderr).toMatch(/An import process already exists: \w+/);
  expect(second.stderr).toContain("supply_point_import_process_already_imported");
  expect(service.ledger()).toHaveLength(1);
});

test("no answer after the effect: it is looked for and confirmed", async () => {
  const { run, file, service } = await world({
    service: { faults: ["reset-after@supply-points-createx1"] },
  });
  await file("sp.json", supplyPoint("SP-1"));
  const { code, stdout, stderr } = await run(create("sp.json"));
  expect(code).toBe(0);
  expect(stdout).toMatch(/Confirmed by a lookup: 1 supply point, SP-1 of ACME/);
  expect(stderr).toContain("Checking whether it exists now");
  expect(service.ledger()).toHaveLength(1);
});

test("validate and create print the exact request of a dry run", async () => {
  const { run, file, service } = await world({ service: { writes: [{ status: 500 }] } });
  await file("sp.json", supplyPoint("SP-1"));
  for (const [words, path] of [
    [validate("sp.json", "--dry-run", "--json"), "/v2/data-import/supply-points/validate/"],
    [create("sp.json", "--dry-run", "--json"), "/v2/data-import/supply-points/"],
  ] as const) {
    const { code, stdout } = await run(words);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      method: "POST",
      url: service.baseUrl + path,
      body: { payload: supplyPoint("SP-1") },
    });
  }
  expect(service.received).toEqual([]);
});
