import type { Again } from "../writes/guard.ts";

/** How a run was told to go; kept with it, so that a resumed run goes the same way. */
export interface Pace {
  /** Requests under way at the most. */
  readonly concurrency?: number | undefined;
  /** Milliseconds before something is sent again that may still be running. */
  readonly settleMs?: number | undefined;
  /** The operator's way past the duplicate guard, for every row of it. */
  readonly again?: Again | undefined;
}

/** The pace as texts, to be kept with a run beside how its input is read; nothing of what was not told. */
export function paceText({ concurrency, settleMs, again }: Pace): Readonly<Record<string, string>> {
  return {
    ...(concurrency === undefined ? {} : { concurrency: String(concurrency) }),
    ...(settleMs === undefined ? {} : { settleMs: String(settleMs) }),
    ...(again === undefined ? {} : { again: again.reason }),
  };
}

/** What {@link paceText} kept; anything else counts as not told. */
export function paceFrom(kept: Readonly<Record<string, string>>): Pace {
  const { again } = kept;
  return {
    concurrency: wholeIn(kept.concurrency),
    settleMs: wholeIn(kept.settleMs),
    again: again === undefined ? undefined : { reason: again },
  };
}

function wholeIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}
