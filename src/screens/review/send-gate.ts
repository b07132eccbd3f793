import { useOverlays } from "../../hooks/overlay.tsx";
import type { SentBefore } from "../../hooks/sent-before.ts";
import { useSession } from "../../hooks/session.tsx";
import { numberOf, type Plan } from "../../hooks/write-plan.ts";
import { whatWords } from "./words.ts";

type Again = { readonly reason: string } | null;

/**
 * What stands between the key and the wire: a form that was refused takes a reason, one that may
 * have landed already a yes, and production the account's number or the identifier (typed).
 */
export function useSendGate(
  plan: Plan,
  before: SentBefore | null,
): (send: (again: Again) => void) => void {
  const overlays = useOverlays();
  const { profile } = useSession();
  const number = numberOf(plan);
  const production = profile.environment === "production";
  const typed = (send: (again: Again) => void) =>
    overlays.open({
      kind: "prompt",
      title: `Send ${whatWords(plan.prepared)} to ${profile.name}, which is PRODUCTION`,
      label: "Number",
      hint: `Type ${number} to send it.`,
      initial: "",
      onSubmit: (text) => {
        if (text !== number) return `That is not ${number}; nothing was sent.`;
        send(null);
        return null;
      },
    });
  return (send) => {
    if (before?.blockedBy != null) {
      overlays.open({
        kind: "prompt",
        title: `Send again what the service refused as entry ${before.blockedBy}`,
        label: "Number and reason",
        hint: `Type ${number}, a blank, and why the same form is sent once more. It is kept in the journal.`,
        initial: "",
        onSubmit: (text) => {
          const reason = text.startsWith(`${number} `) ? text.slice(number.length).trim() : "";
          if (reason === "") return `Begin with ${number}, then say why; nothing was sent.`;
          send({ reason });
          return null;
        },
      });
      return;
    }
    const go = () => (production ? typed(send) : send(null));
    if (before?.same && mayLandTwice(plan, before.same.state)) {
      overlays.open({
        kind: "confirm",
        question: `The same form was sent before as entry ${before.same.journalId}. Send it once more?`,
        detail:
          before.same.state === "confirmed"
            ? "That one was confirmed, and the service does not say that it would notice a second one."
            : "Whether that one has landed is not known. Sent once more, it may be there twice.",
        yes: "Send it once more",
        onYes: go,
      });
      return;
    }
    go();
  };
}

/** What the service recognises by itself needs no asking. */
function mayLandTwice({ prepared }: Plan, state: string): boolean {
  if (prepared.deduplicated) return false;
  return prepared.operation !== "supply-points create" || state !== "confirmed";
}
