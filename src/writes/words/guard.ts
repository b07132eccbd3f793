/** Describes the findings of the duplicate guard, as sentences and as errors. */
import { AppError } from "../../errors/app-error.ts";
import { capital } from "../../text/connection-words.ts";
import { plural } from "../../text/numbers.ts";
import { safe } from "../../text/sanitize.ts";
import type { Bar, EarlierEntry, FoundItem, SameId } from "../guard.ts";
import type { Entry } from "../journal/entry.ts";
import type { Finding } from "../journal/override.ts";
import { kindOf } from "../kinds/kinds.ts";
import { closedWords } from "./outcomes.ts";

export function barWords(bar: Bar): string {
  return bar.kind === "refused-before"
    ? `The service rejected this same form before (${entryWords(bar.earlier)}). It must not be sent again unchanged.`
    : describeEarlierEntry(bar);
}

export function passedWords(words: string, findings: readonly Finding[]): string {
  const entries = [...new Set(findings.map(({ earlier }) => earlier))];
  return `${words} The reason passes ${entries.length === 1 ? "entry" : "entries"} ${entries.join(", ")}, and nothing found later.`;
}

export function describeEarlierEntry({
  earlier,
  operation,
  position,
  items,
  others,
}: FoundItem): string {
  const { item } = kindOf(operation);
  const subject =
    position === null
      ? "The same form"
      : items === 1
        ? `The same ${item}`
        : `${capital(item)} ${position + 1} of ${items}`;
  const verb = others === 1 ? "was" : "were";
  const othersText =
    position === null || others === 0
      ? ""
      : ` ${plural(others, `other ${item}`)} of this request ${verb} sent before too.`;
  return `${subject} ${earlierStateWords(earlier)}.${othersText}`;
}

export function commonBarWords({ kind, earlier: { state, closing } }: Bar): string {
  if (kind === "refused-before") return "were rejected by the service before, in the same form";
  if (closing !== undefined && closing.tookEffect !== "no")
    return `were sent before and closed by an operator (${closedWords[closing.tookEffect].short})`;
  if (state === "confirmed") return "were sent before and confirmed";
  if (state === "sending") return "are being sent now";
  return `were sent before and are ${state}; they might have taken effect`;
}

function earlierStateWords(earlier: EarlierEntry): string {
  const entry = entryWords(earlier);
  const { closing } = earlier;
  // An item that the service confirmed counts as confirmed, whatever the answer on the entry is.
  if (closing !== undefined && closing.tookEffect !== "no") {
    const { short } = closedWords[closing.tookEffect];
    return `was sent before as ${entry}, which an operator closed (${short}): ${safe(closing.reason).replace(/[.\s]+$/, "")}`;
  }
  switch (earlier.state) {
    case "confirmed":
      return `was sent before and confirmed, as ${entry}`;
    case "sending":
      return `is being sent now, as ${entry}`;
    case "closed":
      return `was sent before as ${entry}, which an operator closed; it might have taken effect`;
    case "unknown":
    case "retryable":
    case "intent":
    case "unsent":
    case "rejected":
      return `was sent before as ${entry}, which is ${earlier.state}; it might have taken effect`;
  }
}

function entryWords({ journalId, at, isRemoved }: EarlierEntry): string {
  if (!isRemoved) return `entry ${journalId}`;
  const day = new Date(at).toISOString().slice(0, 10);
  return `entry ${journalId} of ${day} (removed from the journal)`;
}

/** Names the items whose ID an earlier entry used for other content, or returns null. */
export function sameIdWords(items: readonly SameId[], labels: readonly string[]): string | null {
  const [first, ...others] = items;
  if (first === undefined) return null;
  const { operation, position, earlier } = first;
  const othersText = others.length === 0 ? "" : `, and ${plural(others.length, "other ID")} too`;
  return `The ${kindOf(operation).item} ID ${labels[position] ?? ""} was used on this account before with other content, in ${entryWords(earlier)}${othersText}.`;
}

/** Returns the error of a barred write. It names the earlier entry only if that can be shown. */
export function barredError(bar: Bar): AppError {
  const { earlier, kind } = bar;
  const journalId = earlier.isRemoved ? null : earlier.journalId;
  if (kind !== "sent-before") {
    const remedy =
      "Nothing was sent. Correct the form. If the 400 was a vendor outage that is over, send it again with --again --reason TEXT.";
    return new AppError("write", "blocked", barWords(bar), { journalId, remedy });
  }
  return duplicateError(barWords(bar), journalId);
}

export function doubtfulError({ id, operation }: Pick<Entry, "id" | "operation">): AppError {
  const words = `Entry ${id} might have taken effect, and the service would not recognize a second ${kindOf(operation).item}.`;
  return duplicateError(words, id);
}

function duplicateError(words: string, journalId: number | null): AppError {
  const showText =
    journalId === null ? "" : `\`supplyline activity show ${journalId}\` shows that entry; `;
  const remedy = `Nothing was sent. ${showText}--again --reason TEXT sends it all the same.`;
  return new AppError("write", "duplicate", words, { journalId, remedy });
}
