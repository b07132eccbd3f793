import { prepareWrite, type WriteRequest } from "../../writes/prepare.ts";
import { submit } from "../../writes/submit.ts";
import type { Invocation } from "../invocation.ts";
import { withTarget } from "../target.ts";
import type { Explain } from "./complaints.ts";
import { dryWrite, printRequests } from "./dry-run.ts";
import { passGate } from "./gate.ts";
import { printOutcome } from "./outcome.ts";
import { progressOf } from "./progress.ts";
import { doingOf, idOf, subjectOf } from "./subject.ts";
import { mentionUnknown, withWrites } from "./with-writes.ts";
import type { WriteOptions } from "./write-options.ts";

export interface Write extends WriteOptions {
  readonly request: WriteRequest;
  /** Sends a form that was refused before all the same. */
  readonly againBecause?: { readonly reason: string } | undefined;
  /** Tells a refusal at the places where the fields were given. */
  readonly explain: Explain;
}

/**
 * Makes one write: checked, let through, recorded, sent, and its outcome printed. Resolves with the
 * exit code of that outcome. With `dryRun` the request is printed and that is all.
 */
export async function makeWrite(invocation: Invocation, write: Write): Promise<number> {
  const prepared = prepareWrite(write.request);
  const { operation, facts } = prepared;
  const doing = doingOf(operation, facts.target, facts.items.length);
  const { io, globals } = invocation;
  return withTarget(invocation, async (target) => {
    const { service, profile } = target;
    if (write.dryRun === true)
      return printRequests(invocation, [dryWrite(service.baseUrl, prepared)]);
    await passGate(invocation, profile, { doing, id: idOf(facts.target) });
    const context = target.context(doing, subjectOf(facts.target));
    const { timeoutMs } = globals;
    const { settle, againBecause, explain } = write;
    return withWrites(invocation, target, async (writes) => {
      mentionUnknown(invocation, writes);
      const result = await submit(writes.context, write.request, {
        signal: io.signal,
        onEvent: progressOf(invocation),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(settle === undefined ? {} : { settleMs: settle }),
        ...(againBecause === undefined ? {} : { again: againBecause }),
      });
      return printOutcome(invocation, {
        query: prepared.query,
        result,
        facts,
        context,
        brand: profile.brand,
        explain,
      });
    });
  });
}
