/** Describes the current state of the accounts of a bulk run. */
import { useMemo } from "react";
import type { RunRow } from "../bulk/run-record.ts";
import { useSession } from "../hooks/app.tsx";
import { useServiceNow } from "../hooks/now.ts";
import type { Session } from "../session/open-session.ts";
import { marked } from "../text/describe-status.ts";
import { atLeastAge } from "../text/durations.ts";
import type { NowOf } from "./run-row-columns.ts";

/**
 * Returns a function that describes the current state of the account of a row of a run, from the
 * lists in memory and without a request. Returns null if there is no complete list of the supplier
 * of `first`.
 */
export function useRowsNow(first: RunRow | null): NowOf | null {
  const session = useSession();
  const now = useServiceNow(60_000);
  const supplier = first?.importSupplier ?? null;
  const loadedAt = supplier === null ? null : loadedAtOf(session, supplier);
  return useMemo(
    () => (loadedAt === null ? null : (row) => rowNow(session, row, now)),
    [session, loadedAt, now],
  );
}

function loadedAtOf(session: Session, supplier: string): number | null {
  return session.knownList(supplier, "all")?.getSnapshot().loadedAt ?? null;
}

function rowNow(
  session: Session,
  { importSupplier: supplier, externalAccountNumber: account }: RunRow,
  now: number,
): ReturnType<NowOf> {
  if (account === null) return null;
  const listed = session.listedRow(supplier, account);
  if (listed === null)
    return loadedAtOf(session, supplier) === null ? null : { text: "– on no list", tone: "plain" };
  const words = listed.pending ? marked("waiting", "pending") : marked("ok", "imported");
  const mark = words.mark;
  const age = now - listed.pendingSince;
  const since = listed.pending && age >= 60_000 ? ` ${atLeastAge(age)}` : "";
  return { text: `${mark} ${words.label}${since}`, tone: words.tone };
}
