import { constants } from "node:fs";
import { chmod, open, stat } from "node:fs/promises";
import { AppError } from "../../errors/app-error.ts";
import { exposureOf, makeFolder } from "../../text/private-folder.ts";
import { shellQuote } from "../../text/shell-quote.ts";

/** Creates a folder for its owner alone, or checks the one that exists. Throws `exposed` and the system's error. */
export async function makePrivateFolder(path: string): Promise<void> {
  const created = makeFolder(path);
  if (created !== undefined) await chmod(path, 0o700);
  // Who can reach what a linked folder leads to is what counts.
  checkPrivate(path, await stat(path), "700");
}

/**
 * The bytes of a file that only its owner may read; checked on the opened file, so that it cannot be
 * exchanged in between. Throws `exposed`, or the system's error.
 */
export async function readPrivateBytes(path: string): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw Object.assign(new Error("not a file"), { code: "EISDIR" });
    checkPrivate(path, stats, "600");
    return await file.readFile();
  } finally {
    await file.close();
  }
}

function checkPrivate(
  path: string,
  stats: { readonly uid: number; readonly mode: number },
  wanted: "600" | "700",
): void {
  const exposure = exposureOf(stats);
  if (exposure === "foreign")
    throw new AppError("cohort", "exposed", `${path} belongs to another user; it is not used`);
  if (exposure === "open")
    throw new AppError(
      "cohort",
      "exposed",
      `${path} is open to other users, and account numbers are personal data; it is not used`,
      { fix: `chmod ${wanted} ${shellQuote(path)}` },
    );
}
