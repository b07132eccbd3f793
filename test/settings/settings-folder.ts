import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProcess } from "../helpers/process.ts";

/** A fresh folder for one test, gone when it ends. The settings folder below it does not exist yet. */
export function freshFolder(): { readonly root: string; readonly config: string } {
  const root = mkdtempSync(join(tmpdir(), "supplyline-settings-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return { root, config: join(root, "config") };
}

/** The permission bits of a file, as `chmod` would write them. */
export function modeOf(path: string): string {
  return (statSync(path).mode & 0o7777).toString(8);
}

const moduleOf = (name: string) =>
  JSON.stringify(new URL(`../../src/settings/${name}.ts`, import.meta.url).href);

/**
 * Runs `body` in a process of its own, with `openSettings` and `readSecrets` in scope and `folder` as
 * the settings folder; what it writes to stdout comes back. `before` is shell run first, for umask and ulimit.
 */
export async function inOtherProcess(folder: string, body: string, before = ":"): Promise<string> {
  const script = `import { openSettings } from ${moduleOf("settings")};
    import { readSecrets } from ${moduleOf("secrets")};
    const folder = ${JSON.stringify(folder)};
    ${body}`;
  const { code, stdout, stderr } = await runProcess(
    ["sh", "-c", `${before}; exec "$0" --input-type=module -e "$1"`, process.execPath, script],
    { env: { PATH: process.env.PATH, NODE_NO_WARNINGS: "1" } },
  );
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

/** Writes a program that prints `stdout` and `stderr` and ends with `status`; answers its command. */
export function helperCommand(folder: string, body: string): string {
  const path = join(folder, `helper ${Math.random().toString(36).slice(2)}.mjs`);
  writeFileSync(path, body);
  return `'${process.execPath}' "${path}"`;
}

/** Returns the error of a promise or a function. */
export async function thrownBy(act: () => unknown): Promise<unknown> {
  try {
    await act();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}
