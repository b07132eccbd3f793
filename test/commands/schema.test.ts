import { runCommand } from "../helpers/command.ts";

test.each([
  ["notes", "notes"],
  ["transactions", "transactions"],
  ["statements", "statements"],
  ["payment-instructions", "vendor"],
  ["supply-points", "payload"],
])("the schema of %s is JSON Schema that allows documented fields alone", async (kind, field) => {
  const { code, stdout } = await runCommand(["schema", kind]);
  expect(code).toBe(0);
  const schema = JSON.parse(stdout);
  expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
  expect(schema.additionalProperties).toBe(false);
  expect(Object.keys(schema.properties)).toContain(field);
});

test("a kind that is none is answered with those there are", async () => {
  const { code, stderr } = await runCommand(["schema", "note"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/notes, transactions, .*Did you mean notes\?/);
});

test.each([
  [["notes", "--help"]],
  [["notes", "create", "--help"]],
  [["transactions", "--help"]],
  [["transactions", "create", "--help"]],
  [["statements", "--help"]],
  [["statements", "create", "--help"]],
  [["payment-instructions", "--help"]],
  [["payment-instructions", "create", "--help"]],
  [["supply-points", "validate", "--help"]],
  [["supply-points", "create", "--help"]],
  [["schema", "--help"]],
  [["activity", "--help"]],
  [["activity", "list", "--help"]],
  [["activity", "show", "--help"]],
  [["activity", "verify", "--help"]],
  [["activity", "resend", "--help"]],
  [["activity", "close", "--help"]],
  [["activity", "export", "--help"]],
])("%j has help on stdout with examples", async (words) => {
  const { code, stdout, stderr } = await runCommand(words);
  expect(code).toBe(0);
  expect(stdout).toContain("Examples:\n  supplyline ");
  expect(stderr).toBe("");
});
