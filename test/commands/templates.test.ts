import { world } from "../helpers/world.ts";

const create = ["notes", "create", "ACME", "EXT-0000001"];

test("templates are added, listed and removed, and hold for their profile", async () => {
  const desk = await world();
  const add = (name: string, body: string) => desk.run(["templates", "add", name, "--body", body]);
  expect((await add("call", "{me}: called, case {case}")).code).toBe(0);
  expect(await add("call", "again")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("already has a template named call"),
  });
  expect(await add("a b", "text")).toMatchObject({ code: 2 });
  expect(await add("slip", "{custmer}")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--body: There is no {custmer}: there are"),
  });
  expect(await desk.json(["templates", "list"])).toEqual([
    { name: "call", text: "{me}: called, case {case}" },
  ]);
  expect((await desk.run(["templates", "remove", "call"])).code).toBe(0);
  expect((await desk.run(["templates", "remove", "call"])).code).toBe(2);
  expect(await desk.json(["templates", "list"])).toEqual([]);
});

test("a note from a template is filled in before it is sent", async () => {
  const desk = await world();
  const text = "{me}: {import_supplier}/{external_account_number}, case {case}";
  await desk.run(["templates", "add", "call", "--body", text]);
  const env = { USER: "ada" };
  const dry = await desk.run(
    [...create, "--template", "call", "--case", "4711", "--pin", "--dry-run"],
    { env },
  );
  expect(dry).toMatchObject({ code: 0 });
  expect(dry.stdout).toContain("ada: ACME/EXT-0000001, case 4711");
});

test.each([
  [["--template", "call"], "needs a value for {case}. Give it with --case NUMBER."],
  [["--template", "cal", "--case", "1"], 'has no template named "cal"; there are call'],
  [["--template", "call", "--body", "x"], "--body and --template exclude each other"],
  [["--case", "1", "--body", "x"], "--case is for a template"],
  [
    ["--template", "call", "--case", "1", "--from", "x.json"],
    "--from and --template exclude each other",
  ],
])("%j is refused with what to do, and nothing is sent", async (words, message) => {
  const desk = await world();
  await desk.run(["templates", "add", "call", "--body", "case {case}"]);
  const { code, stderr } = await desk.run([...create, ...words]);
  expect(code).toBe(2);
  expect(stderr.replace(/\s+/g, " ")).toContain(message);
});
