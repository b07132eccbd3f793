import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isBuild } from "../helpers/built-program.ts";
import { openFolders } from "../helpers/folders.ts";
import { runCli } from "../helpers/process.ts";
import { openSandbox } from "../helpers/service.ts";

/** Words that stand in a part's code and nowhere else. */
const signs = {
  React: "react.transitional.element",
  Ink: "Raw mode is not supported",
  conf: "projectName",
  ajv: "strictTypes",
  "the sandbox": "The sandbox's data folder",
} as const;

/** Names each chunk that is loaded. */
const recording = `
const vm = require("node:vm");
vm.Script = class extends vm.Script {
  constructor(text, options) {
    super(text, options);
    process.stderr.write("chunk " + options.filename + "\\n");
  }
};
`;

test.runIf(isBuild).each([
  ["a call of the service", ["accounts", "status", "ACME", "EXT-0000001"]],
  ["a list of the journal", ["activity", "list"]],
  ["a list of the settings", ["profiles", "list"]],
] as const)("%s loads neither React nor Ink, conf, ajv or the sandbox", async (_what, args) => {
  const sandbox = await openSandbox();
  const folders = await openFolders();
  const recorder = join(folders.home, "recorder.cjs");
  await writeFile(recorder, recording);
  const { code, stderr } = await runCli(args, {
    folders,
    env: { ...sandbox.env, NODE_OPTIONS: `--require=${recorder}`, NODE_DEBUG: "module" },
  });
  expect(code).toBe(0);
  const dist = join(import.meta.dirname, "../../dist");
  const files = [...stderr.matchAll(/ load "([^"]+)"/g)].map(([, path]) => path);
  expect(files).toEqual([recorder, join(dist, "cli.js")]);
  const own = [...stderr.matchAll(/^chunk (.+)$/gm)].map(([, path]) => path ?? "");
  expect(own.length).toBeGreaterThan(3);
  expect(own.filter((path) => !path.startsWith(join(dist, "chunks")))).toEqual([]);
  const texts = await Promise.all(own.map((path) => readFile(path, "utf8")));
  for (const [part, sign] of Object.entries(signs)) {
    expect(
      texts.some((text) => text.includes(sign)),
      `${part} was loaded`,
    ).toBe(false);
  }
});
