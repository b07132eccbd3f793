import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { type Bill, billWithNode, licensesOf } from "./licenses.ts";

const run = promisify(execFile);
const shells = ["bash", "zsh", "fish"] as const;

/** What is packed: the path of the executable, and what comes with it as text. */
export interface Contents {
  readonly executable: string;
  readonly bill: string;
  readonly notices: string;
  readonly completions: Readonly<Record<(typeof shells)[number], string>>;
}

/** Gathers what a checkout that is built brings along; completions come from the executable. */
export async function contentsOf(executable: string): Promise<Contents> {
  const bill: Bill = JSON.parse(await readFile("dist/sbom.cdx.json", "utf8"));
  const node = process.execPath;
  const nodeLicense = await readNodeLicense();
  const whole = billWithNode(bill, {
    version: process.versions.node,
    sha256: await sha256Of(node),
  });
  const home = await mkdtemp(join(tmpdir(), "supplyline-home-"));
  try {
    const printed = shells.map(async (shell) => {
      const options = { env: { HOME: home, PATH: "/nonexistent" } };
      const { stdout } = await run(executable, ["completion", shell], options);
      return [shell, stdout] as const;
    });
    const completions = Object.fromEntries(await Promise.all(printed)) as Contents["completions"];
    const line = `\n${"=".repeat(72)}\n\n`;
    return {
      executable,
      bill: `${JSON.stringify(whole, null, 2)}\n`,
      notices: `${await licensesOf(bill, ".")}${line}Node ${process.versions.node}\n\n${nodeLicense}`,
      completions,
    };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Lays out the folder of the archive: everything beside the executable. */
export async function stageArchive(folder: string, contents: Contents): Promise<void> {
  await writeTree(folder, {
    "sbom.cdx.json": contents.bill,
    "THIRD-PARTY-LICENSES": contents.notices,
    "completions/supplyline.bash": contents.completions.bash,
    "completions/_supplyline": contents.completions.zsh,
    "completions/supplyline.fish": contents.completions.fish,
    "supplyline.1": await readFile("docs/supplyline.1"),
    LICENSE: await readFile("LICENSE"),
  });
  await cp("examples", join(folder, "examples"), { recursive: true });
  await copyExecutable(contents.executable, join(folder, "supplyline"));
}

async function copyExecutable(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to);
  await chmod(to, 0o755);
}

/** In hexadecimal, of a file of any size. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/** The package `node` brings its text with the executable for this kind of machine. */
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
