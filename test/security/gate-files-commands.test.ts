/**
 * Promise: commands report profiles, folders, flags and files with hostile names in every format
 * without a byte that a terminal would obey, and lose none of the text.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../helpers/command.ts";
import { byHand, hostileCodes } from "./files-by-hand.ts";
import { everything, expectHarmlessOutput } from "./harmless.ts";
import { hostileService } from "./hostile-service.ts";

const lineEnds = /\r?\n|\t/g;

test.each(["table", "json", "jsonl", "csv"])(
  "profiles, whoami and doctor of a profile edited by hand, as %s",
  async (format) => {
    const service = await hostileService();
    service.payload = everything;
    const { folders, config } = await byHand();
    config("profiles.json", {
      profiles: [
        {
          name: "p",
          baseUrl: service.baseUrl,
          mutation: `${everything}~mutation`,
          tokenPath: `t${everything.replaceAll(/[\s.]/g, "")}~path`,
          caFile: undefined,
          credentialHelper: `${everything.replaceAll(/['"\\\0]/g, "")}~helper`,
          proxy: "http://u%1b[31m:p%1b@127.0.0.1:9",
          suppliers: hostileCodes,
        },
      ],
      current: "p",
    });
    config("keymap.json", { [`a${everything}~action`]: "x" });
    for (const words of [["profiles", "list"], ["profiles", "show", "p"], ["whoami"], ["doctor"]]) {
      const ended = await runCommand([...words, "--format", format], { folders });
      expect(ended.code).not.toBe(1);
      expectHarmlessOutput(ended, lineEnds);
    }
    const { stdout } = await runCommand(["profiles", "show", "p", "--json"], { folders });
    expect(JSON.parse(stdout)).toMatchObject({
      mutation: `${everything}~mutation`,
      suppliers: hostileCodes,
    });
  },
);

test.each(["not JSON", "another shape", "two of a name"])(
  "settings that are %s, in folders with hostile names: what is reported, and the command that fixes it",
  async (what) => {
    const { folders } = await byHand();
    const config = join(folders.home, "c\u001b]0;owned\u0007\u202e\u200b~config");
    mkdirSync(config, { mode: 0o700 });
    const profile = { name: "p", baseUrl: "https://host.example" };
    const contents: Readonly<Record<string, string>> = {
      "not JSON": `{"profiles": [${everything}`,
      "another shape": JSON.stringify({ profiles: [{ ...profile, brand: everything }] }),
      "two of a name": JSON.stringify({ profiles: [profile, profile] }),
    };
    writeFileSync(join(config, "profiles.json"), contents[what] ?? "", { mode: 0o600 });
    const env = { SUPPLYLINE_CONFIG_DIR: config };
    for (const words of [["profiles", "list"], ["doctor"], ["login", "--api-key-stdin"], []]) {
      const ended = await runCommand(words, { folders, env, input: "key" });
      expect(ended.code).toBeGreaterThan(1);
      expectHarmlessOutput(ended);
    }
  },
);

test("flags, their values and the environment, as errors echo them", async () => {
  const text = `x${everything.replaceAll("\u0000", "")}~arg`;
  const { folders } = await byHand();
  for (const words of [
    [`--nosuch${text}`],
    [`-${text}`],
    ["accounts", "list", "ACME", `--${text}=1`],
    ["accounts", "list", "ACME", "--format", text],
    ["accounts", "list", "ACME", "--timeout", text],
    ["accounts", "watch", "ACME", "E", "--interval", text],
    ["bulk", "report", text],
    ["bulk", "resume", text],
    ["activity", "list", "--outcome", text],
    ["completion", text],
    ["sandbox", "--fault", text],
    ["open", text, text],
  ]) {
    const ended = await runCommand(words, { folders });
    expect(ended.code).toBeGreaterThan(1);
    expectHarmlessOutput(ended);
  }
  for (const name of ["PROFILE", "BASE_URL", "ENVIRONMENT", "AUTH_FORM", "BRAND"]) {
    const env = {
      SUPPLYLINE_BASE_URL: "http://127.0.0.1:9",
      SUPPLYLINE_TOKEN: "token-12345678",
      [`SUPPLYLINE_${name}`]: text,
    };
    expectHarmlessOutput(await runCommand(["accounts", "list", "ACME"], { folders, env }));
  }
});

test("runs whose file has a hostile name: list, report, and the commands they give", async () => {
  const service = await hostileService();
  service.writes = "accepted";
  const { folders } = await byHand();
  const name = `r${everything.replaceAll(/[\0/]/g, "").slice(0, 50)}~rows.jsonl`;
  const row = { import_supplier: "ACME", external_account_number: "E", body: "x" };
  writeFileSync(join(folders.home, name), JSON.stringify(row));
  const options = { folders, env: service.env };
  const begun = await runCommand(["bulk", "run", "notes", "--from", name, "--yes"], options);
  expectHarmlessOutput(begun);
  const id = /run (\w+)/.exec(begun.stderr)?.[1] ?? "";
  for (const format of ["table", "json", "csv"]) {
    for (const words of [["list"], ["report", id]]) {
      const ended = await runCommand(["bulk", ...words, "--format", format], options);
      expect(ended.code).toBe(0);
      expectHarmlessOutput(ended, lineEnds);
    }
  }
});
