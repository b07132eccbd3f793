import { Body } from "../../components/body.tsx";
import { Paragraph, Waiting } from "../../components/paragraph.tsx";
import { Text } from "../../components/text.tsx";
import { errorLine } from "../../errors/error-words.ts";
import { useHere } from "../../hooks/app.tsx";
import { useCohort, useCohortHistory, useCohortList } from "../../hooks/cohort.ts";
import { useWatchAction } from "../../hooks/watching.ts";
import { composeActions } from "../../session/compose-actions.ts";
import { startReconcile } from "../../session/reconcile-task.ts";
import { showListAsCommand } from "../../session/show-as-command.ts";
import { openSubject } from "../../session/watch-subjects.ts";
import type { NumberSet } from "../../triage/account-numbers.ts";
import { Overview } from "./overview-screen.tsx";

interface CohortProps {
  readonly supplier: string;
  readonly cohort: string;
}

export function CohortScreen({ supplier, cohort }: CohortProps) {
  const reading = useCohort(supplier, cohort);
  switch (reading.kind) {
    case "reading":
      return (
        <Body>
          <Waiting bold words={`Reading the cohort ${cohort}…`} />
        </Body>
      );
    case "failed":
      return (
        <Body>
          <Text bold>{`The cohort ${cohort} cannot be shown.`}</Text>
          <Text> </Text>
          <Paragraph tone="bad">
            {errorLine(reading.error, { doing: "reading the cohorts" })}
          </Paragraph>
        </Body>
      );
    case "read":
      return <ReadCohort supplier={supplier} cohort={cohort} numbers={reading.value.numbers} />;
  }
}

CohortScreen.help = {
  name: "Cohort",
  about: [
    "The progress of a stored list of accounts, with the figures of a supplier's overview. A cohort never changes.",
    "Accounts on no list are not staged, or left the lists. Enter opens the listed ones; supplyline reconcile with --cohort says more of each.",
  ],
  words: ["account-state", "account", "header"],
} as const;

/** Needs are known of suppliers, not of single accounts. */
const noNeeds = [] as const;

function ReadCohort({ supplier, cohort, numbers }: CohortProps & { readonly numbers: NumberSet }) {
  const here = useHere();
  const { session } = here;
  const { navigation } = here.app;
  const writes = composeActions(here, supplier, null);
  const { feed, unlisted } = useCohortList(supplier, numbers);
  const watch = useWatchAction({ kind: "cohort", supplier, number: cohort });
  const compare = () => {
    const last = session.tasks.reconciles.all.get().get(supplier);
    const isCompared =
      last?.kind === "ended" &&
      last.progress.chosen.kind === "cohort" &&
      last.progress.chosen.name === cohort;
    if (!isCompared) {
      startReconcile(session, supplier, { kind: "cohort", name: cohort }, here.app);
    }
    navigation.push({ kind: "reconcile", supplier });
  };
  const { loadedAt, version } = feed.snapshot;
  const history = useCohortHistory(supplier, numbers, loadedAt === null ? null : version);
  return (
    <Overview
      supplier={supplier}
      name={cohort}
      feed={feed}
      history={history}
      known={null}
      needs={noNeeds}
      unlisted={unlisted}
      keys={{
        ...writes,
        open: {
          run: () => openSubject(here, { kind: "cohort", supplier, number: cohort }),
          label: "accounts",
        },
        reconcile: compare,
        watch,
        "as-command": () => showListAsCommand(here, { kind: "cohort", supplier, cohort }, supplier),
      }}
    />
  );
}
