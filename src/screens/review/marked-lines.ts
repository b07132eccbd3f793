import type { Template } from "../../bulk/for-accounts.ts";
import { forms } from "../../forms/forms.ts";
import type { Issue } from "../../forms/issue.ts";
import { atPlace } from "../../forms/paths.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import { urlOf } from "../../session/write-plan.ts";
import { count, plural } from "../../text/numbers.ts";
import type { PreparedWrite } from "../../writes/prepare.ts";
import { type DocumentLine, LineSetter } from "./document.ts";
import type { Amounts } from "./marked-plan.ts";
import type { Survey } from "./marked-survey.ts";
import { optionWords, sayRequest, sayRules } from "./review-lines.ts";

export interface MarkedFacts {
  readonly template: Template;
  readonly warnings: readonly Issue[];
  readonly amounts: Amounts;
  readonly survey: Survey;
  readonly marked: number;
  /** Staged accounts are sent to as well. */
  readonly staged: boolean;
  readonly baseUrl: string;
  readonly key: KeyWords;
  /** The first and the last account's requests; empty until they are known. */
  readonly first: readonly PreparedWrite[];
  readonly last: readonly PreparedWrite[];
  /** Whether the rules for failures are unfolded. */
  readonly rules: boolean;
}

/** Everything there is to know before it is sent to all of them, in the order in which it matters. */
export function markedLines(facts: MarkedFacts, columns: number): readonly DocumentLine[] {
  const { template, warnings, amounts, survey, first, last } = facts;
  const page = new LineSetter(columns);
  sayProblems(page, survey);
  sayEarlier(page, facts);
  sayAccounts(page, facts);
  for (const warning of warnings) {
    page.say(`! ${atPlace(forms[template.kind], warning)}`, { tone: "waiting" });
  }
  const [sample] = first;
  if (sample === undefined) return page.lines;
  page.fact("Goes out", goesOutWords(amounts, survey.sentTo), { bold: true });
  if (amounts.sum !== null) page.fact("Sum", `${amounts.sum} in all`, { bold: true });
  for (const { name, label } of forms[template.kind].query) {
    page.fact(facts.key("options"), `${label}: ${optionWords(sample.query[name])}`, {}, 3);
  }
  const url = urlOf(facts.baseUrl, sample.path, sample.query);
  saySample(page, "First account", url, survey.first, first);
  if (survey.sentTo > 1) saySample(page, "Last account", url, survey.last, last);
  page.say("");
  page.fact("If one fails", "the others are sent all the same", {}, 16);
  page.fact(
    "If it stops",
    `${facts.key("stop-run")} stops the run, and it can be resumed: confirmed rows are never sent again`,
    {},
    16,
  );
  sayRules(page, sample, facts.rules, facts.key);
  return page.lines;
}

function goesOutWords({ words, requests, rows }: Amounts, accounts: number): string {
  const how = requests === rows ? "a request each" : plural(requests, "request");
  return `${words} to ${plural(accounts, "account")}, ${how}`;
}

function sayProblems(page: LineSetter, { problems, problemCount }: Survey): void {
  if (problemCount === 0) return;
  const whom = plural(problemCount, "account");
  page.say(`It cannot be sent to ${whom}: change the form, or unmark them.`, {
    tone: "bad",
    bold: true,
  });
  for (const { account, words } of problems) page.say(`${account}: ${words}`, { tone: "bad" }, 2);
  const more = problemCount - problems.length;
  if (more > 0) page.say(`and ${count(more)} more`, { tone: "bad" }, 2);
}

function sayEarlier(page: LineSetter, { survey, key }: MarkedFacts): void {
  const { earlier, firstEarlier, barred } = survey;
  if (firstEarlier === null) return;
  const whom = plural(earlier, "account");
  const then =
    barred === 0
      ? "The service keeps a second one out."
      : `${key("send")} asks for a reason; without one ${plural(barred, "account")} ${barred === 1 ? "is" : "are"} left out.`;
  page.say(
    `${whom} ${earlier === 1 ? "has" : "have"} an earlier entry, such as ${firstEarlier.account}: ${firstEarlier.words} ${then}`,
    barred === 0 ? { tone: "waiting" } : { tone: "bad", bold: true },
  );
}

function sayAccounts(page: LineSetter, { survey, staged, key }: MarkedFacts): void {
  const { notListed } = survey;
  const one = survey.staged === 1;
  if (survey.staged > 0) {
    const which = `${plural(survey.staged, "marked account")} ${one ? "is" : "are"} staged, not imported`;
    page.say(
      staged
        ? `${which}, and ${one ? "is" : "are"} sent to all the same: expect a 404. ${key("options")} leaves ${one ? "it" : "them"} out.`
        : `${which}: the service would answer 404. ${one ? "It is" : "They are"} left out; ${key("options")} includes ${one ? "it" : "them"}.`,
      { tone: "waiting" },
    );
  }
  if (notListed > 0) {
    page.say(
      `${plural(notListed, "marked account")} ${notListed === 1 ? "is" : "are"} on this list no longer; ${notListed === 1 ? "it is" : "they are"} sent to, and the service decides.`,
      { tone: "waiting" },
    );
  }
}

function saySample(
  page: LineSetter,
  which: string,
  url: string,
  account: string | null,
  parts: readonly PreparedWrite[],
): void {
  if (account === null) return;
  page.head(`${which}: ${account}`);
  for (const [at, part] of parts.entries()) {
    const counted = parts.length === 1 ? "" : `${at + 1} of ${parts.length}: `;
    sayRequest(page, `${counted}POST ${url}`, part);
  }
}
