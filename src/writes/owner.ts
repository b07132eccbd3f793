/** Identifies the process that owns an entry, and checks if that process still runs. */
import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { isDeepStrictEqual } from "node:util";

/** The identity of a process, unique across time and machines. */
export interface Owner {
  readonly pid: number;
  /** Start time in the format of the system. It differs if the system reuses the process number. */
  readonly startedAt: string;
  /** The ID of the machine's boot. It changes with every start of the machine. */
  readonly bootId: string;
  /** The machine, and on Linux the namespace of process numbers, which each container has. */
  readonly host: string;
}

/** The state of a process. `unclear`: it cannot be checked from this machine. */
type Life = "alive" | "dead" | "unclear";

export interface ProcessLife {
  readonly self: Owner;
  lifeOf(owner: Owner): Life;
}

export function processLife(pid: number): ProcessLife {
  const bootId = readBootId();
  const host = [
    hostname(),
    fileText("/etc/machine-id"),
    orEmpty(() => readlinkSync("/proc/self/ns/pid")),
  ].join(" ");
  const self: Owner = { pid, startedAt: startOf(pid) ?? "", bootId, host };
  return {
    self,
    lifeOf: (owner) => {
      if (isDeepStrictEqual(owner, self)) return "alive";
      // A process number of another machine or container has no meaning here. Some systems do not
      // report the start time of a process.
      if (owner.host !== self.host || self.startedAt === "") return "unclear";
      if (owner.bootId !== self.bootId) return "dead";
      const started = startOf(owner.pid);
      return started !== null && started === owner.startedAt ? "alive" : "dead";
    },
  };
}

export function ownerText({ pid, startedAt, bootId, host }: Owner): string {
  return JSON.stringify([pid, startedAt, bootId, host]);
}

export function ownerFrom(stored: string): Owner | null {
  let value: unknown;
  try {
    value = JSON.parse(stored);
  } catch {
    return null;
  }
  if (!Array.isArray(value)) return null;
  const [pid, startedAt, bootId, host] = value as readonly unknown[];
  return typeof pid === "number" &&
    typeof startedAt === "string" &&
    typeof bootId === "string" &&
    typeof host === "string"
    ? { pid, startedAt, bootId, host }
    : null;
}

/** Returns the start time of a process, or null if it does not exist or is a zombie. */
function startOf(pid: number): string | null {
  const stat = fileText(`/proc/${pid}/stat`);
  if (stat !== "") {
    // The process name in parentheses can contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? null : (fields[19] ?? null);
  }
  if (fileText("/proc/self/stat") !== "") return null;
  const started = outputOf("ps", ["-o", "lstart=", "-p", String(pid)]);
  return started === "" ? null : started;
}

function readBootId(): string {
  const linux = fileText("/proc/sys/kernel/random/boot_id");
  return linux === "" ? outputOf("sysctl", ["-n", "kern.bootsessionuuid"]) : linux;
}

/** Returns the text that `read` returns, without surrounding spaces, or none if it throws. */
function orEmpty(read: () => string): string {
  try {
    return read().trim();
  } catch {
    return "";
  }
}

function fileText(path: string): string {
  return orEmpty(() => readFileSync(path, "utf8"));
}

/** The environment of commands, so that no time zone or language changes a start time. */
const neutralEnvironment = { PATH: "/bin:/usr/bin:/sbin:/usr/sbin", TZ: "UTC", LC_ALL: "C" };

function outputOf(command: string, args: readonly string[]): string {
  const stdio: ["ignore", "pipe", "ignore"] = ["ignore", "pipe", "ignore"];
  const options = { encoding: "utf8", timeout: 2000, stdio, env: neutralEnvironment } as const;
  return orEmpty(() => execFileSync(command, args, options));
}
