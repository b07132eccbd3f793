import { isServiceError, ServiceError } from "../../api/errors.ts";
import type { AccountStatus } from "../../api/service.ts";
import { asCommand } from "../../text/as-command.ts";
import { accountStatuses } from "../../text/describe-status.ts";
import { count } from "../../text/numbers.ts";
import type { Seen } from "../../triage/list-watch/list-members.ts";
import { createListPace } from "../../triage/list-watch/list-pace.ts";
import { createListWatch, type ListWatchEvent } from "../../triage/list-watch/list-watch.ts";
import { listsOf } from "../../triage/list-watch/service-lists.ts";
import type { NumberSet } from "../../triage/number-set.ts";
import { notFound } from "../../watch/transitions.ts";
import { failedCall } from "../command-error.ts";
import { mostSevere } from "../exit-codes.ts";
import { failureOf } from "../failure.ts";
import type { Invocation } from "../invocation.ts";
import type { Target } from "../target.ts";
import { type Change, isTransient, type Outcome } from "./follow.ts";
import { endsAll, failuresOf, hintAtStatus, type StopCondition, watchSpan } from "./watch-end.ts";

/** The accounts that are watched by lists, and the conditions that end the watch. */
interface ListPlan extends StopCondition {
  readonly supplier: string;
  readonly numbers: NumberSet;
  readonly until: string;
  readonly intervalMs: number;
  /** True to wait for an account that the service does not know. */
  readonly wait: boolean;
  changed(change: Change<AccountStatus>): Promise<void>;
  /** The observations that record complete lists, or null to record nothing. */
  readonly observations: Parameters<typeof listsOf>[1]["observations"];
}

const notKnown = new ServiceError("not-found", "Not found (404).", { httpStatus: 404 });

/** Maximum number of reported accounts that did not end in time. The others are counted. */
const mostTimedOut = 20;

/**
 * Follows many accounts of one supplier with one list per round (INTERFACE 4.9) and look-ups of those
 * that left it (4.8), until each has ended or `--timeout` has passed. Reports and exit codes are those
 * of a watch by statuses.
 */
export async function followLists(
  invocation: Invocation,
  target: Target,
  plan: ListPlan,
): Promise<number> {
  const { io } = invocation;
  hintAtStatus(invocation, { until: plan.until, statuses: accountStatuses });
  if (plan.until.toUpperCase() !== "COMPLETED")
    invocation.notice(
      `Lists show pending and imported accounts; ${plan.until} is seen only of an account that is on no list.`,
    );
  const { signal, end } = watchSpan(invocation);
  const followed = new ListFollowing(invocation, target, plan, signal);
  let outcomes: readonly Outcome[];
  try {
    outcomes = await followed.run(end);
  } finally {
    end();
  }
  io.signal.throwIfAborted();
  const failures = failuresOf(invocation, outcomes, plan, followed.contextOf);
  let timedOut = 0;
  for (const failure of failures) {
    if (failure.kind === "watch-timed-out" && ++timedOut > mostTimedOut) continue;
    invocation.report(failure);
  }
  if (timedOut > mostTimedOut)
    invocation.problem(
      `${count(timedOut - mostTimedOut)} more accounts were not ${plan.until} in that time.`,
    );
  return mostSevere(failures.map((failure) => failure.exitCode));
}

/** One watch by lists while it runs. */
class ListFollowing {
  readonly contextOf: (id: string) => ReturnType<Target["context"]>;
  readonly #invocation: Invocation;
  readonly #target: Target;
  readonly #plan: ListPlan;
  readonly #watch: ReturnType<typeof createListWatch>;
  readonly #outcomes: Outcome[] = [];
  readonly #troubledIds = new Set<string>();
  /** The last failure of a list, until one is complete. */
  #trouble: string | null = null;
  #isHeldBack = false;
  #isEnough = false;
  #hasList = false;

  constructor(invocation: Invocation, target: Target, plan: ListPlan, signal: AbortSignal) {
    const { io } = invocation;
    const { supplier, numbers } = plan;
    this.#invocation = invocation;
    this.#target = target;
    this.#plan = plan;
    this.contextOf = (id) => target.context(`looking at ${id}`, { kind: "account", supplier, id });
    this.#watch = createListWatch({
      ...listsOf(target.service, {
        supplier,
        clock: io.clock,
        observations: plan.observations,
      }),
      numbers: () => numbers,
      pace: createListPace(io.clock),
      askedMs: plan.intervalMs,
      clock: io.clock,
      signal,
    });
  }

  /** Follows until everything has ended; `enough` stops it before. */
  async run(enough: () => void): Promise<readonly Outcome[]> {
    for await (const event of this.#watch.events()) {
      await this.#take(event);
      if (this.#isEnough) {
        enough();
        break;
      }
    }
    for (const { number, state } of this.#watch.stillOpen())
      this.#outcomes.push({ kind: "stopped", id: number, state });
    return this.#outcomes;
  }

  async #take(event: ListWatchEvent): Promise<void> {
    switch (event.kind) {
      case "checking":
        return;
      case "round":
        this.#hasList = true;
        this.#listRead(event.heldBack !== null);
        for (const seen of event.seen) await this.#saw(seen, event.at);
        return;
      case "looked-up":
        if (this.#troubledIds.delete(event.seen.number))
          this.#invocation.notice(`${event.seen.number}: the service responds again.`);
        return this.#saw(event.seen, event.at);
      case "failed":
        return this.#listFailed(event.error);
      case "look-up-failed":
        return this.#lookUpFailed(event.number, event.error);
    }
  }

  async #saw(seen: Seen, at: number): Promise<void> {
    const { number: id, state, previous } = seen;
    const value =
      state === notFound ? null : { status: state, service_account_number: seen.serviceNumber };
    if (state === notFound && previous === null && !this.#plan.wait) {
      this.#end({ kind: "missing", id, error: notKnown });
      return;
    }
    if (state !== previous) {
      await this.#plan.changed({ id, at, state, previous, value });
    }
    if (state.toUpperCase() === this.#plan.until.toUpperCase()) this.#end({ kind: "reached", id });
    else if (state === "COMPLETED" || seen.hasFailed)
      this.#end({ kind: "other-final-state", id, state });
  }

  #end(outcome: Outcome): void {
    this.#watch.close(outcome.id);
    this.#outcomes.push(outcome);
    this.#isEnough ||= endsAll(outcome, this.#plan);
  }

  #listRead(isHeldBack: boolean): void {
    const { supplier } = this.#plan;
    if (this.#trouble !== null) this.#invocation.notice(`${supplier}: the service responds again.`);
    this.#trouble = null;
    if (isHeldBack === this.#isHeldBack) return;
    this.#isHeldBack = isHeldBack;
    const { profile = null } = this.#invocation.globals;
    const confirm = asCommand({ kind: "observations-confirm", supplier }, profile);
    const words = `The list of ${supplier} lacks many accounts that it had before, so none counts as having left it. If that is right: ${confirm}`;
    if (isHeldBack) this.#invocation.notice(words);
  }

  #listFailed(error: unknown): void {
    const { supplier, wait } = this.#plan;
    const context = this.#target.context(`listing the accounts of ${supplier}`, {
      kind: "supplier",
      supplier,
    });
    const isMissing = isServiceError(error, "not-found");
    if (!(isMissing ? wait || this.#hasList : isTransient(error))) throw failedCall(error, context);
    const failure = failureOf(error, context);
    const seen = `${failure.kind} ${failure.httpStatus ?? ""}`;
    if (this.#trouble === seen) return;
    this.#trouble = seen;
    this.#invocation.report(failure);
  }

  #lookUpFailed(id: string, error: unknown): void {
    if (!isTransient(error)) throw failedCall(error, this.contextOf(id));
    if (this.#troubledIds.has(id)) return;
    this.#troubledIds.add(id);
    this.#invocation.report(failureOf(error, this.contextOf(id)));
  }
}
