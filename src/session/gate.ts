import { isRowCount, isSum } from "../writes/typed-numbers.ts";
import { profileWords } from "../settings/profile-words.ts";
import { count } from "../text/numbers.ts";
import type { Confirmation } from "../writes/confirmation.ts";
import type { Again } from "../writes/guard.ts";
import type { App } from "./app.ts";
import type { Session } from "./open-session.ts";
import type { Overlays } from "./overlays.ts";

/** A send that is confirmed first, with the words of the question. */
export interface ToConfirm {
  readonly asked: Confirmation;
  /** The contents of the send, its targets, and the profile. */
  readonly title: string;
  /** The facts that you need before answering; null if the title is enough. */
  readonly detail: string | null;
  /** The label of the answer that sends it. */
  readonly yes: string;
  /** The number of the account or the identifier; empty for many. */
  readonly target: string;
  readonly rows: number;
  /** Decimal text; null where there are no amounts. */
  readonly sum: string | null;
  /** The reason to ask for in spite of an earlier entry; null where none is needed. */
  readonly reason: Reason | null;
}

interface Reason {
  readonly hint: string;
  /** The amounts that go out for an empty reason; null if a reason is required. */
  readonly without: Pick<ToConfirm, "title" | "yes" | "rows" | "sum"> | null;
}

/** Returns the profile in words, production unmistakably: `on acme (PRODUCTION, api.acme.example)`. */
export function placeWords({ profile }: Pick<Session, "profile">): string {
  return `on ${profileWords(profile).replace("(production", "(PRODUCTION")}`;
}

/**
 * Asks what the confirmation policy requires, step by step; `go` gets the reason, if any. Where the
 * reason decides how much goes out, it is asked for first.
 */
export function confirm(
  { overlays }: Pick<App, "overlays">,
  what: ToConfirm,
  go: (again: Again | null) => void,
): void {
  const { reason } = what;
  if (reason === null || reason.without === null) {
    askSteps(overlays, what, () => askReason(overlays, what, go));
    return;
  }
  const { without } = reason;
  askReason(overlays, what, (again) => {
    const rest = { ...what, ...(again === null ? without : {}), reason: null };
    askSteps(overlays, rest, () => go(again));
  });
}

function askSteps(overlays: Overlays, what: ToConfirm, last: () => void): void {
  const { asked, title, detail, yes } = what;
  switch (asked.kind) {
    case "none":
      last();
      return;
    case "yes":
      overlays.confirm({
        question: `${title}?`,
        detail,
        yes,
        onYes: last,
      });
      return;
    case "typed":
      askTyped(overlays, what, stepsOf(asked.what, what), last);
  }
}

/** One thing to be typed. */
interface Step {
  readonly label: string;
  readonly wanted: string;
  readonly fits: (typed: string) => boolean;
}

function stepsOf(
  typed: Extract<Confirmation, { readonly kind: "typed" }>["what"],
  { target, rows, sum }: ToConfirm,
): readonly Step[] {
  const ofRows: Step = {
    label: "Number of rows",
    wanted: count(rows),
    fits: (text) => isRowCount(text, rows),
  };
  const wanted = sum ?? "0";
  switch (typed) {
    case "target":
      return [{ label: "Number", wanted: target, fits: (text) => text === target }];
    case "rows":
      return [ofRows];
    case "rows-and-sum":
      return [ofRows, { label: "Sum", wanted, fits: (text) => isSum(text, wanted) }];
  }
}

function askTyped(
  overlays: Overlays,
  what: ToConfirm,
  [step, ...more]: readonly Step[],
  done: () => void,
): void {
  if (step === undefined) {
    done();
    return;
  }
  const detail = what.detail === null ? "" : `${what.detail} `;
  const isLast = more.length === 0 && what.reason === null;
  const then = !isLast ? "continue" : what.rows === 1 ? "send it" : "send them";
  overlays.prompt({
    confirms: true,
    title: what.title,
    label: step.label,
    hint: `${detail}Type ${step.wanted} to ${then}.`,
    onSubmit: (typed) => {
      if (!step.fits(typed)) return `That is not ${step.wanted}; nothing was sent.`;
      askTyped(overlays, what, more, done);
      return null;
    },
  });
}

function askReason(
  overlays: Overlays,
  { title, detail, reason }: ToConfirm,
  go: (again: Again | null) => void,
): void {
  if (reason === null) {
    go(null);
    return;
  }
  overlays.prompt({
    confirms: true,
    title,
    label: "Reason",
    hint: [...(detail === null ? [] : [detail]), reason.hint].join(" "),
    onSubmit: (typed) => {
      if (typed === "" && reason.without === null) return "Type a reason. Nothing was sent.";
      go(typed === "" ? null : { reason: typed });
      return null;
    },
  });
}
