/** The steps of the tour through the embedded sandbox. */
import type { ActionId } from "../keys/bindings.ts";
import type { Place } from "./places.ts";

/** The user's progress, as the steps of the tour need it. */
interface TourView {
  readonly place: Place;
  readonly watched: number;
  /** Number of drafts that were sent or are being sent. */
  readonly sent: number;
}

/**
 * A step of the tour: its instruction, with the user's keys, and the condition that completes it.
 */
export interface TourStep {
  readonly words: (key: (id: ActionId) => string) => string;
  readonly done: (view: TourView) => boolean;
  /** The place to start from if the tour is resumed here. */
  readonly from: Place;
  /** True if the step needs the screen as the previous step left it. */
  readonly hangsOnLast?: true;
}

const supplier = "ACME";
/** A supplier with a migration day. The program includes an example list of its accounts. */
const migrating = "NORTH";
const moving = "EXT-0000007";
const imported = "EXT-0000001";

const suppliers: Place = { kind: "suppliers" };
const overview: Place = { kind: "overview", supplier };
const accounts: Place = { kind: "accounts", supplier, tab: "all" };
const account = (number: string): Place => ({ kind: "account", supplier, account: number });

const isAccount = ({ place }: TourView, number: string) =>
  place.kind === "account" && place.account === number;

/** The steps of the tour. The user does each step on the real screen of the sandbox. */
export const tourSteps: readonly TourStep[] = [
  {
    words: (key) =>
      `These are import suppliers, worst first. Select ${supplier}; ${key("open")} opens it.`,
    done: ({ place }) =>
      (place.kind === "overview" || place.kind === "accounts") && place.supplier === supplier,
    from: suppliers,
  },
  {
    words: (key) =>
      `The progress of its import, and when it could finish. ${key("open")} shows its accounts.`,
    done: ({ place }) => place.kind === "accounts",
    from: overview,
  },
  {
    words: (key) =>
      `Find one: ${key("filter")}, type 0000007, ${key("open")} keeps the filter, ${key("open")} opens the account.`,
    done: (view) => isAccount(view, moving),
    from: accounts,
  },
  {
    words: (key) =>
      `Its state is checked while it is open. ${key("watch")} watches it on every screen: the bell rings when it is imported.`,
    done: ({ watched }) => watched > 0,
    from: account(moving),
  },
  {
    words: (key) =>
      `Go anywhere: ${key("palette")}, type ${supplier}/${imported}, ${key("open")}. Pasting a number does the same.`,
    done: (view) => isAccount(view, imported),
    from: account(moving),
  },
  {
    words: (key) =>
      `It is imported, so it takes notes: ${key("note")}, type a few words, then ${key("review")} for the review.`,
    done: ({ place }) => place.kind === "review",
    from: account(imported),
  },
  {
    words: (key) =>
      `This is the exact request. ${key("send")} sends it; ${key("open")} never does.`,
    done: ({ sent }) => sent > 0,
    from: account(imported),
    hangsOnLast: true,
  },
  {
    words: (key) =>
      `It is sent, and the journal has an entry for it. ${key("back")} leaves the result, ${key("activity")} shows everything sent from here.`,
    done: ({ place }) => place.kind === "activity",
    from: account(imported),
  },
  {
    words: (key) =>
      `${migrating} migrates today. Which of your accounts are missing? ${key("palette")}, type ${migrating}, ${key("open")}.`,
    done: ({ place }) => place.kind === "overview" && place.supplier === migrating,
    from: suppliers,
  },
  {
    words: (key) =>
      `${key("reconcile")} compares a list of yours with the accounts of ${migrating}.`,
    done: ({ place }) => place.kind === "reconcile",
    from: { kind: "overview", supplier: migrating },
  },
  {
    words: (key) =>
      `An example list is filled in: ${key("open")} compares it. Each row gets a class; select one, and ${key("open")} shows its rows.`,
    done: ({ place }) => place.kind === "reconciled-rows",
    from: { kind: "reconcile", supplier: migrating },
  },
  {
    words: (key) =>
      `That is all: ${key("watch")} watches such rows, supplyline cohorts add stores a list. ${key("help")} explains each screen, ${key("profiles")} adds your service. ${key("tour")} ends the tour.`,
    done: () => false,
    from: suppliers,
  },
];

/**
 * Returns the step at which the tour resumes. A step that depends on the previous step resumes at
 * the previous one.
 */
export function resumedStep(step: number): number {
  const kept = Math.max(0, Math.min(step, tourSteps.length - 1));
  return tourSteps[kept]?.hangsOnLast ? kept - 1 : kept;
}
