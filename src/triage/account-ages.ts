/** Describes the ages of listed and gone accounts for files and commands. */
import type { AccountAges } from "../accounts/account-fields.ts";
import type { AccountRow } from "../accounts/table.ts";
import { utcInstant } from "../text/dates.ts";
import type { Ages, GoneAccount } from "./observations/observations.ts";

export interface AgesOfList {
  /** The ages, null if none are stored, or undefined if they cannot be read. */
  readonly ages: Ages | null | undefined;
  /** Epoch milliseconds of the list, which is the start of an age that is not stored. */
  readonly listedAt: number;
  /** Formats a time. Default: {@link utcInstant}. */
  readonly instant?: (ms: number) => string;
}

const maxTexts = 4_096;

/** Returns a function that formats times, which are those of the lists and so the same for many accounts. */
export function repeatedInstants(): (ms: number) => string {
  const texts = new Map<number, string>();
  return (ms) => {
    const known = texts.get(ms);
    if (known !== undefined) return known;
    const text = utcInstant(ms);
    if (texts.size < maxTexts) texts.set(ms, text);
    return text;
  };
}

/** Returns the ages of a listed account. `row` is its row in the stored ages, or -1. */
export function listedAges(
  { ages, listedAt, instant = utcInstant }: AgesOfList,
  row: number,
  isPending: boolean,
): AccountAges {
  const isStored = ages != null && row >= 0;
  const since = (ms: number) => instant(Number.isNaN(ms) ? listedAt : ms);
  return {
    pending_since: isPending ? since(isStored ? ages.pendingSince(row) : Number.NaN) : null,
    first_seen_at: ages === undefined ? null : since(isStored ? ages.firstSeen(row) : Number.NaN),
    gone_at: null,
  };
}

export function goneAges({
  pendingSince,
  firstSeenAt,
  goneAt,
}: Omit<GoneAccount, "external">): AccountAges {
  return {
    pending_since: utcInstant(pendingSince) || null,
    first_seen_at: utcInstant(firstSeenAt) || null,
    gone_at: utcInstant(goneAt) || null,
  };
}

export function agesOfRows(list: AgesOfList): (row: AccountRow) => AccountAges {
  const of = { ...list, instant: repeatedInstants() };
  const { ages } = of;
  return ({ external, pending, gone, pendingSince, goneAt }) => {
    const row = ages?.rowOf(external) ?? -1;
    if (!gone) return listedAges(of, row, pending);
    return ages == null || row < 0
      ? goneAges({ pendingSince, firstSeenAt: Number.NaN, goneAt })
      : goneAges({
          pendingSince: ages.firstPending(row),
          firstSeenAt: ages.firstSeen(row),
          goneAt: ages.goneAt(row),
        });
  };
}
