import type { MarkedAccount, MarkedAccounts } from "../../accounts/marks.ts";
import type { Sliced } from "../../accounts/slices.ts";
import { payloadFor, type Template } from "../../bulk/for-accounts.ts";
import { forms } from "../../forms/forms.ts";
import { atPlace } from "../../forms/places.ts";
import { barOf, type GuardFinding } from "../../writes/guard.ts";
import { barWords, describeEarlierEntry } from "../../writes/words/guard.ts";

/** The problems that are listed. */
const mostProblems = 20;

/** The result of checking the marked accounts for one payload. */
export interface Survey {
  /** Marked accounts checked so far. */
  readonly looked: number;
  /** Number of marked accounts that it is sent to. */
  readonly sentTo: number;
  readonly staged: number;
  /** Number of marked accounts that are no longer on the list. */
  readonly notListed: number;
  readonly first: string | null;
  readonly last: string | null;
  /** The first problems that prevent sending the payload to an account. */
  readonly problems: readonly { readonly account: string; readonly words: string }[];
  readonly problemCount: number;
  /** Number of accounts with an earlier entry of the same item. */
  readonly earlier: number;
  readonly firstEarlier: { readonly account: string; readonly words: string } | null;
  /** Number of accounts that the duplicate guard holds back unless the user gives a reason. */
  readonly barred: number;
  readonly done: boolean;
}

/** Returns the finding of the duplicate guard on the requests of one account. */
export type GuardLookup = (account: string) => GuardFinding;

/**
 * Returns true if it is sent to a marked account. A staged account receives it only if the user
 * chose that.
 */
function isSentTo({ standing }: MarkedAccount, staged: boolean): boolean {
  return staged || standing !== "staged";
}

/** Yields the accounts that it is sent to. */
export function* sentTo(marked: MarkedAccounts, staged: boolean): Iterable<string> {
  for (const one of marked.each()) if (isSentTo(one, staged)) yield one.external;
}

/** The survey before any account is checked. */
export const emptySummary: Survey = {
  looked: 0,
  sentTo: 0,
  staged: 0,
  notListed: 0,
  first: null,
  last: null,
  problems: [],
  problemCount: 0,
  earlier: 0,
  firstEarlier: null,
  barred: 0,
  done: false,
};

/**
 * Checks every marked account, so that whatever prevents sending is shown before anything is sent.
 * `onLook` is called with the progress after each slice.
 */
export function* survey(
  template: Template,
  marked: MarkedAccounts,
  staged: boolean,
  findingOf: GuardLookup,
  onLook: (survey: Survey) => void,
): Sliced<Survey> {
  let now = emptySummary;
  for (const one of marked.each()) {
    now = lookedAt(now, one, template, { staged, findingOf });
    onLook(now);
    yield;
  }
  return { ...now, done: true };
}

function lookedAt(
  before: Survey,
  one: MarkedAccount,
  template: Template,
  { staged, findingOf }: { readonly staged: boolean; readonly findingOf: GuardLookup },
): Survey {
  const { standing, external } = one;
  const next: Survey = {
    ...before,
    looked: before.looked + 1,
    staged: before.staged + (standing === "staged" ? 1 : 0),
    notListed: before.notListed + (standing === "not-listed" ? 1 : 0),
  };
  if (!isSentTo(one, staged)) return next;
  const included: Survey = {
    ...next,
    sentTo: next.sentTo + 1,
    first: next.first ?? external,
    last: external,
  };
  const checked = payloadFor(template, external);
  if (checked.ok) return withFinding(included, external, findingOf(external));
  const [issue] = checked.issues;
  const problem = {
    account: external,
    words: issue ? atPlace(forms[template.kind], issue) : "It cannot be sent.",
  };
  return {
    ...included,
    problems:
      included.problems.length < mostProblems ? [...included.problems, problem] : included.problems,
    problemCount: included.problemCount + 1,
  };
}

function withFinding(before: Survey, account: string, finding: GuardFinding): Survey {
  if (finding.kind === "clear") return before;
  const words = finding.kind === "reported" ? describeEarlierEntry(finding) : barWords(finding);
  return {
    ...before,
    earlier: before.earlier + 1,
    firstEarlier: before.firstEarlier ?? { account, words },
    barred: before.barred + (barOf(finding) === null ? 0 : 1),
  };
}
