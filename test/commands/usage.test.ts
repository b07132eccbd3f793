import { runCommand } from "../helpers/command.ts";
import { openService } from "../helpers/service.ts";

test("--version prints the version of the package", async () => {
  const { code, stdout } = await runCommand(["--version"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each([
  [["--help"]],
  [["help", "accounts"]],
  [["open", "--help"]],
  [["accounts", "--help"]],
  [["accounts", "list", "--help"]],
  [["accounts", "status", "--help"]],
  [["accounts", "watch", "--help"]],
  [["supply-points", "--help"]],
  [["supply-points", "status", "--help"]],
  [["supply-points", "watch", "--help"]],
  [["profiles", "--help"]],
  [["profiles", "list", "--help"]],
  [["profiles", "show", "--help"]],
  [["profiles", "add", "--help"]],
  [["profiles", "use", "--help"]],
  [["profiles", "remove", "--help"]],
  [["login", "--help"]],
  [["logout", "--help"]],
  [["whoami", "--help"]],
  [["doctor", "--help"]],
  [["sandbox", "--help"]],
])("%j has help on stdout with examples and the global options", async (words) => {
  const { code, stdout, stderr } = await runCommand(words);
  expect(code).toBe(0);
  expect(stdout).toContain("Examples:\n  supplyline ");
  expect(stdout).toContain("--format <format>");
  expect(stderr).toBe("");
});

test.each<[string[], RegExp]>([
  [["acounts", "list", "ACME"], /no command "acounts".*Did you mean accounts\?/],
  [["accounts", "lst", "ACME"], /'lst'.*Did you mean list\?/],
  [["accounts", "list", "ACME", "--fliter", "x"], /'--fliter'.*Did you mean --filter\?/],
  [["--jsn", "whoami"], /'?--jsn'?/],
  [["--profil"], /no option "--profil".*Did you mean --profile\?/],
  [["accounts", "list"], /Missing required argument 'supplier'.*`supplyline accounts list --help`/],
  [["--format", "json5", "accounts", "list", "ACME"], /json5.*`supplyline accounts list --help`/],
  [["schema"], /Missing required argument 'kind'.*`supplyline schema --help`/],
  [["accounts", "list", "ACME", "B"], /Too many arguments/],
  [["reconcile", "ACME", "mine.csv"], /Too many arguments.*Name a file with --source FILE\./],
  [["notes", "create", "ACME", "EXT-1", "notes.json"], /Name a file with --from FILE\./],
  [["accounts", "list", "ACME", "--limit", "-1"], /--limit.*'-1'.*from 1 up/],
  [["accounts", "list", "ACME", "--limit", "many"], /--limit.*'many'/],
  [["accounts", "list", "ACME", "--state", "pnding"], /Allowed: all, pending, imported.*pending\?/],
  [["accounts", "list", "ACME", "--format", "xml"], /Allowed: table, json, jsonl, csv/],
  [["accounts", "list", "ACME", "--format", "jsno"], /Did you mean json\?/],
  [["accounts", "list", "ACME", "--filter", "colour:red"], /--filter:.*colour.*ext:/],
  [["accounts", "list", ".."], /'\.\.'.*'supplier'.*must not be/],
  [["accounts", "list", ""], /'supplier'.*must not be empty/],
  [["accounts", "list", "ACME", "--timeout", "soon"], /--timeout.*'soon'.*30m/],
  [["accounts", "list", "ACME", "--timeout", "0"], /--timeout.*'0'/],
  [["accounts", "status", "ACME"], /needs at least one external account number.*--from/],
  [["accounts", "status", "ACME", "."], /'\.'.*'account'.*must not be/],
  [["accounts", "status", "ACME", "a\nb"], /control characters/],
  [["accounts", "status", "ACME", "--from", "not-there.txt"], /not-there\.txt.*no such file/],
  [["accounts", "watch", "ACME"], /at least one external account number/],
  [["accounts", "watch", "ACME", "X", "--interval", "5 parsecs"], /--interval.*5 parsecs/],
  [["supply-points", "status", "ACME"], /Missing required argument 'id'/],
  [["supply-points", "status", "ACME", ".."], /'id'.*must not be/],
  [["open", "--supply-point", "SP-1"], /--supply-point needs the supplier/],
  [["open", "A", "B", "--supply-point", "SP-1"], /exclude each other/],
  [["open", "A", "--run", "r1"], /--run and a supplier or cohort exclude each other/],
  [["open", "--run", "r1", "--file", "notes.csv"], /--run and --file exclude each other/],
  [["--sandbox", "--profile", "x", "whoami"], /exclude each other/],
  [["sandbox", "--fault", "exploding"], /"exploding" is not a kind of fault/],
  [["sandbox", "--port", "70000"], /--port.*0 to 65535/],
])("%j ends with 2 and says what is wrong", async (words, expected) => {
  const service = await openService((_request, response) => response.end());
  const { code, stdout, stderr } = await runCommand(words, { env: service.env });
  expect(stderr).toMatch(expected);
  expect(stderr).toMatch(/^supplyline: [^\n]+\n$/);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(service.asked()).toEqual([]);
});

test("with --json a usage error is one JSON object", async () => {
  const { code, stderr } = await runCommand(["accounts", "status", "--json"]);
  expect(code).toBe(2);
  expect(JSON.parse(stderr)).toEqual({
    error: { kind: "usage", message: expect.stringContaining("supplier") },
  });
});

test("help takes a noun and a verb", async () => {
  const { code, stdout, stderr } = await runCommand(["help", "accounts", "list"]);
  const plain = await runCommand(["accounts", "list", "--help"]);
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: plain.stdout, stderr: "" });
});

test("a noun without a verb prints its help on stderr", async () => {
  const { code, stdout, stderr } = await runCommand(["accounts"]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("watch <supplier> [account...]");
});

test.each([[[]], [["open", "ACME"]], [["--sandbox"]]])(
  "the console (%j) without a terminal ends with 2 and names the commands for scripts",
  async (words: string[]) => {
    const { code, stderr } = await runCommand(words);
    expect(code).toBe(2);
    expect(stderr).toMatch(/needs a terminal.*accounts status/);
  },
);

test("nothing set up at all ends with 3 and says how to begin", async () => {
  const { code, stderr } = await runCommand(["accounts", "list", "ACME"]);
  expect(code).toBe(3);
  expect(stderr).toMatch(/profiles add NAME --base-url URL.*SUPPLYLINE_BASE_URL.*--sandbox/);
});

test("unchecked TLS is refused before anything is sent", async () => {
  const { code, stderr } = await runCommand(["--sandbox", "whoami"], {
    env: { NODE_TLS_REJECT_UNAUTHORIZED: "0" },
  });
  expect(code).toBe(2);
  expect(stderr).toMatch(/NODE_TLS_REJECT_UNAUTHORIZED=0.*NODE_EXTRA_CA_CERTS/);
});

test("a key that cannot be one is refused without being shown", async () => {
  const { code, stderr } = await runCommand(["whoami"], {
    env: { SUPPLYLINE_BASE_URL: "http://127.0.0.1:9", SUPPLYLINE_API_KEY: "se cret-zzz" },
  });
  expect(code).toBe(2);
  expect(stderr).toContain("SUPPLYLINE_API_KEY contains a space");
  expect(stderr).not.toContain("zzz");
});
