import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** By which Node knows whether something was put into it. */
const fuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** A file that goes into the executable, by the path under which the program finds it there. */
export type Assets = Readonly<Record<string, string>>;

/**
 * Writes a single executable: this Node without its symbols, with the entry and the assets in it.
 * The same Node, the same entry and the same assets give the same bytes.
 */
export async function writeExecutable(to: string, entry: string, assets: Assets): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "supplyline-executable-"));
  try {
    const [main, blob, program] = ["cli.js", "blob", "program"].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    await copyFile(entry, main);
    const config = join(folder, "config.json");
    await writeFile(
      config,
      JSON.stringify({
        // As it is written here, it is in the executable: another folder gives the same bytes.
        main: basename(main),
        output: blob,
        disableExperimentalSEAWarning: true,
        // Options for another Node on the machine are not meant for this one.
        execArgvExtension: "none",
        assets,
      }),
    );
    await run(process.execPath, ["--experimental-sea-config", config], { cwd: folder });
    await copyFile(process.execPath, program);
    await run("strip", [program]);
    const postject = resolve("node_modules/.bin/postject");
    await run(postject, [program, "NODE_SEA_BLOB", blob, "--sentinel-fuse", fuse]);
    await copyFile(program, `${to}.${process.pid}`);
    await rename(`${to}.${process.pid}`, to);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
