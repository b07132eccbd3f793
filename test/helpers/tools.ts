import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The folders of a machine's programs. A release is tested with a PATH that leads nowhere. */
const folders = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"];

/** The path of a program that a test needs besides supplyline; null, with a notice, where it is missing. */
export function toolPath(name: string): string | null {
  const own = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const found = [...own, ...folders]
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
  if (found === undefined) console.warn(`SKIPPED: tests with ${name}, which this machine lacks.`);
  return found ?? null;
}
