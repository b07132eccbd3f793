/** How a run was told to go; kept with it, so that a resumed run goes the same way. */
export interface Pace {
  /** Requests under way at the most. */
  readonly concurrency?: number | undefined;
  /** Milliseconds before something is sent again that may still be running. */
  readonly settleMs?: number | undefined;
}

/** The pace as texts, to be kept with a run beside how its input is read; nothing of what was not told. */
export function paceText({ concurrency, settleMs }: Pace): Readonly<Record<string, string>> {
  return {
    ...(concurrency === undefined ? {} : { concurrency: String(concurrency) }),
    ...(settleMs === undefined ? {} : { settleMs: String(settleMs) }),
  };
}

/** What {@link paceText} kept; anything else counts as not told. */
export function paceFrom(kept: Readonly<Record<string, string>>): Pace {
  return { concurrency: wholeIn(kept.concurrency), settleMs: wholeIn(kept.settleMs) };
}

function wholeIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}
