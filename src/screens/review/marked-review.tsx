import { useEffect, useMemo, useState } from "react";
import type { MarkedAccounts } from "../../accounts/marks.ts";
import { plannedFor } from "../../bulk/for-accounts.ts";
import { operationOf } from "../../bulk/kinds.ts";
import { Body } from "../../components/body.tsx";
import { JournalProblem } from "../../components/journal-problem.tsx";
import { Text } from "../../components/text.tsx";
import { forms } from "../../forms/forms.ts";
import { placeWords, useConfirm } from "../../hooks/confirm.ts";
import { useKeys, useKeyWords } from "../../hooks/keys.tsx";
import { useUnlessLocked, useWriteLock } from "../../hooks/lock.tsx";
import { useNavigation } from "../../hooks/navigation.tsx";
import { useOverlays } from "../../hooks/overlay.tsx";
import { useProfileStands } from "../../hooks/profile-check.ts";
import { useStartRun } from "../../hooks/run-actions.ts";
import { useSession } from "../../hooks/session.tsx";
import { useRoom } from "../../hooks/window.tsx";
import type { KeyWords } from "../../keys/keymap.ts";
import { urlOf } from "../../session/write-plan.ts";
import type { Draft } from "../../settings/draft.ts";
import { profileFlag } from "../../settings/sandbox-profile.ts";
import { asCurl } from "../../text/as-curl.ts";
import { count, plural } from "../../text/numbers.ts";
import { type Confirmation, confirmationOf } from "../../writes/confirmation.ts";
import type { Again } from "../../writes/guard.ts";
import type { PreparedWrite } from "../../writes/prepare.ts";
import { markedCommand, mostRows } from "./marked-command.ts";
import { markedLines } from "./marked-lines.ts";
import { type Amounts, amountsOf, type MarkedPlan, preparedFor } from "./marked-plan.ts";
import { type Survey, sentTo } from "./marked-survey.ts";
import { Scrolling } from "./scrolling.tsx";
import { optionsAction, queryChoices } from "./send-options.ts";
import { Title, titleRows } from "./title.tsx";
import { useSurvey } from "./use-marked-survey.ts";

type Plan = Extract<MarkedPlan, { readonly kind: "plan" }>;

const noRequests: readonly PreparedWrite[] = [];

/** What will be sent to the marked accounts, before it is. */
export function MarkedReview(props: {
  readonly draft: Draft;
  readonly plan: Plan;
  readonly marked: MarkedAccounts;
  readonly choose: (option: string, on: boolean) => void;
}) {
  const { draft, plan, marked, choose } = props;
  const { template, warnings } = plan;
  const session = useSession();
  const navigation = useNavigation();
  const overlays = useOverlays();
  const confirm = useConfirm();
  const room = useRoom();
  const lock = useWriteLock();
  const unlessLocked = useUnlessLocked();
  const stands = useProfileStands();
  const key = useKeyWords();
  const [staged, setStaged] = useState(false);
  const [rules, setRules] = useState(false);
  const survey = useSurvey(template, marked, staged);
  const { state: starting, start } = useStartRun();
  const amounts = useMemo(() => amountsOf(template, survey.sentTo), [template, survey.sentTo]);
  const sendable = survey.done && survey.problemCount === 0;
  const first = useSample(plan, sendable ? survey.first : null);
  const last = useSample(plan, sendable ? survey.last : null);
  const { profile } = session;
  const why =
    starting.kind === "recording"
      ? "The run is being recorded."
      : (lock ?? notSendable(survey, marked.count, key));
  const started = starting.kind === "started" ? starting.run : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it has been started
  useEffect(() => {
    if (started === null) return;
    // Out of the review and out of the form below it: what is under way is the run's own screen.
    navigation.back();
    navigation.back();
    navigation.push({ kind: "run", id: started });
  }, [started]);
  const asked = confirmationOf({
    environment: profile.environment,
    operation: operationOf[template.kind],
    rows: "many",
    inDoubt: survey.barred > 0,
  });
  const go = (again: Again | null) =>
    unlessLocked(() =>
      start({
        draft,
        kind: template.kind,
        rows: amounts.rows,
        requests: amounts.requests,
        planned: () => plannedFor(template, sentTo(marked, staged)),
        again,
      }),
    );
  const send = () => {
    if (!stands()) return;
    const { words, sum, rows } = amounts;
    const inAll = sum === null ? "" : `, ${sum} in all,`;
    confirm(
      {
        asked,
        title: `Send ${words}${inAll} to ${plural(survey.sentTo, "account")} of ${template.importSupplier}, ${placeWords(session)}`,
        detail: survey.barred === 0 ? null : (survey.firstEarlier?.words ?? null),
        yes: `Yes, send ${words}`,
        target: "",
        rows,
        sum,
        reason:
          survey.barred === 0
            ? null
            : {
                hint: `Why ${plural(survey.barred, "account")} with an earlier entry of the same form get it again.`,
                without: "left out",
              },
      },
      go,
    );
  };
  const sample = first[0];
  useKeys({
    ...optionsAction(overlays, [
      ...queryChoices(forms[template.kind], template.query, choose),
      ...(survey.staged > 0
        ? [
            {
              label: `Staged accounts: ${staged ? "leave them out" : "send to them as well"}`,
              hint: count(survey.staged),
              run: () => (staged ? setStaged(false) : askForStaged()),
            },
          ]
        : []),
    ]),
    back: {
      run: navigation.back,
      label: "to the form",
      disabled: starting.kind === "recording" ? why : null,
    },
    send: { run: send, disabled: why },
    "failure-rules": { run: () => setRules(!rules), label: rules ? "fold rules" : "failure rules" },
    ...(sample === undefined
      ? {}
      : {
          "as-command": {
            run: () =>
              overlays.open({
                kind: "as-command",
                command:
                  amounts.rows > mostRows
                    ? null
                    : markedCommand(template, sentTo(marked, staged), profileFlag(profile)),
                curl: asCurl(
                  {
                    method: "POST",
                    url: urlOf(session.baseUrl, sample.path, sample.query),
                    body: new TextDecoder().decode(sample.body),
                  },
                  session.authForm(),
                ),
                note: curlWords(amounts, template.kind),
              }),
          },
        }),
  });
  const askForStaged = () =>
    overlays.open({
      kind: "confirm",
      question: `Send to ${count(survey.staged)} staged accounts as well?`,
      detail:
        "Only an imported account takes notes and transactions: the service would answer 404. What the list shows may be out of date.",
      yes: "Send to them all the same",
      onYes: () => setStaged(true),
    });
  const lines = useMemo(
    () =>
      markedLines(
        {
          template,
          warnings,
          amounts,
          survey,
          marked: marked.count,
          staged,
          baseUrl: session.baseUrl,
          key,
          first,
          last,
          rules,
        },
        room.columns,
      ),
    [
      template,
      warnings,
      amounts,
      survey,
      marked,
      staged,
      session.baseUrl,
      first,
      last,
      rules,
      room,
      key,
    ],
  );
  const title = `${amounts.words} for ${count(survey.sentTo)} of ${count(marked.count)} marked accounts of ${template.importSupplier}. Nothing has been sent.`;
  return (
    <Body>
      <Title>{title}</Title>
      {starting.kind === "failed" ? (
        <JournalProblem error={starting.error} doing="recording the run" />
      ) : (
        <Scrolling lines={lines} taken={1 + titleRows(title, room.columns)} />
      )}
      <Text tone={why ? "waiting" : "accent"}>{why ?? sendWords(amounts, asked, key)}</Text>
    </Body>
  );
}

function curlWords({ requests, rows }: Amounts, kind: string): string {
  const first = requests === 1 ? "" : `curl sends the first of ${count(requests)} requests. `;
  const file =
    rows > mostRows
      ? ` So many go from a file: supplyline bulk run ${kind} --from FILE, with a row for each.`
      : "";
  return `${first}curl keeps no journal and resends nothing.${file}`;
}

/** The requests of one account, made once. */
function useSample({ template }: Plan, account: string | null): readonly PreparedWrite[] {
  return useMemo(
    () => (account === null ? noRequests : preparedFor(template, account)),
    [template, account],
  );
}

/** Why it cannot be sent, in words; null when it can. */
function notSendable(survey: Survey, marked: number, key: KeyWords): string | null {
  if (!survey.done) return `Checking: ${count(survey.looked)} of ${count(marked)} marked accounts…`;
  if (survey.problemCount > 0) return "The problems above keep it from being sent; Esc goes back.";
  if (marked === 0) return `No account is marked: Esc, and ${key("mark")} marks one.`;
  if (survey.sentTo === 0)
    return `No marked account is imported; ${key("options")} includes the staged ones.`;
  return null;
}

function sendWords({ rows, sum }: Amounts, asked: Confirmation, key: KeyWords): string {
  const back = `${key("back")} goes back to the form.`;
  switch (asked.kind) {
    case "none":
      return `${key("send")} sends them; ${back}`;
    case "yes":
      return `${key("send")} sends them, after a question; ${back}`;
    case "typed": {
      const what = asked.what === "rows-and-sum" ? `${rows} and ${sum ?? "0"}` : `${rows}`;
      return `${key("send")} sends them after you type ${what}; ${back}`;
    }
  }
}
