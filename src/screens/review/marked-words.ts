import type { Sentence } from "../../components/document.tsx";
import type { KeyWords } from "../../keys/keymap.ts";
import { count, plural } from "../../text/numbers.ts";
import type { Amounts } from "./marked-plan.ts";
import type { Survey } from "./marked-survey.ts";

/**
 * Returns the findings of a survey of the marked accounts. `staged` is true if it is sent to staged
 * accounts, too.
 */
export function describeMarked(
  survey: Survey,
  staged: boolean,
  key: KeyWords,
): readonly Sentence[] {
  return [
    ...problemWords(survey),
    ...earlierEntryWords(survey, key),
    ...stagedWords(survey, staged, key),
    ...notListedWords(survey),
  ];
}

/** Describes the items, the number of accounts and the number of requests. */
export function goesOutWords({ words, requests, rows }: Amounts, accounts: number): string {
  const how = requests === rows ? "one request each" : plural(requests, "request");
  return `${words} to ${plural(accounts, "account")}, ${how}`;
}

/** Returns the reason why it cannot be sent to the marked accounts, or null if there is none. */
export function obstacleWords(survey: Survey, marked: number, key: KeyWords): string | null {
  const back = key("back");
  if (!survey.done) return `Checking: ${count(survey.looked)} of ${count(marked)} marked accounts…`;
  if (survey.problemCount > 0) return `Fix the errors above before you send; ${back} goes back.`;
  if (marked === 0) return `No account is marked: ${back} goes back, and ${key("mark")} marks one.`;
  if (survey.sentTo === 0)
    return `No marked account is imported; ${key("options")} includes the staged ones.`;
  return null;
}

function problemWords({ problems, problemCount }: Survey): readonly Sentence[] {
  if (problemCount === 0) return [];
  const look = { tone: "bad" } as const;
  const more = problemCount - problems.length;
  return [
    {
      words: `It cannot be sent to ${plural(problemCount, "account")}: change the form or unmark them.`,
      look: { ...look, bold: true },
    },
    ...problems.map(({ account, words }) => ({ words: `${account}: ${words}`, look, indent: 2 })),
    ...(more > 0 ? [{ words: `and ${count(more)} more`, look, indent: 2 }] : []),
  ];
}

function earlierEntryWords(survey: Survey, key: KeyWords): readonly Sentence[] {
  const { earlier, firstEarlier, barred } = survey;
  if (firstEarlier === null) return [];
  const { account, words } = firstEarlier;
  const then =
    barred === 0
      ? "The service does not add it twice."
      : `${key("send")} asks for a reason; without one ${plural(barred, "account")} ${barred === 1 ? "is" : "are"} left out.`;
  return [
    {
      words: `${plural(earlier, "account")} ${earlier === 1 ? "has" : "have"} an earlier entry, such as ${account}: ${words} ${then}`,
      look: barred === 0 ? { tone: "waiting" } : { tone: "bad", bold: true },
    },
  ];
}

function stagedWords(survey: Survey, staged: boolean, key: KeyWords): readonly Sentence[] {
  if (survey.staged === 0) return [];
  const [are, they, them] =
    survey.staged === 1 ? ["is", "It is", "it"] : ["are", "They are", "them"];
  const which = `${plural(survey.staged, "marked account")} ${are} staged, not imported`;
  const then = staged
    ? `, and ${are} sent to anyway: expect a 404. ${key("options")} leaves ${them} out.`
    : `: the service would answer 404. ${they} left out; ${key("options")} includes ${them}.`;
  return [{ words: `${which}${then}`, look: { tone: "waiting" } }];
}

function notListedWords({ notListed }: Survey): readonly Sentence[] {
  if (notListed === 0) return [];
  const [are, they] = notListed === 1 ? ["is", "it is"] : ["are", "they are"];
  return [
    {
      words: `${plural(notListed, "marked account")} ${are} no longer on this list; ${they} sent to, and the service decides.`,
      look: { tone: "waiting" },
    },
  ];
}
