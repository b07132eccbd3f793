import { isAppError } from "../errors/app-error.ts";
import type { Form } from "../forms/fields.ts";
import { forms, isFormKind } from "../forms/forms.ts";
import type { Issue } from "../forms/issue.ts";
import { validateValues } from "../forms/validate.ts";
import type { JsonObject } from "../json/exact.ts";
import { bytesOf } from "../json/print.ts";
import type { SavedDraft } from "../state/drafts.ts";
import { commandLine } from "../text/as-command.ts";
import type { InputTime } from "../text/loose-dates.ts";
import { isArgument, shellQuote } from "../text/shell-quote.ts";
import type { GuardOverride } from "../writes/guard.ts";
import type { Target } from "../writes/kinds/kind.ts";
import { kindOf, operationOf } from "../writes/kinds/kinds.ts";
import type { Writes } from "../writes/open-writes.ts";
import { type PreparedWrite, prepareWrite, type WriteRequest } from "../writes/prepare.ts";
import {
  recordWrite,
  type SubmitEvent,
  sendIntent,
  type WriteContext,
  type WriteResult,
} from "../writes/submit.ts";
import { formStateOf } from "./draft-form.ts";
import {
  type EntryTask,
  type Finished,
  type FormEnd,
  type FormTask,
  type SessionTasks,
  startEntry,
} from "./tasks.ts";

/** A draft as it is sent. The bytes are made once, and the review shows the same bytes. */
export interface Plan {
  readonly form: Form;
  /** The body as JSON, its outer `payload` included. */
  readonly body: JsonObject;
  readonly request: WriteRequest;
  readonly prepared: PreparedWrite;
  readonly warnings: readonly Issue[];
}

/** The plan of a draft, or the reason why nothing can be sent. */
export type Planned =
  | { readonly kind: "plan"; readonly plan: Plan }
  | { readonly kind: "invalid"; readonly form: Form; readonly issues: readonly Issue[] }
  | { readonly kind: "unreadable" };

/** Plans the request of a draft. Loosely typed dates become exact as of `typedAt`. */
export function planOf(draft: SavedDraft, typedAt: InputTime): Planned {
  if (!isFormKind(draft.kind)) return { kind: "unreadable" };
  const form = forms[draft.kind];
  const validation = validateValues(form, formStateOf(form, draft).values, typedAt, {
    allowMissing: draft.allowMissing,
  });
  if (!validation.ok) return { kind: "invalid", form, issues: validation.issues };
  const request: WriteRequest = {
    operation: operationOf(draft.kind),
    query: validation.query,
    body: bytesOf(validation.body),
  };
  try {
    const prepared = prepareWrite(request);
    const { body, warnings } = validation;
    return { kind: "plan", plan: { form, body, request, prepared, warnings } };
  } catch (error) {
    if (!isAppError(error, "write")) throw error;
    return { kind: "invalid", form, issues: [{ path: [], message: error.message }] };
  }
}

/** The external account number, or the identifier of a supply point. */
export function numberOf(target: Target): string {
  return target.kind === "account" ? target.externalAccountNumber : target.externalIdentifier;
}

/** The whole address, with its query. */
export function urlOf(baseUrl: string, path: string, query: PreparedWrite["query"]): string {
  const words = new URLSearchParams(query).toString();
  return `${baseUrl}${path}${words === "" ? "" : `?${words}`}`;
}

/**
 * Returns the `supplyline` command that sends the same bytes, with the body on its standard input,
 * or null if a name cannot be an argument. `profile` is null if the option makes no difference.
 */
export function writeCommand(plan: Plan, profile: string | null): string | null {
  const { operation, facts, query, body } = plan.prepared;
  const { target, payload } = facts;
  const text = new TextDecoder().decode(body);
  const allowing = plan.warnings.some(({ about }) => about === "missing")
    ? ["--allow-missing"]
    : [];
  const words = operation.split(" ");
  const { command: takes } = kindOf(operation);
  if (takes === "operand" || target.kind === "supply-point") {
    return fed(text, commandLine({ words: [...words, "-"] }, profile));
  }
  const operands = [target.importSupplier, target.externalAccountNumber];
  if (takes !== "from") {
    const options = takes.options.flatMap((name): [string, string][] =>
      payload[name] === undefined ? [] : [[`--${name}`, String(payload[name])]],
    );
    return commandLine({ words, operands, options, flags: allowing }, profile);
  }
  const unchecked = Object.keys(query)
    .filter((name) => query[name] === "false")
    .map((name) => `--no-${name.replaceAll("_", "-")}`);
  const flags = [...allowing, ...unchecked];
  return fed(text, commandLine({ words, operands, options: [["--from", "-"]], flags }, profile));
}

/** Returns a command with its standard input, or null if a shell cannot express one of them. */
function fed(input: string, line: string | null): string | null {
  return line === null || !isArgument(input) ? null : `printf %s ${shellQuote(input)} | ${line}`;
}

/** A form to send. */
export interface SubmitRequest {
  readonly draft: string;
  readonly writes: () => Promise<Writes>;
  /** Sent one after another, until one is not confirmed. */
  readonly requests: readonly WriteRequest[];
  /** The operator's way past the duplicate guard. */
  readonly again: GuardOverride | null;
  /** Called when a request is in the journal, before it is sent; it must not throw. */
  readonly onRecorded?: (journalId: number) => void;
  /**
   * Called after at least one request was sent and the form has ended, before the end is shown. It
   * must not throw.
   */
  readonly onEnd: (end: FormEnd) => void;
}

/**
 * Sends a form as a task of the session. Never rejects. Returns null if the draft is already being
 * sent.
 */
export function sendForm(
  tasks: SessionTasks,
  form: SubmitRequest,
): Promise<Finished<FormTask>> | null {
  const { requests, again } = form;
  const options = again === null ? {} : { again };
  const sendOne = async (context: WriteContext, id: number, stop: AbortSignal) => {
    const ended = await startEntry(tasks, id, "sending", async ({ signal, onEvent }) => {
      const either = AbortSignal.any([stop, signal]);
      const result = await sendIntent(context, id, { ...options, signal: either, onEvent });
      return { outcome: result.outcome, result };
    });
    if (ended?.kind === "failed") throw ended.error;
    if (!ended?.end.result) throw new Error(`Entry ${id} is being sent elsewhere.`);
    return ended.end.result;
  };
  return tasks.forms.start(form.draft, { entries: [] }, async ({ stop, update }) => {
    const sent: number[] = [];
    const results: WriteResult[] = [];
    let failure: FormEnd["failure"] = null;
    try {
      const { context } = await form.writes();
      for (const request of requests) {
        // Canceling the last request cancels those after it too.
        if (results.length > 0 && stop.aborted) break;
        const id = await recordWrite(context, request, { ...options, signal: stop });
        form.onRecorded?.(id);
        sent.push(id);
        update(() => ({ entries: [...sent] }));
        const result = await sendOne(context, id, stop);
        results.push(result);
        if (result.outcome !== "confirmed") break;
      }
    } catch (error) {
      failure = { error };
    }
    const [first, ...others] = results;
    if (first === undefined) throw failure?.error;
    const events = eventsOf(sent, tasks.entries.all.get());
    const end: FormEnd = { events, results: [first, ...others], failure };
    // The draft is settled on disk before the end is shown.
    form.onEnd(end);
    return end;
  });
}

/** The state of a form that was sent, as its screen shows it. */
export type Submission =
  /** The entry is being recorded. No request can have been sent. */
  | { readonly kind: "recording" }
  | {
      readonly kind: "sending";
      /** The entry of the request that is being sent. */
      readonly journalId: number;
      readonly events: readonly SubmitEvent[];
      /** True if headers of this request have been sent. */
      readonly sent: boolean;
    }
  | ({ readonly kind: "ended" } & FormEnd)
  /** The form was refused before it was sent, or the journal failed. */
  | { readonly kind: "failed"; readonly error: unknown; readonly journalId: number | null };

/** The state of a form from its task and those of its entries. */
export function submissionOf(task: FormTask, entries: ReadonlyMap<number, EntryTask>): Submission {
  const journalId = task.progress.entries.at(-1) ?? null;
  switch (task.kind) {
    case "running":
      return journalId === null
        ? { kind: "recording" }
        : {
            kind: "sending",
            journalId,
            events: eventsOf(task.progress.entries, entries),
            sent: entries.get(journalId)?.progress.sent ?? false,
          };
    case "ended":
      return { kind: "ended", ...task.end };
    case "failed":
      return { kind: "failed", error: task.error, journalId };
  }
}

function eventsOf(
  ids: readonly number[],
  entries: ReadonlyMap<number, EntryTask>,
): readonly SubmitEvent[] {
  return ids.flatMap((journalId) => [
    { kind: "queued", journalId } as const,
    ...(entries.get(journalId)?.progress.events ?? []).filter(({ kind }) => kind !== "outcome"),
  ]);
}
