import { existsSync, readFileSync } from "node:fs";
import type { Reading } from "./rounds.ts";

/** Clock ticks in a second of /proc/PID/stat; it is 100 wherever Linux runs on 64 bits. */
const ticksPerSecond = 100;
const noProc = { skipped: "this system has no /proc" };

/** The most memory a process has held so far, in MB (10⁶ bytes). */
export function peakMemory(pid: number): Reading {
  return statusField(pid, "VmHWM");
}

/** The memory a process holds now, in MB (10⁶ bytes). */
export function memory(pid: number): Reading {
  return statusField(pid, "VmRSS");
}

/** Processor time a process has used, threads included, in milliseconds. */
export function processorTime(pid: number): Reading {
  if (!existsSync("/proc/self/stat")) return noProc;
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name, in brackets, may hold blanks; user and system time are the 14th and 15th field.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1000;
}

/** Processor time of a process and of all that it has started, in milliseconds. */
export function processorTimeOfAll(pid: number): Reading {
  if (!existsSync("/proc/self/stat")) return noProc;
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // User and system time of its children that have ended are the 16th and 17th field.
  const ended = ((Number(fields[13]) + Number(fields[14])) / ticksPerSecond) * 1000;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  const all = [`${pid}`, ...children].filter((one) => one !== "");
  return all.reduce((sum, one) => sum + timeOrNone(Number(one)), ended);
}

/** Returns the processor time of a process, or 0 if it has ended meanwhile. */
function timeOrNone(pid: number): number {
  try {
    return Number(processorTime(pid));
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes(String((error as NodeJS.ErrnoException).code))) return 0;
    throw error;
  }
}

function statusField(pid: number, name: string): Reading {
  if (!existsSync("/proc/self/status")) return noProc;
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1];
  return kilobytes === undefined ? noProc : (Number(kilobytes) * 1024) / 1e6;
}
