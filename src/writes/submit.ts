/** Records and sends a write, for every command and form. */
import { ServiceError } from "../api/errors.ts";
import { askGuard, barOf } from "./guard.ts";
import { addIntent } from "./journal/changes.ts";
import { noEntry, readEntry } from "./journal/entry.ts";
import { addOverride } from "./journal/override.ts";
import { newWriteDoubt } from "./older-journal.ts";
import { prepareWrite, type WriteRequest } from "./prepare.ts";
import {
  report,
  type SendOptions,
  type SubmitOptions,
  throwIfRefused,
  type WriteContext,
  type WriteResult,
} from "./send/events.ts";
import { sendEntry } from "./send/send-entry.ts";
import { barredError } from "./words/guard.ts";

/**
 * Records a write, sends it and resolves with its outcome. Every event is on disk before it is
 * reported. Rejects with a write error or a journal error if nothing was sent. Once recorded, a
 * failure of the request is its outcome and not an error.
 */
export async function submit(
  context: WriteContext,
  request: WriteRequest,
  options: SubmitOptions,
): Promise<WriteResult> {
  const id = await recordWrite(context, request, options);
  return sendIntent(context, id, options);
}

export async function recordWrite(
  context: WriteContext,
  request: WriteRequest,
  options: SubmitOptions & { readonly parent?: number },
): Promise<number> {
  const write = prepareWrite(request);
  const { journal, service, process, clock, profile } = context;
  const { baseUrl } = service;
  if (options.signal.aborted) {
    throw new ServiceError("cancelled", "canceled before it was recorded", { sent: false });
  }
  throwIfRefused(context, options);
  const doubt = newWriteDoubt(journal, write);
  if (doubt !== null) throw doubt;
  await options.atPoint?.("before-intent");
  const journalId = await journal.commit((rows) => {
    const at = clock.now();
    const { run, line, parent, override } = options;
    const bar = barOf(askGuard(rows, { baseUrl, write }, { passes: override?.passes ?? [] }));
    if (bar !== null) throw barredError(bar);
    const owner = process.self;
    const id = addIntent(rows, { write, profile, baseUrl, owner, at, run, line, parent });
    if (override !== undefined) addOverride(rows, id, override, at);
    return id;
  });
  await options.atPoint?.("intent-committed");
  report(options, { kind: "queued", journalId });
  await options.atPoint?.("queued-reported");
  return journalId;
}

/** Sends an entry that `recordWrite` has recorded, even in another process. */
export function sendIntent(
  context: WriteContext,
  journalId: number,
  options: SendOptions,
): Promise<WriteResult> {
  return sendEntry(context, journalId, ["intent", "unsent"], options);
}

/** Returns an entry. Throws a write error `not-found`. */
export function entryOf(context: Pick<WriteContext, "journal">, id: number) {
  const entry = context.journal.read((rows) => readEntry(rows, id));
  if (entry === null) throw noEntry(id);
  return entry;
}
