/** The fields of docs/reference/output.md, compared with what the commands print. */
import { join } from "node:path";
import { declaredProgram } from "../../scripts/reference/declared.ts";
import { fieldsOf, outputOf, withoutResult } from "../../scripts/reference/output.ts";
import { runCommand } from "../helpers/command.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { project } from "./pages.ts";

let sandbox: TestSandbox;
let folders: Folders;
beforeAll(async () => {
  sandbox = await openSandbox();
  folders = await openFolders();
});

const example = (name: string) => join(project, "examples", name);
const account = ["ACME", "EXT-0000001"];

/** One call of each command, in an order in which each finds what it needs. */
const calls: readonly (readonly [path: string, ...words: string[]])[] = [
  ["accounts list", "ACME", "--ages", "--limit", "3"],
  ["accounts list", "ACME", "--ages"],
  ["find", "EXT-0000001", "--supplier", "ACME"],
  ["reconcile", "ACME", "--source", example("accounts.csv")],
  ["check", "ACME", "--unknown-writes"],
  ["suppliers list"],
  ["suppliers show", "ACME"],
  ["report", "ACME"],
  ["changes", "ACME"],
  ["observations list"],
  ["observations show", "ACME"],
  ["observations confirm", "ACME"],
  ["observations purge", "ACME", "--yes"],
  ["accounts status", ...account, "--verdict"],
  ["accounts watch", ...account],
  ["supply-points status", "ACME", "SP-ERRORED"],
  ["supply-points watch", "ACME", "SP-PROCESSED"],
  ["supply-points validate", example("supply-point.json")],
  ["supply-points create", example("supply-point.json")],
  ["notes create", ...account, "--from", example("notes.json")],
  ["transactions create", ...account, "--from", example("transactions.json")],
  ["statements create", ...account, "--from", example("statements.json")],
  [
    "payment-instructions create",
    ...account,
    ...["--vendor", "GOODPAY", "--reference", "R-1", "--type", "CARD"],
  ],
  ["activity list"],
  ["activity summary"],
  ["activity export"],
  ["activity show", "1"],
  ["bulk run", "notes", "--from", example("notes.csv"), "--results", "results.csv", "--yes"],
  ["bulk list"],
  ["activity purge", "--older-than", "1d", "--dry-run"],
  ["profiles add", "acme", "--base-url", "https://api.example.com"],
  ["profiles list"],
  ["templates add", "call", "--body", "Called", "--profile", "acme"],
  ["templates list", "--profile", "acme"],
  ["config list"],
  ["config get", "brand"],
  ["profiles show", "acme"],
  ["whoami"],
  ["doctor"],
];

test("every command prints the fields that the reference lists, and no other", async () => {
  const env = sandbox.env;
  const { commands } = await declaredProgram("0.0.0");
  for (const [path, ...given] of calls) {
    const words = [...path.split(" "), ...given, "--json"];
    const { code, stdout, stderr } = await runCommand(words, { env, folders });
    expect(code, `${path}: ${stderr}`).toBe(0);
    const output = outputOf(path);
    if (output === null) continue;
    const printed: unknown = JSON.parse(stdout);
    const columns = commands.find((one) => one.path === path)?.columns?.map(({ name }) => name);
    const known = fieldsOf(output, commands).map(({ name }) => name);
    for (const one of [printed].flat())
      expect(known, path).toEqual(expect.arrayContaining(Object.keys(one as object)));
    // What writes is called once.
    if (/ (create|validate|run|add|purge|confirm)$/.test(path) || columns === undefined) continue;
    const asCsv = await runCommand([...words.slice(0, -1), "--format", "csv"], { env, folders });
    const [header] = asCsv.stdout.split("\n", 1);
    expect(header, `${path}, as CSV`).toBe(columns.join(","));
  }
});

test("every command has its result on the page, or is listed as one without", async () => {
  const { commands } = await declaredProgram("0.0.0");
  const undocumented = commands.map(({ path }) => path).filter((path) => outputOf(path) === null);
  expect(undocumented.toSorted()).toEqual(withoutResult.toSorted());
});
