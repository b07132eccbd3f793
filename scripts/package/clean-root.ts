import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** A folder to be the root of processes: an executable, the libraries that it names, and no other program. */
export interface CleanRoot {
  /** A script that starts the executable in it, in the folder where the script is started. */
  readonly program: string;
  /** The words that run a command with what a process needs of the system mounted in the root. */
  readonly mounted: readonly string[];
}

/** Where processes have their files: from outside and from inside by one name. */
const shared = ["tmp", "dev", "proc"] as const;

/** Makes a clean root of a folder that has the executable at `usr/bin/supplyline`. */
export function makeCleanRoot(root: string): CleanRoot {
  const executable = join(root, "usr/bin/supplyline");
  const { stdout } = spawnSync("/usr/bin/ldd", [executable], { encoding: "utf8" });
  for (const [path] of stdout.matchAll(/\/\S+(?= \(0x)/g)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    copyFileSync(realpathSync(path), join(root, path));
    chmodSync(join(root, path), 0o755);
  }
  for (const name of shared) mkdirSync(join(root, name), { recursive: true });
  // The same machine, or what one process records would be another machine's to the next one outside.
  const machine = "/etc/machine-id";
  mkdirSync(join(root, "etc"));
  if (existsSync(machine)) copyFileSync(machine, join(root, machine));
  // Some tests start it in the checkout, of which there is only the empty folder.
  mkdirSync(join(root, process.cwd()), { recursive: true });
  const program = `${root}.sh`;
  const enter = `exec /usr/bin/unshare --root='${root}' --wd="$PWD" -- /usr/bin/supplyline "$@"`;
  writeFileSync(program, `#!/bin/sh\n${enter}\n`, { mode: 0o755 });
  const mounts = shared.map((name) => `/usr/bin/mount --rbind /${name} '${root}/${name}'`);
  const script = `${mounts.join(" && ")} && exec "$@"`;
  const isRoot = process.getuid?.() === 0;
  const own = ["--mount", "--propagation=private", ...(isRoot ? [] : ["--map-root-user"])];
  return { program, mounted: ["/usr/bin/unshare", ...own, "/bin/sh", "-c", script, "sh"] };
}

/** Why this machine cannot run the executable in the root; null when it can. */
export function refusalOf({ mounted, program }: CleanRoot): string | null {
  const [command = "", ...words] = [...mounted, program, "--version"];
  const { status, stderr, error } = spawnSync(command, words, { cwd: "/tmp", encoding: "utf8" });
  return status === 0 ? null : (error?.message ?? stderr.trim());
}
