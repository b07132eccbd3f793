/** Describes the plans to verify and to resend an entry, for the console and the commands. */
import type { ResendPlan } from "../resend.ts";
import type { VerifyPlan } from "../verify.ts";
import { barWords, describeEarlierEntry } from "./guard.ts";

/** Describes how an entry will be verified. */
export function verifyWords(plan: VerifyPlan): string {
  switch (plan.kind) {
    case "look-up":
      return "Verifying only reads: it looks for the supply point's import at the service. If it is there, that confirms it.";
    case "checked-resend":
      return "Verifying sends the same request again. The service adds only what is missing, so nothing is applied twice.";
    case "by-item":
      return `Verifying sends each of ${plan.positions.length} open items in a separate request; the service reports what already exists.`;
    case "impossible":
      return plan.why;
  }
}

/** Describes the possible effects of resending an entry. */
export function resendWords(plan: ResendPlan): string {
  switch (plan.kind) {
    case "safe":
      return [
        "The same bytes are sent again. It cannot take effect twice: either it had no effect, or the service recognizes what already exists.",
        ...(plan.reported === undefined ? [] : [describeEarlierEntry(plan.reported)]),
      ].join(" ");
    case "may-land-twice":
      return "It might have taken effect, and the service would not recognize it: sent again, it might take effect twice. Check the account first.";
    case "refused-before":
    case "sent-before":
      return barWords(plan);
    case "impossible":
      return plan.error.message;
  }
}
