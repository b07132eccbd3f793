/** A PostgreSQL cluster on loopback that a test starts, where Debian's package is installed. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** The folder of initdb and pg_ctl, the latest version first; null where the package is missing. */
export const clusterPrograms: string | null = (() => {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).map(Number).filter(Number.isFinite) : [];
  const folders = versions
    .toSorted((one, other) => other - one)
    .map((n) => join(root, `${n}`, "bin"));
  return folders.find((folder) => existsSync(join(folder, "initdb"))) ?? null;
})();

/** A running cluster. */
export interface Cluster extends Disposable {
  readonly port: number;
  readonly folder: string;
  /** Returns the ID of the first process of the running cluster. */
  pid(): number;
  /** Stops the cluster as a power failure would, without a checkpoint. */
  kill(): void;
  start(more?: Readonly<Record<string, string>>): void;
  /** Copies the files of the cluster, which is stopped for it. */
  backUp(): void;
  /** Puts the backup in the place of the files of the cluster, which is stopped for it. */
  restore(): void;
  /** Sends a signal to every process of the cluster. */
  signal(name: NodeJS.Signals): void;
}

/** The unprivileged user of a test that root runs: PostgreSQL refuses root. */
const nobody = 65_534;

/** Returns the user of the programs of a cluster, as options of a process. */
export function serverUser(): { readonly uid?: number; readonly gid?: number } {
  return process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
}

/** Starts a cluster in a temporary folder. Its superuser is `owner`, and loopback is trusted. */
export async function startCluster(
  settings: Readonly<Record<string, string>> = {},
): Promise<Cluster> {
  if (clusterPrograms === null) throw new Error("PostgreSQL is not on this machine.");
  const programs = clusterPrograms;
  const folder = mkdtempSync(join(tmpdir(), "supplyline-cluster-"));
  const port = await freePort();
  const user = serverUser();
  if (user.uid !== undefined) chownSync(folder, nobody, nobody);
  const data = join(folder, "data");
  const run = (program: string, ...words: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(resolve(programs, program), words, {
      ...user,
      cwd: folder,
      encoding: "utf8",
      // The server would hold a pipe open.
      stdio: program === "pg_ctl" ? "ignore" : "pipe",
      env: { PATH: process.env.PATH ?? "", LANG: "C.UTF-8", HOME: folder, PGDATA: data },
    });
    if (status !== 0)
      throw new Error(`${program} ended with ${status}: ${stdout ?? ""}${stderr ?? ""}`);
    return stdout ?? "";
  };
  run("initdb", "--no-sync", "--auth=trust", "--username=owner", "--encoding=UTF8");
  const all = {
    listen_addresses: "127.0.0.1",
    port: `${port}`,
    unix_socket_directories: folder,
    fsync: "off",
    max_connections: "120",
    ...settings,
  };
  const start = (more: Readonly<Record<string, string>> = {}) => {
    const options = Object.entries({ ...all, ...more }).map(
      ([name, value]) => `-c ${name}='${value}'`,
    );
    run(
      "pg_ctl",
      "start",
      "--wait",
      `--log=${join(folder, "log")}`,
      `--options=${options.join(" ")}`,
    );
  };
  const pid = () => Number.parseInt(readFileSync(join(data, "postmaster.pid"), "utf8"), 10);
  const kill = () => void run("pg_ctl", "stop", "--wait", "--mode=immediate");
  const whileStopped = (work: () => void) => {
    kill();
    work();
    start();
  };
  const backup = join(folder, "backup");
  start();
  return {
    port,
    folder,
    pid,
    kill,
    start,
    backUp: () => whileStopped(() => void run("/bin/cp", "-a", data, backup)),
    restore: () =>
      whileStopped(() => {
        rmSync(data, { recursive: true });
        renameSync(backup, data);
      }),
    signal: (name) => {
      const first = `${pid()}`;
      const children = spawnSync("ps", ["-o", "pid=", "--ppid", first], {
        encoding: "utf8",
      }).stdout;
      for (const pid of [first, ...children.split("\n")])
        if (pid.trim() !== "") process.kill(Number(pid), name);
    },
    [Symbol.dispose]: () => {
      try {
        kill();
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Returns a port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
