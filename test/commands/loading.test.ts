import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isBuild } from "../helpers/built-program.ts";
import { openFolders } from "../helpers/folders.ts";
import { runCli } from "../helpers/process.ts";
import { openSandbox } from "../helpers/service.ts";

/** Words that stand in a part's code and nowhere else. */
const signs = {
  React: "react.transitional.element",
  Ink: "Raw mode is not supported",
  conf: "projectName",
  zod: "ZodError",
  "the sandbox": "The sandbox's data folder",
} as const;

test.runIf(isBuild)(
  "a headless command loads neither React nor Ink, conf, zod or the sandbox",
  async () => {
    await using sandbox = await openSandbox();
    await using folders = await openFolders();
    // Node lists the modules it loads, those it has compiled before included.
    const { code, stderr } = await runCli(["accounts", "status", "ACME", "EXT-0000001"], {
      folders,
      env: { ...sandbox.env, NODE_DEBUG: "esm" },
    });
    expect(code).toBe(0);
    const dist = join(import.meta.dirname, "../../dist");
    const loaded = new Set(
      [...stderr.matchAll(/file:\/\/(\/[^\s'"]+\.js)/g)].map(([, path]) => path ?? ""),
    );
    const own = [...loaded].filter((path) => path.startsWith(dist));
    expect(own).toContain(join(dist, "cli.js"));
    expect(own.length).toBeGreaterThan(3);
    expect([...loaded].filter((path) => path.includes("/node_modules/"))).toEqual([]);
    const texts = await Promise.all(own.map((path) => readFile(path, "utf8")));
    for (const [part, sign] of Object.entries(signs)) {
      expect(
        texts.some((text) => text.includes(sign)),
        `${part} was loaded`,
      ).toBe(false);
    }
  },
);
