import { globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isBuild } from "../../helpers/built-program.ts";
import { openFolders } from "../../helpers/folders.ts";
import { spawnConsole } from "../../helpers/terminal.ts";

/** Writes down each file that is loaded, and when the first frame with content is written. */
const recorder = (log: string) => `
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import vm from "node:vm";
const log = (line) => appendFileSync(${JSON.stringify(log)}, line + "\\n");
registerHooks({ load: (url, context, next) => { log(url); return next(url, context); } });
const { getBuiltinModule } = process;
process.getBuiltinModule = (name) => { log(name); return getBuiltinModule(name); };
vm.Script = class extends vm.Script {
  constructor(text, options) {
    super(text, options);
    log(pathToFileURL(options.filename).href);
  }
};
const write = process.stdout.write;
process.stdout.write = function (chunk, ...rest) {
  if (String(chunk).includes("Connect to a service")) log("first frame");
  return write.call(this, chunk, ...rest);
};
`;

/** Words that stand in a part's code and nowhere else. */
const signs = {
  undici: "undici/lib/dispatcher/agent.js",
  "the forms": "invalid_document_path",
  "the journal": "CREATE TABLE intent",
  "the sandbox": "The sandbox's data folder",
  "the API": "mutation ObtainToken(",
} as const;

test.runIf(isBuild)("the first frame loads only what it shows", async () => {
  const folders = await openFolders();
  const log = join(folders.home, "loaded.txt");
  const hook = join(folders.home, "recorder.mjs");
  await writeFile(hook, recorder(log));
  const terminal = await spawnConsole([], {
    folders,
    env: { NODE_OPTIONS: `--import=${pathToFileURL(hook).href}` },
  });
  await terminal.waitFor("Connect to a service");
  const lines = (await readFile(log, "utf8")).split("\n");
  const before = lines.slice(0, lines.indexOf("first frame"));
  const dist = pathToFileURL(join(import.meta.dirname, "../../../dist/")).href;
  const own = before.filter((url) => url.startsWith(dist));
  expect(own).toContain(`${dist}cli.js`);
  expect(before.filter((url) => url.includes("/node_modules/"))).toEqual([]);
  const texts = await Promise.all(own.map((url) => readFile(new URL(url), "utf8")));
  expect(texts.some((text) => text.includes("react.transitional.element"))).toBe(true);
  const all = await Promise.all(
    globSync("**/*.js", { cwd: fileURLToPath(dist) }).map((path) =>
      readFile(new URL(path, dist), "utf8"),
    ),
  );
  const hold = (sign: string) => (text: string) => text.includes(sign);
  for (const [part, sign] of Object.entries(signs)) {
    expect(all.some(hold(sign)), `${part} is known by its sign`).toBe(true);
    expect(texts.some(hold(sign)), `${part} was loaded`).toBe(false);
  }
});

test.runIf(isBuild)(
  "the other screens are read soon after, without a key being pressed",
  async () => {
    const folders = await openFolders();
    const log = join(folders.home, "loaded.txt");
    const hook = join(folders.home, "recorder.mjs");
    await writeFile(hook, recorder(log));
    const terminal = await spawnConsole([], {
      folders,
      env: { NODE_OPTIONS: `--import=${pathToFileURL(hook).href}` },
    });
    await terminal.waitFor("Connect to a service");
    await expect.poll(() => readFile(log, "utf8")).toMatch(/form-review-\w+\.js/);
  },
);
