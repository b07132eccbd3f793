/** Adds the requests and the tasks of a session to the command log. */
import { isServiceError } from "../api/errors.ts";
import type { ListBody, Service } from "../api/service.ts";
import { type ReadPath, readPaths } from "../api/url.ts";
import { profileFlag } from "../settings/sandbox-profile.ts";
import type { Profile } from "../settings/schemas.ts";
import { asCommand, type CommandPlace, commandLine, sandboxName } from "../text/as-command.ts";
import { bytes, count } from "../text/numbers.ts";
import type { RowClass } from "../triage/reconcile/classes.ts";
import type { Closing, Entry } from "../writes/journal/entry.ts";
import { validateSupplyPointPath } from "../writes/kinds/kind.ts";
import type { CommandLog, LoggedEnd } from "./command-log.ts";
import type {
  ChosenSource,
  EntryTask,
  ReconcileTask,
  RunTask,
  SessionTasks,
  Task,
  Tasks,
} from "./tasks.ts";

/**
 * Returns the service with a log of its reads and of the validations of supply points. Entries are
 * logged as tasks by `logTasks`.
 */
export function loggedService(service: Service, log: CommandLog, profile: string | null): Service {
  const begin = (place: CommandPlace, [path, ...identifiers]: ReadPath) => {
    // A name that cannot be an argument is percent-encoded in the address.
    const names = identifiers.map((name) => encodeURIComponent(name.toWellFormed()));
    const line = asCommand(place, profile) ?? `GET /${[path, ...names].join("/")}/`;
    return log.begin("read", line);
  };
  const { accounts, supplyPoints, ...others } = service;
  const { baseUrl, authenticate, rateLimit, renewConnections, reach } = others;
  const { clockAheadMs, trustedNow, wrongByMs, close } = others;
  // Each member is named, so that a new kind of read cannot pass without a log.
  return {
    baseUrl,
    authenticate,
    rateLimit,
    renewConnections,
    reach,
    clockAheadMs,
    trustedNow,
    wrongByMs,
    close,
    read(path, options) {
      return logged(log.begin("read", `GET ${path}`), service.read(path, options));
    },
    accounts: {
      status(supplier, account, options) {
        const place = { kind: "account-status", supplier, account } as const;
        const end = begin(place, readPaths.accountStatus(supplier, account));
        return logged(end, accounts.status(supplier, account, options));
      },
      async list(supplier, state, options) {
        const place = { kind: "accounts-list", supplier, state } as const;
        const end = begin(place, readPaths.list(state, supplier));
        try {
          return loggedList(await accounts.list(supplier, state, options), end);
        } catch (error) {
          end(failed(error));
          throw error;
        }
      },
    },
    supplyPoints: {
      status(supplier, id, options) {
        const place = { kind: "supply-point-status", supplier, id } as const;
        const end = begin(place, readPaths.supplyPointStatus(supplier, id));
        return logged(end, supplyPoints.status(supplier, id, options));
      },
    },
    post(request, options) {
      const validation = commandLine({ words: ["supply-points", "validate", "-"] }, profile);
      const isValidation = request.path === validateSupplyPointPath && validation !== null;
      const line = isValidation ? validation : `POST ${request.path}`;
      return logged(log.begin("read", line), service.post(request, options));
    },
  };
}

async function logged<T extends { readonly httpStatus: number }>(
  end: (end: LoggedEnd) => void,
  call: Promise<T>,
): Promise<T> {
  try {
    const value = await call;
    end({ text: `${value.httpStatus}`, tone: "ok" });
    return value;
  } catch (error) {
    end(failed(error));
    throw error;
  }
}

function loggedList(list: ListBody, end: (end: LoggedEnd) => void): ListBody {
  async function* chunks(): ListBody["chunks"] {
    let ended: LoggedEnd = failed(null);
    try {
      yield* list.chunks;
      ended = { text: bytes(list.wireBytes()), tone: "plain" };
    } catch (error) {
      ended = failed(error);
      throw error;
    } finally {
      end(ended);
    }
  }
  return { ...list, chunks: chunks() };
}

/** Returns the end of a failed call. A null error is a call that was canceled. */
function failed(error: unknown): LoggedEnd {
  if (error !== null && !isServiceError(error)) return { text: "failed", tone: "bad" };
  const kind = error?.kind ?? "cancelled";
  if (kind === "cancelled") return { text: "canceled", tone: "waiting" };
  const status = error?.facts.httpStatus ?? 200;
  return { text: status < 200 || status >= 300 ? `${status}` : kind, tone: "bad" };
}

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
      return (ended) => void end.then((logEnd) => logEnd(entryEnd(ended, detail)));
    }
    const verb = doing === "Verifying" ? "verify" : "resend";
    const override =
      reason === null ? {} : { flags: ["--again"], options: [["--reason", reason] as const] };
    const line = commandLine({ words: ["activity", verb, `${id}`], ...override }, profile);
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

export function logClosing(
  { log, profile }: { readonly log: CommandLog; readonly profile: Profile },
  entry: string,
  { reason, tookEffect }: Closing,
): (end: LoggedEnd) => void {
  const options = [["--took-effect", tookEffect] as const, ["--reason", reason] as const];
  const close = { words: ["activity", "close", entry], options };
  return log.begin("write", commandLine(close, profileFlag(profile)) ?? `# close entry ${entry}`);
}

function follow<Id, Progress, End>(
  { all }: Tasks<Id, Progress, End>,
  onStart: (id: Id, task: Task<Progress, End>) => (ended: Task<Progress, End>) => void,
): void {
  const running = new Map<Id, (ended: Task<Progress, End>) => void>();
  all.subscribe(() => {
    for (const [id, task] of all.get()) {
      const end = running.get(id);
      if (task.kind === "running") {
        if (end === undefined) running.set(id, onStart(id, task));
      } else if (end !== undefined) {
        running.delete(id);
        end(task);
      }
    }
  });
}

/** Returns the command that creates an entry. The body comes from standard input or options. */
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

/** Returns a comparison's place for its command. A pasted list becomes its standard input. */
export function reconcilePlace(
  supplier: string,
  chosen: ChosenSource,
  only?: RowClass,
): Extract<CommandPlace, { readonly kind: "reconcile" }> {
  const common = { kind: "reconcile", supplier, only } as const;
  switch (chosen.kind) {
    case "file":
      return { ...common, source: chosen.path, column: chosen.column ?? undefined };
    case "cohort":
      return { ...common, cohort: chosen.name };
    case "pasted":
      return { ...common, source: "-" };
  }
}
