import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { profileFrom } from "../../src/settings/schemas.ts";
import { noSecrets } from "../../src/settings/secrets.ts";
import { openSettings } from "../../src/settings/settings.ts";
import { freshFolder, inOtherProcess, modeOf, thrownBy } from "./settings-folder.ts";

const prod = profileFrom({ name: "prod", baseUrl: "https://host.example" });

/** Settings with one profile, a key and a preference, so that all three files are there. */
function keptSettings() {
  const { root, config } = freshFolder();
  const settings = openSettings({ configDir: config });
  settings.add(prod);
  settings.saveApiKey("prod", "canary-key");
  settings.setPreferences({ pollIntervalMs: 9_000 });
  const file = (name: string) => join(config, `${name}.json`);
  return { root, config, settings, file };
}

const names = ["profiles", "credentials", "preferences"];

describe("what is kept", () => {
  test.each(["000", "022", "077", "027"])(
    "is for its owner alone under umask %s, and leaves nothing else behind",
    async (umask) => {
      const { config } = freshFolder();
      await inOtherProcess(
        join(config, "below"),
        `const settings = openSettings({ configDir: folder });
         settings.add(${JSON.stringify(prod)});
         settings.saveApiKey("prod", "canary-key");
         settings.setPreferences({ pollIntervalMs: 9_000 });`,
        `umask ${umask}`,
      );
      const folder = join(config, "below");
      expect(modeOf(folder)).toBe("700");
      expect(readdirSync(folder).sort()).toEqual(names.map((name) => `${name}.json`).sort());
      for (const name of readdirSync(folder)) expect(modeOf(join(folder, name))).toBe("600");
    },
  );

  test("keeps secrets out of every file but the credentials", () => {
    const { file } = keptSettings();
    expect(readFileSync(file("credentials"), "utf8")).toContain("canary-key");
    expect(readFileSync(file("profiles"), "utf8")).not.toContain("canary");
    expect(readFileSync(file("preferences"), "utf8")).not.toContain("canary");
  });

  test("two processes adding profiles at the same time lose none", async () => {
    const { config } = freshFolder();
    const add = (letter: string) =>
      inOtherProcess(
        config,
        `const settings = openSettings({ configDir: folder });
         for (let n = 0; n < 25; n++)
           settings.add({ ...${JSON.stringify(prod)}, name: "${letter}" + n });`,
      );
    await Promise.all([add("a"), add("b")]);
    const kept = openSettings({ configDir: config }).profiles();
    expect(new Set(kept.map((profile) => profile.name)).size).toBe(50);
  });
});

describe("a file that others can reach is refused with the command that fixes it", () => {
  test.each(names.flatMap((name) => ["644", "640", "602"].map((mode) => ({ name, mode }))))(
    "$name: mode $mode",
    ({ name, mode }) => {
      const { config, file } = keptSettings();
      chmodSync(file(name), Number.parseInt(mode, 8));
      const refusal = expect.objectContaining({
        kind: "exposed",
        facts: { fix: `chmod 600 ${file(name)}` },
      });
      expect(() => openSettings({ configDir: config })).toThrow(refusal);
      chmodSync(file(name), 0o600);
      openSettings({ configDir: config });
    },
  );

  test("while the console is open, too", async () => {
    const { settings, file } = keptSettings();
    const credentials = settings.credentials(prod, noSecrets);
    expect(await credentials.apiKey()).toBe("canary-key");
    chmodSync(file("credentials"), 0o644);
    const error = await thrownBy(() => credentials.apiKey());
    expect(error).toMatchObject({ kind: "exposed" });
    expect(inspect(error)).not.toContain("canary");
  });

  test("the folder, with a quote in its name", () => {
    const { root } = freshFolder();
    const config = join(root, "Ada's");
    mkdirSync(config);
    chmodSync(config, 0o755);
    expect(() => openSettings({ configDir: config })).toThrow(
      expect.objectContaining({ kind: "exposed", facts: { fix: `chmod 700 '${root}/Ada'\\''s'` } }),
    );
  });

  test("a linked file and a linked folder", () => {
    const { root, config, file } = keptSettings();
    const elsewhere = join(root, "elsewhere");
    symlinkSync(config, elsewhere);
    expect(() => openSettings({ configDir: elsewhere })).toThrow(
      expect.objectContaining({ kind: "exposed", message: expect.stringContaining("link") }),
    );
    renameSync(file("credentials"), join(root, "secret.json"));
    symlinkSync(join(root, "secret.json"), file("credentials"));
    expect(() => openSettings({ configDir: config })).toThrow(
      expect.objectContaining({ kind: "exposed", message: expect.stringContaining("link") }),
    );
  });

  test.runIf(userInfo().uid === 0)("a file of another user", () => {
    const { config, file } = keptSettings();
    chownSync(file("profiles"), 65_534, 65_534);
    expect(() => openSettings({ configDir: config })).toThrow(
      expect.objectContaining({
        kind: "exposed",
        message: expect.stringContaining("another user"),
      }),
    );
  });
});

describe("a file that cannot be understood is named and left as it is", () => {
  test.each([
    ["profiles", '{\n  "profiles": [],\n  "current": oops\n}', "line 3, column 14"],
    ["profiles", "[]", "JSON object"],
    ["profiles", '{"profiles": {}}', "not a list"],
    ["profiles", '{"profiles": [7]}', "profile 1"],
    ["profiles", '{"profiles": [{"name": "a"}]}', "baseUrl in profile 1"],
    [
      "profiles",
      '{"profiles": [{"name": "a", "baseUrl": "https://h", "readOnly": "no"}]}',
      "readOnly",
    ],
    ["profiles", '{"profiles": [{"name": "a", "baseUrl": "http://h.example"}]}', "base URL"],
    [
      "profiles",
      '{"profiles": [{"name": "a", "baseUrl": "https://h"}, {"name": "a", "baseUrl": "https://h"}]}',
      "two profiles named a",
    ],
    ["preferences", '{"pollIntervalMs": "soon"}', "pollIntervalMs"],
    ["credentials", '{"prod": {"apiKey": "canary', "line 1, column 21"],
    ["credentials", "canary", "line 1, column 1"],
  ])("%s.json holding %s", async (name, content, words) => {
    const { config, file } = keptSettings();
    writeFileSync(file(name), content);
    const error = await thrownBy(() => openSettings({ configDir: config }));
    expect(error).toMatchObject({
      kind: "corrupt",
      facts: { fix: expect.stringContaining(file(name)) },
    });
    expect(error).toMatchObject({ message: expect.stringContaining(words) });
    expect(error).toMatchObject({ message: expect.stringContaining(file(name)) });
    expect(inspect(error)).not.toContain("canary");
    expect(readFileSync(file(name), "utf8")).toBe(content);
  });

  test("credentials of another shape are noticed when they are asked for", async () => {
    const { settings, file } = keptSettings();
    const entry = { prod: { for: "https://host.example", apiKey: ["canary"] } };
    writeFileSync(file("credentials"), JSON.stringify(entry));
    const error = await thrownBy(() => settings.credentials(prod, noSecrets).apiKey());
    expect(error).toMatchObject({ kind: "corrupt", message: expect.stringContaining("prod") });
    expect(inspect(error)).not.toContain("canary");
  });

  test("no change is written over it", () => {
    const { settings, file } = keptSettings();
    writeFileSync(file("profiles"), "{");
    expect(() => settings.add({ ...prod, name: "other" })).toThrow(
      expect.objectContaining({ kind: "corrupt" }),
    );
    expect(readFileSync(file("profiles"), "utf8")).toBe("{");
  });

  test("a byte order mark is no reason to stop", () => {
    const { config, settings, file } = keptSettings();
    writeFileSync(file("profiles"), `\uFEFF${readFileSync(settings.file, "utf8")}`);
    expect(openSettings({ configDir: config }).profiles()).toEqual([prod]);
  });
});

describe("a change that cannot be written", () => {
  test("because a file stands where the folder should be is reported in words", () => {
    const { root } = freshFolder();
    const blocker = join(root, "config");
    writeFileSync(blocker, "");
    expect(() => openSettings({ configDir: blocker })).toThrow(
      expect.objectContaining({
        kind: "unwritable",
        message: expect.stringContaining("is not a folder"),
      }),
    );
    const settings = openSettings({ configDir: join(root, "other") });
    writeFileSync(join(root, "other"), "");
    expect(() => settings.add(prod)).toThrow(
      expect.objectContaining({ kind: "unwritable", message: expect.stringContaining("folder") }),
    );
  });

  test("because of its rights is reported in words, and reading still works", async () => {
    const { config, file } = keptSettings();
    chmodSync(config, 0o500);
    const drop = userInfo().uid === 0;
    const other = 65_534;
    if (drop) for (const path of [config, ...names.map(file)]) chownSync(path, other, other);
    if (drop) chmodSync(join(config, ".."), 0o755);
    const told = await inOtherProcess(
      config,
      `${drop ? `process.setgid(${other}); process.setuid(${other});` : ""}
       const settings = openSettings({ configDir: folder });
       try { settings.use("prod"); } catch (error) { console.log(error.kind, error.message); }
       const credentials = settings.credentials(settings.find("prod"), readSecrets({}));
       await credentials.storeToken("token-1");
       console.log((await credentials.token()).token, await credentials.apiKey());`,
    );
    chmodSync(config, 0o700);
    expect(told).toMatch(/^unwritable .*do not have permission to write/);
    expect(told).toMatch(/\ntoken-1 canary-key\n$/);
  });

  test("whole, because the disk is full, leaves the file as it was", async () => {
    const { config, settings, file } = keptSettings();
    for (let n = 0; n < 20; n++) settings.add({ ...prod, name: `p${n}` });
    const before = readFileSync(file("profiles"), "utf8");
    // A limit on file sizes cuts a write short just as a disk does that has a little room left.
    const told = await inOtherProcess(
      config,
      `try {
         openSettings({ configDir: folder }).use("prod");
       } catch (error) { console.log(error.kind, error.message); }`,
      "ulimit -f 2",
    );
    expect(Buffer.byteLength(before)).toBeGreaterThan(2 * 1024);
    expect(told).toMatch(/^unwritable .*disk might be full/);
    expect(readFileSync(file("profiles"), "utf8")).toBe(before);
    expect(readdirSync(config).sort()).toEqual(names.map((name) => `${name}.json`).sort());
    settings.use("prod");
    expect(settings.currentName()).toBe("prod");
  });
});
