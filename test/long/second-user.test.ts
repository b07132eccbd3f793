/**
 * Promise: nothing that a second user of the machine can plant or put in the place of a file is run,
 * read or written, wherever the folders of settings, state and compiled code are.
 */

import {
  chmodSync,
  chownSync,
  copyFileSync,
  lchownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { readCustomCommands } from "../../src/settings/custom/read-commands.ts";
import { openCompiledCode } from "../../src/start/compiled-code.ts";
import { programWords } from "../helpers/built-program.ts";
import { runCommand } from "../helpers/command.ts";
import { openFolders, programEnvironment } from "../helpers/folders.ts";
import { runProcess } from "../helpers/process.ts";
import { openSandbox } from "../helpers/service.ts";

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn("Only root can be two users: the tests of a second user are skipped.");

const [ada, mallory] = [54_321, 54_322];

async function desk() {
  const folders = await openFolders({ ownCache: true });
  return folders;
}

describe("compiled code", () => {
  const name = "chunk.js";
  const script = () => new Script("(function () { return 1; })", { filename: name });

  /** A folder with compiled code that is used. */
  async function stored() {
    const { home } = await desk();
    const compiled = openCompiledCode(home, "build");
    compiled.addScript(name, script());
    await compiled.save();
    const path = join(home, "build", name);
    const use = () => openCompiledCode(home, "build").codeOf(name);
    expect(use()).not.toBeNull();
    return { home, path, use };
  }

  test.each<[string, (path: string) => void]>([
    ["that others can write to", (path) => chmodSync(path, 0o620)],
    ["that everyone can write to", (path) => chmodSync(path, 0o602)],
    [
      "that is a link",
      (path) => {
        renameSync(path, `${path}.moved`);
        symlinkSync(`${path}.moved`, path);
      },
    ],
  ])("in a file %s is not run, and is replaced", async (_what, plant) => {
    const { home, path, use } = await stored();
    plant(path);
    expect(use()).toBeNull();
    const next = openCompiledCode(home, "build");
    next.addScript(name, script());
    await next.save();
    expect(use()).not.toBeNull();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test.runIf(isRoot)("in a file of another user is not run", async () => {
    const { path, use } = await stored();
    chownSync(path, mallory, mallory);
    expect(use()).toBeNull();
  });

  test.runIf(isRoot)(
    "in a folder that was put there after the own one was checked is not run",
    async () => {
      const { home, path } = await stored();
      const planted = join(home, "planted");
      mkdirSync(planted);
      copyFileSync(path, join(planted, name));
      chmodSync(join(planted, name), 0o600);
      chownSync(join(planted, name), mallory, mallory);
      chownSync(planted, mallory, mallory);
      expect(openCompiledCode(home, "planted").codeOf(name)).toBeNull();
    },
  );
});

describe.runIf(isRoot)("commands.json", () => {
  const content = JSON.stringify({
    commands: {
      planted: { key: "N", screens: ["account"], description: "x", run: ["/bin/sh"] },
    },
  });

  test.each<[string, (path: string) => void]>([
    ["of another user", (path) => chownSync(path, mallory, mallory)],
    [
      "of another user that only root can read",
      (path) => {
        chmodSync(path, 0o400);
        chownSync(path, mallory, 0);
      },
    ],
    ["that a group can write to", (path) => chmodSync(path, 0o620)],
    ["that everyone can write to", (path) => chmodSync(path, 0o602)],
    ["that a group can read", (path) => chmodSync(path, 0o640)],
    [
      "that leads to another user's",
      (path) => {
        renameSync(path, `${path}.theirs`);
        chownSync(`${path}.theirs`, mallory, mallory);
        symlinkSync(`${path}.theirs`, path);
      },
    ],
    [
      "that is a second name of another user's",
      (path) => {
        renameSync(path, `${path}.theirs`);
        chownSync(`${path}.theirs`, mallory, mallory);
        linkSync(`${path}.theirs`, path);
      },
    ],
  ])("%s runs nothing, and is named", async (_what, plant) => {
    const { config } = await desk();
    mkdirSync(config, { mode: 0o700 });
    const path = join(config, "commands.json");
    writeFileSync(path, content, { mode: 0o600 });
    expect(readCustomCommands(config).commands).toHaveLength(1);
    plant(path);
    const { commands, issues } = readCustomCommands(config);
    expect(commands).toEqual([]);
    expect(issues).toEqual([expect.stringContaining(path)]);
  });
});

/** A folder as a second user can prepare it for the first one. */
const places: Readonly<Record<string, (path: string) => void>> = {
  "a folder of another user that everyone can write to": (path) => {
    mkdirSync(path);
    chmodSync(path, 0o777);
    chownSync(path, mallory, mallory);
  },
  "a folder of another user that is closed to all but its group": (path) => {
    mkdirSync(path);
    chmodSync(path, 0o770);
    chownSync(path, mallory, ada);
  },
  "a link of another user to a folder of one's own": (path) => {
    mkdirSync(`${path}.own`, { mode: 0o700 });
    chownSync(`${path}.own`, ada, ada);
    symlinkSync(`${path}.own`, path);
    lchownSync(path, mallory, mallory);
  },
  "a folder of one's own that a group can write to": (path) => {
    mkdirSync(path);
    chmodSync(path, 0o770);
    chownSync(path, ada, mallory);
  },
  "a file of another user": (path) => {
    writeFileSync(path, "{}", { mode: 0o666 });
    chownSync(path, mallory, mallory);
  },
};

describe.runIf(isRoot).each(Object.entries(places))("%s", (_what, plant) => {
  test.each([
    [
      "SUPPLYLINE_CONFIG_DIR",
      "config",
      ["profiles", "add", "p", "--base-url", "http://127.0.0.1:9"],
    ],
    ["SUPPLYLINE_STATE_DIR", "state", ["notes", "create", "ACME", "EXT-0000001", "--body", "b"]],
    ["the folder of compiled code", "cache", ["--version"]],
  ] as const)("as %s is not used", async (_variable, which, words) => {
    const sandbox = await openSandbox();
    const folders = await desk();
    chownSync(folders.home, ada, ada);
    const shared = join(folders.home, "shared");
    mkdirSync(shared);
    chmodSync(shared, 0o1777);
    const path = join(shared, "supplyline");
    plant(path);
    const before = readdirSync(shared, { recursive: true });
    const env = {
      ...programEnvironment(folders, which === "config" ? {} : sandbox.env),
      ...{
        config: { SUPPLYLINE_CONFIG_DIR: path },
        state: { SUPPLYLINE_STATE_DIR: path },
        cache: { XDG_CACHE_HOME: shared },
      }[which],
    };
    const ended = await runProcess([...programWords(), ...words], {
      cwd: folders.home,
      env,
      user: ada,
    });
    expect(readdirSync(shared, { recursive: true })).toEqual(before);
    if (which === "cache") return expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect([1, 2]).toContain(ended.code);
    expect(ended.stderr).toContain(path);
    expect(sandbox.ledger()).toEqual([]);
  });
});

test.runIf(isRoot)(
  "doctor warns of a folder that other users can replace, and of no other",
  async () => {
    const { home, config, state } = await desk();
    const check = async () => {
      for (const folder of [config, state]) mkdirSync(folder, { recursive: true, mode: 0o700 });
      const { stdout } = await runCommand(["--sandbox", "doctor", "--json"], {
        folders: { ...(await desk()), home, config, state },
      });
      const checks: { check: string; result: string; detail: string }[] = JSON.parse(stdout);
      return checks.filter(({ check }) => /^(?:config|state) folder$/.test(check));
    };
    const results = async () => (await check()).map(({ result }) => result);
    for (const [mode, owner, expected] of [
      [0o755, 0, "ok"],
      [0o1777, 0, "ok"],
      [0o777, 0, "warn"],
      [0o755, mallory, "warn"],
    ] as const) {
      chmodSync(home, mode);
      chownSync(home, owner, owner);
      expect({ mode, results: await results() }).toEqual({ mode, results: [expected, expected] });
    }
    expect((await check()).map(({ detail }) => detail)).toEqual([
      expect.stringContaining(`they can change ${home}`),
      expect.stringContaining(`they can change ${home}`),
    ]);
  },
);
