import { toJson } from "../../json/print.ts";
import { safe } from "../../text/sanitise.ts";
import { truncate } from "../../text/width.ts";
import type { Profile } from "../profile.ts";
import type { CustomCommands, CustomProgram, HookEvent } from "./custom-program.ts";
import { filledIn, namedIn } from "./fill-in.ts";
import { type KillGroup, type Ran, runBounded } from "./run-bounded.ts";
import { itemValues, type Values } from "./values.ts";

/** One thing that ended, or one condition that is met, by the names that a hook can use. */
export type HookItem = Readonly<Record<string, string | number | boolean | undefined>>;

/** What a hook gets to know. */
interface HookEventFacts {
  /** The event in a sentence. */
  readonly text: string;
  readonly items: readonly HookItem[];
}

/** The programs of the user that run beside the console, or after a command. */
export interface Hooks {
  /** Whether anything is run for the event: where not, no one needs to find out. */
  has(event: HookEvent): boolean;
  /** Runs the hooks of an event, a few at a time. Never throws; what fails is reported. */
  fire(event: HookEvent, facts: HookEventFacts): void;
  /** Resolves when no hook is waiting or running. */
  idle(): Promise<void>;
}

export interface HookSurroundings {
  readonly hooks: CustomCommands["hooks"];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Values that are the same for every event. */
  readonly values: () => Values;
  /** Why writes are locked, in words; null while they are not. */
  readonly writeLock: () => string | null;
  /** Says why a hook has not done its work. */
  readonly onProblem: (words: string) => void;
  /** Aborted when the process ends: hooks that still run are killed. */
  readonly end: AbortSignal;
  readonly killGroup: KillGroup;
}

/** Hooks at work at once; the others wait. */
const mostRunning = 4;
/** Hooks that wait; those of a flood beyond it are left out, and that is said. */
const mostWaiting = 1_000;
/** Enough of what a hook prints to say why it failed. */
const hookBytes = 4 * 1024;

/** The hooks of `commands.json`. */
export function createHooks(surroundings: HookSurroundings): Hooks {
  const { hooks, env, values, writeLock, onProblem, end, killGroup } = surroundings;
  const waiting: (() => Promise<void>)[] = [];
  let running = 0;
  let whenIdle = Promise.withResolvers<void>();
  whenIdle.resolve();
  const next = () => {
    const work = running < mostRunning ? waiting.shift() : undefined;
    if (work === undefined) {
      if (running === 0) whenIdle.resolve();
      return;
    }
    running += 1;
    void work().then(() => {
      running -= 1;
      next();
    });
    next();
  };
  const run = async (hook: CustomProgram, given: Values, input: string) => {
    const lock = hook.writes ? writeLock() : null;
    const ready = filledIn(hook, given);
    if (lock !== null || ready.kind === "refused") {
      onProblem(`${hook.entry} was not run: ${ready.kind === "refused" ? ready.words : lock}.`);
      return;
    }
    const ran = await runBounded(ready.program, ready.args, {
      env: { ...env, ...ready.env },
      ...{ input, signal: end, end, killGroup, timeoutMs: hook.timeoutMs, mostBytes: hookBytes },
    });
    const problem = problemWords(hook.entry, ran, hook.timeoutMs);
    if (problem !== null && !end.aborted) onProblem(problem);
  };
  return {
    has: (event) => hooks[event].length > 0,
    fire(event, { text, items }) {
      if (end.aborted) return;
      const all: Values = { ...values(), event, text: safe(text) };
      const jobs = hooks[event].flatMap((hook) => {
        const of = namedIn(hook).some((name) => itemValues.includes(name))
          ? items.map((item) => ({ values: { ...all, ...textsOf(item) }, items: [item] }))
          : [{ values: all, items }];
        return of.map((one) => () => run(hook, one.values, hookInput(all, one.items)));
      });
      if (jobs.length > 0 && running === 0) whenIdle = Promise.withResolvers<void>();
      const left = jobs.splice(mostWaiting - waiting.length);
      if (left.length > 0) onProblem(`Hooks are too slow: ${left.length} were not run.`);
      waiting.push(...jobs);
      next();
    },
    idle: () => whenIdle.promise,
  };
}

function textsOf(item: HookItem): Values {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [name, value === undefined ? value : `${value}`]),
  );
}

/** What a hook reads: one JSON object with what happened, and the items it happened to. */
function hookInput(all: Values, items: readonly HookItem[]): string {
  const { event, text, now, profile, environment, base_url } = all;
  return `${toJson({ event, text, now, profile, environment, base_url, items })}\n`;
}

/** Why a program has not done its work, in one line that is safe to show; null when it has. */
export function problemWords(entry: string, ran: Ran, timeoutMs: number): string | null {
  switch (ran.kind) {
    case "failed":
      return safe(`${entry}: ${ran.words}.`);
    case "stopped":
      return ran.why === "canceled"
        ? `${entry} was stopped.`
        : `${entry} was stopped: it took longer than ${Math.round(timeoutMs / 1_000)} s.`;
    case "ended": {
      // One whose output was cut off fails because of that.
      if (ran.code === 0 || ran.isCut) return null;
      const how = ran.by === null ? `failed with status ${ran.code}` : `was ended by ${ran.by}`;
      const said = firstLine(ran.stderr) ?? firstLine(ran.stdout);
      return `${entry} ${how}${said === null ? "." : `: ${said}`}`;
    }
  }
}

/** The first line that says anything, safe to show and short; null where there is none. */
export function firstLine(text: string): string | null {
  const line = text.split("\n", 200).find((one) => one.trim() !== "");
  return line === undefined ? null : truncate(safe(line.trim()), 200);
}

/**
 * The environment of the user's programs: the console's, without the passwords of proxies that
 * profiles name a variable for.
 */
export function programEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  profiles: readonly Profile[],
): Readonly<Record<string, string | undefined>> {
  const hidden = new Set<string | undefined>([
    ...["SUPPLYLINE_API_KEY", "SUPPLYLINE_TOKEN"],
    ...profiles.map(({ proxyCredentialEnv }) => proxyCredentialEnv),
  ]);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !hidden.has(name)));
}
