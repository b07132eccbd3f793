import { useEffect, useMemo, useState } from "react";
import type { MarkedAccounts } from "../../accounts/marks.ts";
import { type Checked, checkRows } from "../../bulk/check.ts";
import { type AccountRows, accountLines, sourceBytes } from "../../bulk/source.ts";
import { Body } from "../../components/body.tsx";
import type { Sentence } from "../../components/document.tsx";
import { Paragraph } from "../../components/paragraph.tsx";
import { Problem } from "../../components/problem.tsx";
import { forms } from "../../forms/forms.ts";
import { useHere, useSession } from "../../hooks/app.tsx";
import type { KeyWords } from "../../keys/keymap.ts";
import type { Here } from "../../session/app.ts";
import { guardOf, runCommand } from "../../session/bulk-file.ts";
import { markedIn } from "../../session/compose-actions.ts";
import type { MarkedList } from "../../session/places.ts";
import { MarkedCounts, type MarkedPlan, markedPlanOf, sentTo, urlOf } from "../../session/plan.ts";
import { runUntilCleanup } from "../../session/run-until-cleanup.ts";
import { profileFlag } from "../../settings/sandbox-profile.ts";
import type { SavedDraft } from "../../state/drafts.ts";
import { asCurl } from "../../text/as-command.ts";
import { count, plural } from "../../text/numbers.ts";
import { isArgument, shellQuote } from "../../text/shell-quote.ts";
import { prepareWrite } from "../../writes/prepare.ts";
import { NotReviewable, useReviewedDraft } from "./review.tsx";
import { queryChoices } from "./review-facts.ts";
import { RowsReview } from "./rows-review.tsx";

export function MarkedReviewScreen(props: {
  readonly draft: string;
  readonly supplier: string;
  readonly list: MarkedList;
}) {
  const { supplier, list } = props;
  const session = useSession();
  const { draft, typedAt, choose } = useReviewedDraft(props.draft);
  // The marks are read once, because later marks and loaded rows were not reviewed.
  const [marked] = useState(() => markedIn(session, supplier, list));
  const plan = useMemo(
    () => (draft === null ? null : markedPlanOf(draft, typedAt)),
    [draft, typedAt],
  );
  if (draft === null || plan?.kind !== "plan") return <NotReviewable planned={plan} />;
  return <MarkedReview draft={draft} plan={plan} marked={marked} choose={choose} />;
}

MarkedReviewScreen.help = {
  name: "Review for marked accounts",
  about: [
    "The number of requests, the sum of the amounts, and the first and last request exactly as they will be sent.",
    "Staged accounts are counted and left out unless you include them.",
  ],
  words: ["account-state", "outcome"],
} as const;

function MarkedReview(props: {
  readonly draft: SavedDraft;
  readonly plan: MarkedPlan;
  readonly marked: MarkedAccounts;
  readonly choose: (option: string, on: boolean) => void;
}) {
  const { draft, plan, marked, choose } = props;
  const { supplier, reading } = plan;
  const here = useHere();
  const { overlays, key } = here.app;
  const [sendsToStaged, setSendsToStaged] = useState(false);
  const { source, check } = useCheck(plan, marked, sendsToStaged);
  const before = useMemo(
    () =>
      check.kind === "checked"
        ? [
            ...rowErrorWords(check.checked, check.counts),
            ...accountWarnings(check.counts, sendsToStaged, key),
          ]
        : [],
    [check, sendsToStaged, key],
  );
  if (check.kind === "failed") {
    return (
      <Body>
        <Problem error={check.error} context={{ doing: "checking the rows" }} />
      </Body>
    );
  }
  if (check.kind === "checking") {
    return (
      <Body>
        <Paragraph bold>{`${count(marked.count)} marked accounts of ${supplier}`}</Paragraph>
        <Paragraph>{`Checking: ${plural(check.rows, "row")} so far…`}</Paragraph>
      </Body>
    );
  }
  const { checked, counts } = check;
  const askForStaged = () =>
    overlays.confirm({
      question: `Send to ${count(counts.staged)} staged accounts as well?`,
      detail:
        "Only imported accounts take notes and transactions: the service would answer 404. The list might be out of date.",
      yes: "Send to them anyway",
      onYes: () => setSendsToStaged(true),
    });
  const stagedChoice = {
    label: `Staged accounts: ${sendsToStaged ? "leave them out" : "send to them as well"}`,
    hint: count(counts.staged),
    run: () => (sendsToStaged ? setSendsToStaged(false) : askForStaged()),
  };
  return (
    <RowsReview
      source={source}
      checked={checked}
      draft={draft}
      before={before}
      warnings={plan.warnings}
      inTitle={`to ${count(counts.sentTo)} of ${count(marked.count)} marked accounts of ${supplier}`}
      inQuestion={`to ${plural(counts.sentTo, "account")} of ${supplier}`}
      inQuestionWithoutHeld={`to accounts of ${supplier}`}
      obstacle={obstacleOf(checked, counts, marked.count, key)}
      choices={[
        ...queryChoices(forms[reading.kind], reading.query, choose),
        ...(counts.staged > 0 ? [stagedChoice] : []),
      ]}
      keys={
        checked.last === null ? {} : { "as-command": () => showAsCommand(here, source, checked) }
      }
    />
  );
}

type AccountsCheck =
  | { readonly kind: "checking"; readonly rows: number }
  | { readonly kind: "checked"; readonly checked: Checked; readonly counts: MarkedCounts }
  | { readonly kind: "failed"; readonly error: unknown };

const checkStarted: AccountsCheck = { kind: "checking", rows: 0 };

/** Checks the rows, again if the form or the choice about staged accounts changes. */
function useCheck(
  { supplier, itemsOf, reading }: MarkedPlan,
  marked: MarkedAccounts,
  sendsToStaged: boolean,
): { readonly source: AccountRows; readonly check: AccountsCheck } {
  const session = useSession();
  const source = useMemo((): AccountRows => {
    const numbers = () => sentTo(marked, sendsToStaged);
    return { kind: "accounts", supplier, itemsOf, numbers };
  }, [supplier, itemsOf, marked, sendsToStaged]);
  const [result, setResult] = useState({ source, check: checkStarted });
  useEffect(
    () =>
      runUntilCleanup(async (signal) => {
        const show = (check: AccountsCheck) => {
          if (!signal.aborted) setResult({ source, check });
        };
        const counts = new MarkedCounts();
        const numbers = () => sentTo(marked, sendsToStaged, counts);
        try {
          const guard = await guardOf(session, signal);
          const checked = await checkRows(sourceBytes({ ...source, numbers }, signal), reading, {
            signal,
            guard,
            onProgress: ({ rows }) => show({ kind: "checking", rows }),
          });
          show({ kind: "checked", checked, counts });
        } catch (error) {
          show({ kind: "failed", error });
        }
      }),
    [session, source, reading, marked, sendsToStaged],
  );
  // The result of an earlier source does not describe the rows of the current one.
  return { source, check: result.source === source ? result.check : checkStarted };
}

function obstacleOf(
  { issues }: Checked,
  { sentTo }: MarkedCounts,
  marked: number,
  key: KeyWords,
): string | null {
  const back = key("back");
  if (marked === 0) return `No account is marked: ${back} goes back, and ${key("mark")} marks one.`;
  if (sentTo === 0)
    return `No marked account is imported; ${key("options")} includes the staged ones.`;
  return issues.errors > 0 ? `Fix the errors above before you send; ${back} goes back.` : null;
}

const maxErrors = 20;

function rowErrorWords({ issues }: Checked, { sentTo }: MarkedCounts): readonly Sentence[] {
  if (issues.errors === 0 || sentTo === 0) return [];
  const look = { tone: "bad" } as const;
  const shown = issues.firstErrors.slice(0, maxErrors);
  const more = issues.errors - shown.length;
  return [
    {
      words: `${plural(issues.rows, "row")} cannot be sent: change the form or unmark the accounts.`,
      look: { ...look, bold: true },
    },
    ...shown.map(({ account, column, message }) => ({
      words: `${account}${column === null ? "" : `, ${column}`}: ${message}`,
      look,
      indent: 2,
    })),
    ...(more > 0 ? [{ words: `and ${count(more)} more`, look, indent: 2 }] : []),
  ];
}

function accountWarnings(
  { staged, notListed }: MarkedCounts,
  sendsToStaged: boolean,
  key: KeyWords,
): readonly Sentence[] {
  const look = { tone: "waiting" } as const;
  const [are, they, them] = staged === 1 ? ["is", "It is", "it"] : ["are", "They are", "them"];
  const effect = sendsToStaged
    ? `, and ${are} sent to anyway: expect a 404. ${key("options")} leaves ${them} out.`
    : `: the service would answer 404. ${they} left out; ${key("options")} includes ${them}.`;
  const stagedWords = `${plural(staged, "marked account")} ${are} staged, not imported`;
  const [verb, subject] = notListed === 1 ? ["is", "it is"] : ["are", "they are"];
  return [
    ...(staged === 0 ? [] : [{ words: `${stagedWords}${effect}`, look }]),
    ...(notListed === 0
      ? []
      : [
          {
            words: `${plural(notListed, "marked account")} ${verb} no longer on this list; ${subject} sent to, and the service decides.`,
            look,
          },
        ]),
  ];
}

const maxRows = 200;

/** Shows the rows as a command that reads standard input, and the first request as curl. */
function showAsCommand(
  { app, session }: Here,
  source: AccountRows,
  { reading, rows, requests, first: [sample] }: Checked,
): void {
  if (sample === undefined) return;
  const { path, query, body } = prepareWrite(sample.write);
  const isLong = rows > maxRows;
  const input = isLong ? "" : [...accountLines(source)].join("");
  const line = runCommand(reading, "-", "--yes", profileFlag(session.profile));
  const first = requests === 1 ? "" : `curl sends the first of ${count(requests)} requests. `;
  const file = isLong
    ? ` For this many rows use a file: supplyline bulk run ${reading.kind} --from FILE, one row for each.`
    : "";
  const url = urlOf(session.baseUrl, path, query);
  const request = { method: "POST", url, body: new TextDecoder().decode(body) } as const;
  app.overlays.open({
    kind: "as-command",
    command:
      isLong || line === null || !isArgument(input)
        ? null
        : `printf %s ${shellQuote(input)} | ${line}`,
    curl: asCurl(request, session.authForm()),
    note: `${first}curl keeps no journal and resends nothing.${file}`,
  });
}
