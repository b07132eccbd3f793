import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { type Bill, billWithNode, licensesOf } from "./licenses.ts";
import { checkSymbolVersions } from "./symbol-versions.ts";
import { archivedTexts } from "./tracked.ts";

const run = promisify(execFile);

const completions: Readonly<Record<string, string>> = {
  bash: "supplyline.bash",
  zsh: "_supplyline",
  fish: "supplyline.fish",
};

/**
 * Lays out the folder of the archive from a checkout that is built: the program with this Node, a script
 * that starts it, and what belongs to them as text. Throws where this Node needs a newer Linux than the
 * documents name.
 */
export async function stageArchive(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await cp("dist", join(folder, "dist"), { recursive: true });
  for (const path of await archivedTexts(".")) await cp(path, join(folder, path));
  // Beside the program, where `man` looks for the pages of a program in PATH.
  await rename(join(folder, "dist/man"), join(folder, "man"));
  await placeNode(join(folder, "lib/supplyline"));
  const program = join(folder, "supplyline");
  await cp("scripts/package/supplyline.sh", program);
  await chmod(program, 0o755);
  const bill: Bill = JSON.parse(await readFile("dist/sbom.cdx.json", "utf8"));
  const node = { version: process.versions.node, sha256: await sha256Of(process.execPath) };
  const whole = billWithNode(bill, node);
  const line = `\n${"=".repeat(72)}\n\n`;
  await writeTree(folder, {
    "dist/sbom.cdx.json": `${JSON.stringify(whole, null, 2)}\n`,
    "THIRD-PARTY-LICENSES": `${await licensesOf(bill, ".")}${line}Node ${node.version}\n\n${await readNodeLicense()}`,
    LICENSE: await readFile("LICENSE"),
    ...(await completionsOf(program)),
  });
}

/** Copies this Node without its symbols, under the name that `ps` is to show. */
async function placeNode(to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(process.execPath, to, { dereference: true });
  await run("strip", [to]);
  await chmod(to, 0o755);
  checkSymbolVersions(to);
}

/** Returns what the program itself prints for each shell, by the path of its file. */
async function completionsOf(program: string): Promise<Readonly<Record<string, string>>> {
  const home = await mkdtemp(join(tmpdir(), "supplyline-home-"));
  try {
    const printed = Object.entries(completions).map(async ([shell, file]) => {
      const options = { env: { HOME: home, PATH: "/nonexistent" } };
      const { stdout } = await run(program, ["completion", shell], options);
      return [`completions/${file}`, stdout] as const;
    });
    return Object.fromEntries(await Promise.all(printed));
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Returns the hash of a file of any size, in hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** Reads the license that the package `node` brings with the executable for this kind of machine. */
async function readNodeLicense(): Promise<string> {
  const path = `node_modules/node/node_modules/node-linux-${process.arch}/LICENSE`;
  return readFile(path, "utf8").catch(() => {
    throw new Error(`${path} is missing: run npm ci with install scripts.`);
  });
}

/** Writes files below a folder, by their paths in it, so that everyone can read them. */
async function writeTree(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content, { mode: 0o644 });
  }
}
