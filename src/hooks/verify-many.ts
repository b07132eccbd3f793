import { useCallback } from "react";
import type { Profile } from "../settings/profile.ts";
import { type Confirmation, confirmationOf } from "../writes/confirmation.ts";
import type { WriteContext } from "../writes/submit.ts";
import { planVerification, type VerifyPlan, verify } from "../writes/verify.ts";
import { WriteError } from "../writes/write-error.ts";
import { placeWords, useConfirm } from "./confirm.ts";
import { failureWords } from "./journal-actions.ts";
import { useUnlessLocked, useWriteLock } from "./lock.tsx";
import { entriesText, useManyEntries } from "./many-entries.ts";
import { useNotices } from "./notices.tsx";
import { useProfileStands } from "./profile-check.ts";
import { useSession } from "./session.tsx";

/** What verifying several entries would do. */
interface ManyPlan {
  /** Only checked at the service: nothing is sent. */
  readonly reads: readonly number[];
  /** Sent again with the service's own check. */
  readonly sends: readonly number[];
  /** Left out: they cannot be read back, or their outcome is known. */
  readonly leftOut: number;
}

/** Sorts entries by what verifying each would do. Throws JournalError. */
function planMany(context: WriteContext, ids: readonly number[]): ManyPlan {
  const plans = ids.map((id) => ({ id, kind: planOf(context, id) }));
  const of = (...kinds: readonly VerifyPlan["kind"][]) =>
    plans.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id);
  return {
    reads: of("look-up"),
    sends: of("checked-resend", "by-item"),
    leftOut: of("impossible").length,
  };
}

function planOf(context: WriteContext, id: number): VerifyPlan["kind"] {
  try {
    return planVerification(context, id).kind;
  } catch (error) {
    // Another process may have found it out in the meantime.
    if (error instanceof WriteError) return "impossible";
    throw error;
  }
}

/** Verifies several entries after one question, and reports how all of them ended in one line. */
export function useVerifyMany(): (ids: readonly number[]) => void {
  const session = useSession();
  const confirm = useConfirm();
  const stands = useProfileStands();
  const notices = useNotices();
  const workOn = useManyEntries();
  const locked = useWriteLock();
  const unlessLocked = useUnlessLocked();
  return useCallback(
    (ids) => {
      if (!stands()) return;
      const begin = async () => {
        const { context } = await session.writes();
        const { reads, sends, leftOut } = planMany(context, ids);
        const wanted = [...reads, ...sends];
        const go = () =>
          workOn({
            ids: wanted,
            leftOut,
            doing: "Verifying",
            done: "Verified",
            work: (id, options) => verify(context, id, options),
          });
        if (wanted.length === 0) {
          notices.show("None of them can be verified: open one to see where to check.", "waiting");
        } else if (sends.length === 0) go();
        else if (locked !== null) notices.show(locked, "waiting");
        else {
          confirm(
            {
              asked: askedFor(session.profile.environment),
              title: `Verify ${entriesText(wanted.length)} ${placeWords(session)}`,
              detail: detailWords(reads.length, sends.length, leftOut),
              yes: "Yes, verify them",
              target: "",
              rows: wanted.length,
              sum: null,
              reason: null,
            },
            () => unlessLocked(go),
          );
        }
      };
      begin().catch((error: unknown) =>
        notices.show(failureWords(error, "verifying entries"), "bad"),
      );
    },
    [session, confirm, stands, notices, workOn, locked, unlessLocked],
  );
}

function detailWords(reads: number, sends: number, leftOut: number): string {
  return [
    `The same bytes of ${entriesText(sends)} are sent again; the service adds each item once.`,
    reads === 0 ? "" : `${entriesText(reads)} only checked at the service.`,
    leftOut === 0 ? "" : `${entriesText(leftOut)} left out: they cannot be verified.`,
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/** As for any write of many rows: nothing of it is in doubt, the service adds each item once. */
function askedFor(environment: Profile["environment"]): Confirmation {
  return confirmationOf({ environment, operation: "notes create", rows: "many", inDoubt: false });
}
