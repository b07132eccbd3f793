/** The sentences and choices of a review: duplicates, options and the send key. */
import type { Sentence } from "../../components/document.tsx";
import { errorPlace } from "../../components/problem.tsx";
import type { ErrorContext } from "../../errors/app-error.ts";
import type { Form } from "../../forms/fields.ts";
import { formOf } from "../../forms/forms.ts";
import { attrWords } from "../../forms/service-errors.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import type { Session } from "../../session/open-session.ts";
import type { Choice } from "../../session/overlays.ts";
import { plural } from "../../text/numbers.ts";
import { questionsOf, type ToSend } from "../../writes/gate.ts";
import type { EarlierEntry, GuardFinding } from "../../writes/guard.ts";
import { kindOf } from "../../writes/kinds/kinds.ts";
import type { PreparedWrite } from "../../writes/prepare.ts";
import { barWords, describeEarlierEntry } from "../../writes/words/guard.ts";

/** Formats the items of a write, with their number if there can be several: `2 notes`. */
function itemCount({ operation, facts }: Pick<PreparedWrite, "operation" | "facts">): string {
  const { item, itemsField } = kindOf(operation);
  return itemsField === null ? `a ${item}` : plural(facts.items.length, item);
}

/** Returns the context for error messages about this write. */
export function contextOf(prepared: PreparedWrite, session: Session): ErrorContext {
  const { target } = prepared.facts;
  const supply = target.kind === "supply-point";
  return {
    doing: supply
      ? `creating supply point ${target.externalIdentifier}`
      : `adding ${itemCount(prepared)} to ${target.externalAccountNumber}`,
    ...errorPlace(session),
    field: (attr) => attrWords(formOf(prepared.operation), null, attr),
    subject: {
      kind: target.kind,
      supplier: target.importSupplier,
      id: supply ? target.externalIdentifier : target.externalAccountNumber,
    },
  };
}

/** Describes the finding of the duplicate guard, and the possible actions. */
export function findingWords(finding: GuardFinding, key: KeyWords): readonly Sentence[] {
  switch (finding.kind) {
    case "clear":
      return [];
    case "refused-before":
      return [
        {
          words: `${barWords(finding)} Change it. If the 400 was a vendor outage that is over, ${key("send")} asks for the reason and sends it.`,
          look: { tone: "bad", bold: true },
        },
      ];
    case "sent-before":
      return [
        {
          words: `${describeEarlierEntry(finding)} Sent again, it might take effect twice: ${key("send")} asks for the reason.${shownBy(finding.earlier, key)}`,
          look: { tone: "bad", bold: true },
        },
      ];
    case "reported":
      return [
        {
          words: `${describeEarlierEntry(finding)} The service does not add it twice.${shownBy(finding.earlier, key)}`,
          look: { tone: "waiting" },
        },
      ];
  }
}

/**
 * Returns a sentence with the key that shows an entry, or an empty text if the entry was removed
 * from the journal.
 */
function shownBy({ isRemoved }: EarlierEntry, key: KeyWords): string {
  return isRemoved ? "" : ` ${key("activity")} shows the entry.`;
}

/** Describes the option to send each transaction in a separate request. */
export function splitWords(split: boolean): string {
  return split
    ? "One transaction per request: yes. Each gets a separate answer; sending stops at the first that is not confirmed."
    : "One transaction per request: no. If one is rejected (400), the earlier ones might have taken effect.";
}

/** Describes the chosen value of a query option. */
export function optionWords(value: string | undefined): string {
  if (value === undefined) return "yes (default, not sent)";
  return value === "true" ? "yes" : "no";
}

/**
 * Returns the query options of a form as choices (INTERFACE 4.2). An option that is not sent is on.
 */
export function queryChoices(
  form: Form,
  query: PreparedWrite["query"],
  choose: (option: string, on: boolean) => void,
): readonly Choice[] {
  return form.query.map(({ name, label }) => {
    const isOff = query[name] === "false";
    return {
      label: `${label}: ${isOff ? "yes" : "no"}`,
      hint: `now ${optionWords(query[name])}`,
      run: () => choose(name, isOff),
    };
  });
}

/**
 * Describes the questions of the send key, such as `s sends it after you type EXT-1.` Returns null
 * if there are none.
 */
export function sendWords(
  send: ToSend,
  { profile }: Pick<Session, "profile">,
  what: "it" | "them",
  key: KeyWords,
): string | null {
  const questions = questionsOf(send, profile.environment);
  const after = (() => {
    switch (questions[0]?.kind) {
      case undefined:
        return null;
      case "reason":
        return "after it has asked for a reason";
      case "yes":
        return "after a question";
      default: {
        const typed = questions.filter(({ kind }) => kind !== "reason");
        return `after you type ${typed.map(({ wanted }) => wanted).join(" and ")}`;
      }
    }
  })();
  return after === null ? null : `${key("send")} sends ${what} ${after}.`;
}
