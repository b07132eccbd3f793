/** Whether the service is there: a run pauses while it is not, instead of failing every row. */

export type Phase =
  | { readonly kind: "flowing" }
  /** The service asks to wait. */
  | { readonly kind: "held"; readonly since: number; readonly until: number; readonly why: string }
  /** Nothing is sent; at `until` one look is taken. */
  | { readonly kind: "down"; readonly since: number; readonly until: number; readonly why: string }
  /** A look was answered: rows go one at a time until one has come to a good end. */
  | { readonly kind: "trying"; readonly since: number; readonly why: string };

/** What went wrong with one attempt. */
export interface Trouble {
  /** Which row. */
  readonly line: number;
  /** Whether it never left: then it says nothing about the row, only about the way. */
  readonly neverSent: boolean;
  readonly why: string;
}

export interface Circuit {
  phase(): Phase;
  /** The service answered as a service that is there does, be it with a refusal. */
  good(): void;
  bad(trouble: Trouble): void;
  /** A look was not answered as it should be. */
  lookFailed(why: string): void;
  /** It asks to wait until an instant (429). */
  asked(until: number, why: string): void;
  /** What was waited for is over: the look was answered, or the time that was asked for is past. */
  goOn(): void;
  /** Since when nothing good has come; null when all is well. */
  troubledSince(): number | null;
  /** Rows tried in vain after a look had been answered. */
  triedInVain(): number;
}

/** So many in a row, from at least two rows, and the service counts as down. */
const mostInARow = 4;

/** So many when they never even left. */
const mostNeverSent = 2;

const firstWaitMs = 1000;
const longestWaitMs = 30_000;

const flowing: Phase = { kind: "flowing" };

export function createCircuit(now: () => number): Circuit {
  let phase: Phase = flowing;
  let inARow: Trouble[] = [];
  let looks = 0;
  let since: number | null = null;
  let vain = 0;

  const isDown = () => {
    if (inARow.filter(({ neverSent }) => neverSent).length >= mostNeverSent) return true;
    return inARow.length >= mostInARow && new Set(inARow.map(({ line }) => line)).size > 1;
  };
  const goDown = (why: string) => {
    const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** looks);
    looks += 1;
    since ??= now();
    phase = { kind: "down", since, until: now() + wait, why };
  };

  return {
    phase: () => phase,
    good: () => {
      inARow = [];
      looks = 0;
      since = null;
      vain = 0;
      if (phase.kind !== "held") phase = flowing;
    },
    bad: (trouble) => {
      inARow = [...inARow.slice(1 - 2 * mostInARow), trouble];
      since ??= now();
      if (phase.kind === "trying") {
        vain += 1;
        goDown(trouble.why);
      } else if (phase.kind !== "down" && isDown()) goDown(trouble.why);
    },
    lookFailed: (why) => {
      if (phase.kind === "down") goDown(why);
    },
    asked: (until, why) => {
      since ??= now();
      inARow = [];
      if (phase.kind === "held" && phase.until >= until) return;
      phase = { kind: "held", since: now(), until, why };
    },
    goOn: () => {
      if (phase.kind === "held") phase = flowing;
      if (phase.kind === "down") phase = { kind: "trying", since: phase.since, why: phase.why };
    },
    troubledSince: () => since,
    triedInVain: () => vain,
  };
}
