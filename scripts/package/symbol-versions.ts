import { spawnSync } from "node:child_process";

/** The newest symbols that the oldest Linux we name has: glibc 2.28, and the libraries of GCC 8. */
const newest: Readonly<Record<string, string>> = {
  GLIBC: "2.28",
  GLIBCXX: "3.4.25",
  CXXABI: "1.3.11",
  GCC: "7.0.0",
};

/** The libraries that this Linux has wherever it is installed, as the dynamic section names them. */
const libraries =
  /^(?:lib(?:c|m|dl|pthread|rt|stdc\+\+|gcc_s)\.so\.\d|ld-linux-(?:x86-64|aarch64)\.so\.\d)$/;

/** Throws when an executable needs a newer Linux than we say, or another library. */
export function checkSymbolVersions(executable: string): void {
  const { stdout, stderr, error } = spawnSync(
    "readelf",
    ["--version-info", "--dynamic", "--wide", executable],
    { encoding: "utf8", maxBuffer: 2 ** 28, env: { ...process.env, LC_ALL: "C" } },
  );
  if (error || stdout === "") throw error ?? new Error(`readelf: ${stderr.trim()}`);
  const faults = tooNew(stdout);
  if (faults.length > 0)
    throw new Error(`The executable needs more than glibc 2.28 and GCC 8: ${faults.join(", ")}`);
}

/** Returns the newer needs of an executable, from the output of `readelf --version-info --dynamic`. */
export function tooNew(printed: string): readonly string[] {
  const named = [...printed.matchAll(/Name: ([A-Z]+)_([\d.]+) /g)];
  const needed = [...printed.matchAll(/\(NEEDED\).*\[(.+)\]/g)].map(([, name = ""]) => name);
  if (named.length === 0 || needed.length === 0)
    throw new Error("readelf printed neither versions nor libraries.");
  const symbols = named
    .filter(([, set = "", version = ""]) => isNewer(version, newest[set] ?? "0"))
    .map(([, set, version]) => `${set}_${version}`);
  return [...new Set([...symbols, ...needed.filter((name) => !libraries.test(name))])];
}

function isNewer(version: string, limit: string): boolean {
  const [has, least] = [version, limit].map((one) => one.split(".").map(Number));
  const at = (has ?? []).findIndex((part, index) => part !== (least?.[index] ?? 0));
  return at !== -1 && (has?.[at] ?? 0) > (least?.[at] ?? 0);
}
