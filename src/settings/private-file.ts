import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  type Stats,
} from "node:fs";
import { AppError } from "../errors/app-error.ts";
import { codeOf } from "../text/disk-words.ts";
import { exposureOf, makeFolder } from "../text/private-folder.ts";
import { shellQuote } from "../text/shell-quote.ts";

/** Far above what settings can grow to; keeps a wrong file from being read into memory. */
const largest = 8 * 1024 * 1024;

/**
 * Reads a file that only its owner may read. Null when it does not exist.
 * The checks are made on the opened file, so that it cannot be exchanged in between.
 * Throws `exposed` for a link, another owner or a mode beyond 0600; `corrupt` when it is no file.
 */
export function readPrivateFile(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    if (code === "ELOOP") throw linked("file", path);
    throw new AppError(
      "settings",
      "corrupt",
      `the settings file ${path} cannot be read (${code})`,
      { fix: code === "EACCES" ? `chmod 600 ${shellQuote(path)}` : null },
    );
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile())
      throw new AppError("settings", "corrupt", `${path} is not a file`, {
        fix: `move ${shellQuote(path)} away`,
      });
    checkPrivate("file", path, stats);
    if (stats.size > largest)
      throw new AppError("settings", "corrupt", `the settings file ${path} is far too large`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** Checks the folder of the settings in the same way; one that does not exist yet is fine. */
export function checkPrivateFolder(path: string): void {
  let stats: Stats;
  try {
    stats = lstatSync(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return;
    const words = `the settings folder ${path} cannot be used (${code})`;
    throw new AppError("settings", "unwritable", words);
  }
  if (stats.isSymbolicLink()) throw linked("folder", path);
  if (!stats.isDirectory())
    throw new AppError("settings", "unwritable", `the settings folder ${path} is a file`, {
      fix: `move ${shellQuote(path)} away, or set SUPPLYLINE_CONFIG_DIR to another folder`,
    });
  checkPrivate("folder", path, stats);
}

/** Creates the folder for its owner alone, whatever the umask, or checks the one that is there. */
export function makePrivateFolder(path: string): void {
  const first = makeFolder(path);
  if (first !== undefined) chmodSync(path, 0o700);
  checkPrivateFolder(path);
}

function checkPrivate(what: "file" | "folder", path: string, stats: Stats): void {
  const exposure = exposureOf(stats);
  if (exposure === "foreign")
    throw new AppError(
      "settings",
      "exposed",
      `the settings ${what} ${path} belongs to another user; it is not used`,
      { fix: `sudo chown "$(id -u)" ${shellQuote(path)}` },
    );
  if (exposure === "open") {
    const mode = what === "file" ? "600" : "700";
    const words = `the settings ${what} ${path} is open to others (mode 0${(stats.mode & 0o777).toString(8)}); it is not used until only you can reach it`;
    throw new AppError("settings", "exposed", words, { fix: `chmod ${mode} ${shellQuote(path)}` });
  }
}

function linked(what: "file" | "folder", path: string): AppError<"settings"> {
  return new AppError(
    "settings",
    "exposed",
    `the settings ${what} ${path} is a symbolic link; it is not used`,
    {
      fix:
        what === "folder"
          ? "set SUPPLYLINE_CONFIG_DIR to the folder it points to"
          : `replace ${shellQuote(path)} by the file it points to`,
    },
  );
}
