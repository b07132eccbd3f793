import { useCallback } from "react";
import { ExactSum } from "../forms/decimals.ts";
import { confirmationOf } from "../writes/confirmation.ts";
import { kindOf } from "../writes/kinds/kinds.ts";
import { amountsOf } from "../writes/prepare.ts";
import { planResend, resend } from "../writes/resend.ts";
import { entryOf, type WriteContext } from "../writes/submit.ts";
import { placeWords, useConfirm } from "./confirm.ts";
import { failureWords } from "./journal-actions.ts";
import { useUnlessLocked, useWriteLock } from "./lock.tsx";
import { entriesText, useManyEntries } from "./many-entries.ts";
import { useNotices } from "./notices.tsx";
import { useProfileStands } from "./profile-check.ts";
import { useSession } from "./session.tsx";

/** What sending several entries again would do. */
interface ResendAll {
  readonly ids: readonly number[];
  readonly leftOut: number;
  /** One of them may take effect twice: the service asks for it again, and does not recognize it. */
  readonly inDoubt: boolean;
}

/**
 * Only entries that the retry table lets be sent again: retryable ones, without those that the
 * duplicate guard holds back. Rejects with JournalError.
 */
async function planAll(context: WriteContext, ids: readonly number[]): Promise<ResendAll> {
  const wanted: number[] = [];
  let inDoubt = false;
  for (const [at, id] of ids.entries()) {
    // Each plan reads the journal; keys must be heard in between.
    if (at % together === 0) await new Promise((resolve) => setImmediate(resolve));
    if (entryOf(context, id).state !== "retryable") continue;
    const { kind } = planResend(context, id);
    if (kind !== "safe" && kind !== "may-land-twice") continue;
    wanted.push(id);
    inDoubt ||= kind === "may-land-twice";
  }
  return { ids: wanted, leftOut: ids.length - wanted.length, inDoubt };
}

const together = 200;

function sumOf(context: WriteContext, ids: readonly number[]): string {
  const sum = new ExactSum();
  for (const id of ids) {
    const { operation, body } = entryOf(context, id);
    for (const amount of (body && amountsOf(operation, body)) ?? []) sum.add(amount);
  }
  return sum.text();
}

/**
 * Sends several entries of one operation again, unchanged, after one question, and reports how all
 * of them ended in one line.
 */
export function useResendMany(): (ids: readonly number[]) => void {
  const session = useSession();
  const confirm = useConfirm();
  const stands = useProfileStands();
  const notices = useNotices();
  const locked = useWriteLock();
  const unlessLocked = useUnlessLocked();
  const workOn = useManyEntries();
  return useCallback(
    (ids) => {
      if (!stands()) return;
      if (locked !== null) {
        notices.show(locked, "waiting");
        return;
      }
      const begin = async () => {
        const { context } = await session.writes();
        const { ids: wanted, leftOut, inDoubt } = await planAll(context, ids);
        const [first] = wanted;
        if (first === undefined) {
          notices.show("None of them can be sent again unchanged; export and fix them.", "waiting");
          return;
        }
        const { operation } = entryOf(context, first);
        const { environment } = session.profile;
        const asked = confirmationOf({ environment, operation, rows: "many", inDoubt });
        const isSummed = asked.kind === "typed" && asked.what === "rows-and-sum";
        confirm(
          {
            asked,
            title: `Send ${entriesText(wanted.length)} (${kindOf(operation).plural}) again ${placeWords(session)}`,
            detail: [
              inDoubt
                ? "They may have taken effect already; sent again, they may take effect twice."
                : "They had no effect; the same bytes are sent again.",
              leftOut === 0 ? "" : `${entriesText(leftOut)} cannot be sent again unchanged.`,
            ]
              .filter((part) => part !== "")
              .join(" "),
            yes: "Yes, send them again",
            target: "",
            rows: wanted.length,
            sum: isSummed ? sumOf(context, wanted) : null,
            reason: null,
          },
          () =>
            unlessLocked(() =>
              workOn({
                ids: wanted,
                leftOut,
                doing: "Sending again",
                done: "Sent",
                work: async (id, options) => {
                  const result = await resend(context, id, options);
                  return { outcome: result.outcome, result };
                },
              }),
            ),
        );
      };
      begin().catch((error: unknown) =>
        notices.show(failureWords(error, "sending entries again"), "bad"),
      );
    },
    [session, confirm, stands, notices, locked, unlessLocked, workOn],
  );
}
