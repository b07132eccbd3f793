/** Adds the verdict to the status of an account: since when, and if that is usual. */
import { utcInstant, utcInstantOrNull } from "../../text/dates.ts";
import type { StatusWords } from "../../text/describe-status.ts";
import { isCurrentList, readImportPace } from "../../triage/import-pace.ts";
import { listedIn } from "../../triage/observations/listed-account.ts";
import { type Usual, type Verdict, verdictOf } from "../../triage/verdict.ts";
import { verdictCells, verdictWords } from "../../triage/verdict-words.ts";
import { observe } from "../../watch/timeline.ts";
import type { Invocation } from "../invocation.ts";
import { observing } from "../observing.ts";
import { type Column, column, utcText } from "../rows/columns.ts";
import { isForPeople } from "../rows/print.ts";
import type { Target } from "../target.ts";

export interface VerdictFields {
  readonly since: string | null;
  readonly since_is_exact: boolean | null;
  readonly pending_since: string | null;
  readonly checked_at: string | null;
  readonly verdict: Usual["kind"] | null;
  readonly median_s: number | null;
  readonly supplier_imported_last_hour: number | null;
  readonly supplier_newest_at: string | null;
  readonly supplier_stuck: number | null;
}

export interface AccountVerdict {
  readonly fields: VerdictFields;
  readonly words: {
    /** The state that `since` is about, which might be that of a list. */
    readonly state: Pick<StatusWords, "label" | "meaning">;
    readonly since: string;
    /** The time since which lists show the account as pending, or null. */
    readonly pending: string | null;
    readonly verdict: string;
    readonly others: string | null;
  };
}

export const sinceColumn = column(
  "since",
  `${utcText}, or null`,
  "The start of the status, as far as this machine has seen it or the service reports it.",
);

export const pendingColumn = column(
  "pending_since",
  `${utcText}, or null`,
  "The first list with the account as pending. It might have been pending before.",
);

export const verdictColumn = column(
  "verdict",
  "text or null",
  "`as-usual`; `slow`, longer than nine of ten imports of the supplier; or `stuck`, longer than ten times the median and 30 minutes. Null if the account is not waiting, or fewer than 20 durations were observed.",
);

export const verdictColumns: readonly Column<Partial<VerdictFields>>[] = [
  sinceColumn,
  column("since_is_exact", "boolean or null", "False if the status might be older than `since`."),
  pendingColumn,
  column("checked_at", `${utcText}, or null`, "The time of the answer."),
  verdictColumn,
  column(
    ["median_s", "Median"],
    "number or null",
    "The median duration of the supplier's imports in seconds, if `verdict` is not null.",
  ),
  column(
    ["supplier_imported_last_hour", "Supplier imported"],
    "number or null",
    "The accounts that the supplier imported in the last hour; null if its last list is older than ten minutes, as are the next two.",
  ),
  column(
    ["supplier_newest_at", "Supplier newest"],
    `${utcText}, or null`,
    "The creation time of the supplier's newest account.",
  ),
  column(
    "supplier_stuck",
    "number or null",
    "The number of other accounts of the supplier that are stuck.",
  ),
];

export interface Verdicts {
  readonly areRequested: boolean;
  /** Records a status that was just received. Returns the verdict on it, or null if none is shown. */
  of(account: string, status: string): Promise<AccountVerdict | null>;
}

/** Runs work with the verdicts. Reads the stored observations only if the output shows verdicts. */
export function withVerdicts<T>(
  invocation: Invocation,
  target: Target,
  supplier: string,
  isFlagged: boolean,
  work: (verdicts: Verdicts) => Promise<T>,
): Promise<T> {
  const { globals, io } = invocation;
  const names = verdictColumns.map(({ name }) => name);
  const isChosen = globals.columns?.some((name) => names.includes(name)) ?? false;
  const areRequested = isFlagged || isChosen;
  const areShown = areRequested || (isForPeople(globals) && globals.columns === undefined);
  if (!areShown) return work({ areRequested, of: async () => null });
  const now = () => io.clock.now() - target.service.wrongByMs();
  return observing(invocation, target, async ({ read, saw }) => {
    const stored = read(async (observations) => ({
      ages: await observations.ages(supplier),
      machines: observations.machines(supplier),
      pace: await readImportPace(observations, supplier),
    }));
    return work({
      areRequested,
      async of(account, status) {
        const checkedAt = now();
        const subject = { kind: "account", supplier, number: account } as const;
        const timeline = (await read((observations) => observations.timeline(subject))) ?? [];
        const { ages = null, machines = null, pace = null } = (await stored) ?? {};
        saw(subject, status);
        const verdict = verdictOf({
          kind: "account",
          timeline: observe(timeline, { state: status }, checkedAt),
          listed: ages && listedIn(ages, account, machines),
          pace,
          everyMs: null,
          now: checkedAt,
        });
        return accountVerdict(verdict, checkedAt);
      },
    });
  });
}

function accountVerdict(verdict: Verdict, now: number): AccountVerdict {
  const { since, pendingSince, checkedAt, usual, others } = verdict;
  const cells = verdictCells(verdict, now, utcInstant);
  const current = others !== null && isCurrentList(others.listedAt, now) ? others : null;
  return {
    fields: {
      since: utcInstantOrNull(since?.at ?? null),
      since_is_exact: since?.isExact ?? null,
      pending_since: utcInstantOrNull(pendingSince),
      checked_at: utcInstantOrNull(checkedAt),
      verdict: usual?.kind ?? null,
      median_s: usual === null ? null : Math.round(usual.medianMs / 1_000),
      supplier_imported_last_hour: current?.importedLastHour ?? null,
      supplier_newest_at: utcInstantOrNull(current?.newestAt ?? null),
      supplier_stuck: current?.stuck ?? null,
    },
    words: {
      state: { label: cells.state, meaning: verdict.words.meaning },
      since: cells.since,
      pending: pendingSince === null ? null : `${utcInstant(pendingSince)} or earlier`,
      verdict: cells.verdict,
      others: verdictWords(verdict, now, utcInstant).others,
    },
  };
}
