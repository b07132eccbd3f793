import type { Readable } from "node:stream";
import { longestWait } from "./longest-wait.ts";

/** The output of a process on one of its pipes, while it arrives. */
export interface LiveText {
  /** Everything so far. */
  text(): string;
  /** The complete lines so far. */
  lines(): string[];
  /** Resolves with the first line, past or to come, that holds the text or matches the pattern. */
  waitForLine(wanted: string | RegExp): Promise<string>;
  /** Resolves once the text so far holds or matches it, on a finished line or not. */
  waitForText(wanted: string | RegExp): Promise<void>;
}

interface Wait {
  readonly check: () => boolean;
  readonly fail: (why: string) => void;
}

function holds(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === "string" ? text.includes(wanted) : text.search(wanted) !== -1;
}

/** Collects a pipe's text. `name` is for messages; waits fail when the pipe ends without it. */
export function collectText(pipe: Readable, name: string): LiveText {
  let all = "";
  let ended = false;
  const waits = new Set<Wait>();
  pipe.setEncoding("utf8");
  pipe.on("data", (chunk: string) => {
    all += chunk;
    for (const wait of [...waits]) wait.check();
  });
  pipe.on("close", () => {
    ended = true;
    for (const wait of [...waits]) wait.fail("it has ended");
  });

  const lines = () => all.split("\n").slice(0, -1);

  /** Waits until `find` gives something. */
  const until = <Found>(find: () => Found | undefined, wish: string): Promise<Found> => {
    const failure = new Error();
    const { promise, resolve, reject } = Promise.withResolvers<Found>();
    const timer = setTimeout(() => wait.fail(`gave up after ${longestWait / 1000} s`), longestWait);
    const done = () => {
      clearTimeout(timer);
      waits.delete(wait);
    };
    const wait: Wait = {
      check: () => {
        const found = find();
        if (found === undefined) return false;
        done();
        resolve(found);
        return true;
      },
      fail: (why) => {
        done();
        failure.message = `waited for ${wish} on ${name}; ${why}. It holds:\n${all || "(nothing)"}`;
        reject(failure);
      },
    };
    waits.add(wait);
    if (!wait.check() && ended) wait.fail("it has ended");
    return promise;
  };

  return {
    text: () => all,
    lines,
    waitForLine: (wanted) =>
      until(() => lines().find((line) => holds(line, wanted)), `a line with ${wanted}`),
    waitForText: async (wanted) => {
      await until(() => (holds(all, wanted) ? true : undefined), String(wanted));
    },
  };
}
