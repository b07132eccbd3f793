/** Adds the tasks of a session to the command log. */
import { profileFlag } from "../settings/sandbox-profile.ts";
import type { Profile } from "../settings/schemas.ts";
import { asCommand, commandLine, sandboxName } from "../text/as-command.ts";
import { count } from "../text/numbers.ts";
import type { Entry } from "../writes/journal/entry.ts";
import type { CommandLog, LoggedEnd } from "./command-log.ts";
import { reconcilePlace } from "./reconcile-place.ts";
import type { EntryTask, ReconcileTask, RunTask, SessionTasks, Task, Tasks } from "./tasks.ts";

/**
 * Logs the tasks of a session: entries that are sent, verified or resent, bulk runs and
 * comparisons. `entryOf` returns the journal entry of a task, or null if the journal is closed.
 */
export function logTasks(
  tasks: SessionTasks,
  log: CommandLog,
  options: {
    readonly profile: string | null;
    readonly entryOf: (id: number) => Promise<Pick<Entry, "operation" | "target"> | null>;
  },
): void {
  const { profile, entryOf } = options;
  follow(tasks.entries, (id, task: EntryTask) => {
    const { doing, reason } = task.progress;
    const detail = detailOf(profile, `supplyline activity show ${id} --json`);
    if (doing === "sending") {
      const end = entryOf(id)
        .then((entry) => (entry === null ? `# entry ${id}` : createLine(entry, profile)))
        .then((line) => log.begin("write", line));
      return (ended) => void end.then((over) => over(entryEnd(ended, detail)));
    }
    const verb = doing === "Verifying" ? "verify" : "resend";
    const again =
      reason === null ? {} : { flags: ["--again"], options: [["--reason", reason] as const] };
    const line = commandLine({ words: ["activity", verb, `${id}`], ...again }, profile);
    const end = log.begin("write", line ?? `# ${verb} entry ${id}`);
    return (ended) => end(entryEnd(ended, detail));
  });
  follow(tasks.runs, (run) => {
    const line = asCommand({ kind: "run-resume", run }, profile);
    const end = log.begin("write", line ?? `# run ${run}`);
    const detail = detailOf(profile, `supplyline bulk report ${run}`);
    return (ended) => end(runEnd(ended, detail));
  });
  follow(tasks.reconciles, (supplier, { progress }) => {
    const line = asCommand(reconcilePlace(supplier, progress.chosen), profile);
    const end = log.begin("read", line ?? "# reconcile");
    return (ended) => end(reconcileEnd(ended));
  });
}

/** Logs that the operator closed an entry. Nothing is sent for it. */
export function logClosing(
  { log, profile }: { readonly log: CommandLog; readonly profile: Profile },
  id: number,
  reason: string,
): (end: LoggedEnd) => void {
  const close = { words: ["activity", "close", `${id}`], options: [["--reason", reason]] } as const;
  return log.begin("write", commandLine(close, profileFlag(profile)) ?? `# close entry ${id}`);
}

/** Calls `begun` for each task that starts, and calls its result with the end of the task. */
function follow<Id, Progress, End>(
  { all }: Tasks<Id, Progress, End>,
  begun: (id: Id, task: Task<Progress, End>) => (ended: Task<Progress, End>) => void,
): void {
  const running = new Map<Id, (ended: Task<Progress, End>) => void>();
  all.subscribe(() => {
    for (const [id, task] of all.get()) {
      const end = running.get(id);
      if (task.kind === "running") {
        if (end === undefined) running.set(id, begun(id, task));
      } else if (end !== undefined) {
        running.delete(id);
        end(task);
      }
    }
  });
}

/**
 * Returns the command that creates an entry, without its body: the body comes from standard input
 * or from options.
 */
async function createLine(
  { operation, target }: Pick<Entry, "operation" | "target">,
  profile: string | null,
): Promise<string> {
  const { kindOf } = await import("../writes/kinds/kinds.ts");
  const words = operation.split(" ");
  const { command, path } = kindOf(operation);
  const line =
    target.kind === "supply-point" || command === "operand"
      ? commandLine({ words: [...words, "-"] }, profile)
      : commandLine(
          {
            words,
            operands: [target.importSupplier, target.externalAccountNumber],
            options: command === "from" ? [["--from", "-"]] : [],
          },
          profile,
        );
  return line ?? `POST ${path}`;
}

/** Returns the place of the details of a write, as a sentence. */
function detailOf(profile: string | null, command: string): string {
  return profile === sandboxName
    ? "The journal of the embedded sandbox is in this console alone: Activity has the rest."
    : `The journal has the rest: ${command}`;
}

function entryEnd(task: EntryTask, detail: string): LoggedEnd {
  if (task.kind !== "ended") return { text: "failed", tone: "bad", detail };
  const { outcome } = task.end;
  const tone = outcome === "confirmed" ? "ok" : outcome === "rejected" ? "bad" : "waiting";
  return { text: outcome, tone, detail };
}

function runEnd(task: RunTask, detail: string): LoggedEnd {
  if (task.kind !== "ended") return { text: "failed", tone: "bad", detail };
  const { kind } = task.end;
  return { text: kind, tone: kind === "ended" ? "ok" : "waiting", detail };
}

function reconcileEnd(task: ReconcileTask): LoggedEnd {
  if (task.kind !== "ended") return { text: "failed", tone: "bad" };
  const { source, counts } = task.end.result;
  return { text: `${count(counts.imported)} of ${count(source.rows)}`, tone: "ok" };
}
