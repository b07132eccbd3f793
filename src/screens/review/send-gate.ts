import { placeWords, useConfirm } from "../../hooks/confirm.ts";
import { useSession } from "../../hooks/session.tsx";
import type { Session } from "../../session/open-session.ts";
import { numberOf, type Plan } from "../../session/write-plan.ts";
import { type Confirmation, confirmationOf } from "../../writes/confirmation.ts";
import { type Again, barOf, barWords, type GuardFinding } from "../../writes/guard.ts";
import { whatWords } from "./words.ts";

/**
 * What stands between the key and the wire: what the confirmation policy says, and a reason where
 * the duplicate guard asks for one.
 */
export function useSendGate(
  plan: Plan,
  finding: GuardFinding,
): (send: (again: Again | null) => void) => void {
  const confirm = useConfirm();
  const session = useSession();
  return (send) => {
    const bar = barOf(finding);
    const { target } = plan.prepared.facts;
    confirm(
      {
        asked: askedOf(plan, finding, session),
        title: `Send ${whatWords(plan.prepared)} to ${numberOf(plan)} of ${target.importSupplier}, ${placeWords(session)}`,
        detail: bar === null ? null : barWords(bar),
        yes: "Yes, send it",
        target: numberOf(plan),
        rows: 1,
        sum: null,
        reason:
          bar === null
            ? null
            : { hint: "Why it is sent all the same; stored in the journal.", without: null },
      },
      send,
    );
  };
}

/** What has to be confirmed before this plan is sent. */
export function askedOf(
  { prepared: { operation } }: Plan,
  finding: GuardFinding,
  { profile: { environment } }: Session,
): Confirmation {
  const inDoubt = barOf(finding) !== null;
  return confirmationOf({ environment, operation, rows: "one", inDoubt });
}
