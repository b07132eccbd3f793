import { useEffect, useMemo, useState } from "react";
import type { MarkedAccounts } from "../../accounts/marks.ts";
import { betweenEvents, inSlices } from "../../accounts/slices.ts";
import { plannedFor, type Template } from "../../bulk/for-accounts.ts";
import { forms } from "../../forms/forms.ts";
import { useApp, useSession } from "../../hooks/app.tsx";
import { useStartRun } from "../../hooks/start-run.ts";
import type { Session } from "../../session/open-session.ts";
import type { SavedDraft } from "../../state/drafts.ts";
import { count, plural } from "../../text/numbers.ts";
import { askGuard, mostSevere } from "../../writes/guard.ts";
import { operationOf } from "../../writes/kinds/kinds.ts";
import type { PreparedWrite } from "../../writes/prepare.ts";
import { markedAsCommand } from "./marked-command.ts";
import { type Amounts, amountsOf, type MarkedPlan, preparedFor } from "./marked-plan.ts";
import { emptySummary, type GuardLookup, type Survey, sentTo, survey } from "./marked-survey.ts";
import { describeMarked, goesOutWords, obstacleWords } from "./marked-words.ts";
import { Review } from "./review.tsx";
import type { ReviewFacts } from "./review-lines.ts";
import { queryChoices, sendWords } from "./words.ts";

type Plan = Extract<MarkedPlan, { readonly kind: "plan" }>;

const noRequests: readonly PreparedWrite[] = [];

/** Shows the requests to the marked accounts before they are sent. */
export function MarkedReview(props: {
  readonly draft: SavedDraft;
  readonly plan: Plan;
  readonly marked: MarkedAccounts;
  readonly choose: (option: string, on: boolean) => void;
}) {
  const { draft, plan, marked, choose } = props;
  const { template, warnings } = plan;
  const form = forms[template.kind];
  const session = useSession();
  const { navigation, overlays, key } = useApp();
  const [staged, setStaged] = useState(false);
  const survey = useSurvey(template, marked, staged);
  // Out of the review and out of the form below it: what is under way is the run's own screen.
  const { recording, failed, start } = useStartRun(1);
  const amounts = useMemo(() => amountsOf(template, survey.sentTo), [template, survey.sentTo]);
  const left = survey.sentTo - survey.barred;
  const out = useMemo(() => amountsOf(template, left), [template, left]);
  const sendable = survey.done && survey.problemCount === 0;
  const first = useSample(plan, sendable ? survey.first : null);
  const last = useSample(plan, sendable ? survey.last : null);
  const sample = first[0];
  const facts = useMemo(
    (): ReviewFacts => ({
      form,
      baseUrl: session.baseUrl,
      before: describeMarked(survey, staged, key),
      warnings,
      write: sample ?? null,
      requests: [
        { heading: "First account", parts: first },
        ...(survey.sentTo > 1 ? [{ heading: "Last account", parts: last }] : []),
      ],
      run: {
        goesOut: goesOutWords(out, survey.sentTo - survey.barred),
        suppliers: [],
        first: first.map(unnumbered),
        last: survey.sentTo > 1 ? (last.map(unnumbered).at(-1) ?? null) : null,
        between: out.requests - first.length - 1,
        heldBack: [],
      },
      split: null,
    }),
    [form, session.baseUrl, survey, staged, key, warnings, sample, first, last, out],
  );
  const { contents, rows } = amounts;
  const inDoubt = survey.barred > 0;
  const asking = ({ words, contents, rows, sum }: Amounts, accounts: number) => ({
    doing: `Send ${contents} to ${plural(accounts, "account")} of ${template.importSupplier}`,
    yes: `Yes, send ${words}`,
    rows,
    sum,
  });
  const toSend = {
    operation: operationOf(template.kind),
    inDoubt,
    ...asking(amounts, survey.sentTo),
    detail: inDoubt ? (survey.firstEarlier?.words ?? null) : null,
    target: null,
    reason: inDoubt
      ? {
          hint: `Why ${plural(survey.barred, "account")} with an earlier entry of the same item ${survey.barred === 1 ? "gets" : "get"} it again${left === 0 ? "." : "; empty leaves them out."}`,
          without: left === 0 ? null : asking(out, left),
        }
      : null,
  };
  const askForStaged = () =>
    overlays.confirm({
      question: `Send to ${count(survey.staged)} staged accounts as well?`,
      detail:
        "Only imported accounts take notes and transactions: the service would answer 404. The list might be out of date.",
      yes: "Send to them anyway",
      onYes: () => setStaged(true),
    });
  const stagedChoice = {
    label: `Staged accounts: ${staged ? "leave them out" : "send to them as well"}`,
    hint: count(survey.staged),
    run: () => (staged ? setStaged(false) : askForStaged()),
  };
  return (
    <Review
      title={`${contents} to ${count(survey.sentTo)} of ${count(marked.count)} marked accounts of ${template.importSupplier}`}
      facts={facts}
      obstacle={recording ?? obstacleWords(survey, marked.count, key)}
      first={null}
      ready={sendWords(toSend, session, "them", key)}
      sendLabel="send"
      toSend={toSend}
      onSend={(again) =>
        start({
          draft,
          file: null,
          kind: template.kind,
          rows,
          requests: amounts.requests,
          contents,
          read: () => ({ requests: plannedFor(template, sentTo(marked, staged)) }),
          again,
        })
      }
      choices={[
        ...queryChoices(form, template.query, choose),
        ...(survey.staged > 0 ? [stagedChoice] : []),
      ]}
      keys={{
        ...(recording === null
          ? {}
          : { back: { run: navigation.back, label: "form", disabled: recording } }),
        ...(sample === undefined
          ? {}
          : {
              "as-command": () =>
                overlays.open(
                  markedAsCommand(template, sentTo(marked, staged), amounts, sample, session),
                ),
            }),
      }}
      failed={failed}
    />
  );
}

const unnumbered = (write: PreparedWrite) => ({ lines: null, write });

/** Returns the requests of one account, made once. */
function useSample({ template }: Plan, account: string | null): readonly PreparedWrite[] {
  return useMemo(
    () => (account === null ? noRequests : preparedFor(template, account)),
    [template, account],
  );
}

/** Milliseconds between two reports of the progress of a long survey. */
const reportEveryMs = 200;

/**
 * Returns the findings of the duplicate guard. Without a journal nothing is known, and nothing can
 * be sent either.
 */
async function guardOf(session: Session, template: Template): Promise<GuardLookup> {
  const writes = await session.writes().catch(() => null);
  if (writes === null) return () => ({ kind: "clear" });
  const { journal, service } = writes.context;
  const { baseUrl } = service;
  return (account) =>
    journal.read((rows) =>
      mostSevere(
        preparedFor(template, account).map((write) => askGuard(rows, { baseUrl, write }, null)),
      ),
    );
}

/** Checks the marked accounts in slices, so that keys work meanwhile, however many there are. */
function useSurvey(template: Template | null, marked: MarkedAccounts, staged: boolean): Survey {
  const session = useSession();
  const [found, setFound] = useState<Survey>(emptySummary);
  useEffect(() => {
    setFound(emptySummary);
    if (template === null) return;
    let left = false;
    let reportedAt = betweenEvents.elapsed();
    const look = async () => {
      const findingOf = await guardOf(session, template);
      const work = survey(template, marked, staged, findingOf, (now) => {
        if (betweenEvents.elapsed() - reportedAt < reportEveryMs) return;
        reportedAt = betweenEvents.elapsed();
        setFound(now);
      });
      const end = await inSlices(work, betweenEvents, () => left);
      if (end !== null && !left) setFound(end);
    };
    void look();
    return () => {
      left = true;
    };
  }, [session, template, marked, staged]);
  return found;
}
