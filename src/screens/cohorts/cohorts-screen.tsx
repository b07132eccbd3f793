import { useCallback, useState } from "react";
import { barPieces } from "../../components/bar-pieces.ts";
import {
  type Column,
  column,
  countColumn,
  fieldColumn,
} from "../../components/list-screen/column.ts";
import { ListScreen } from "../../components/list-screen/list-screen.tsx";
import { useRowList } from "../../components/list-screen/use-list.ts";
import { Paragraph } from "../../components/paragraph.tsx";
import type { ProblemLine } from "../../components/problem.tsx";
import { readingState } from "../../components/reading-state.tsx";
import { type Piece, Text } from "../../components/text.tsx";
import { isAppError } from "../../errors/app-error.ts";
import { errorLine } from "../../errors/error-words.ts";
import { useApp, useHere, useSession } from "../../hooks/app.tsx";
import { useServiceNow } from "../../hooks/now.ts";
import { useWatchAction } from "../../hooks/watching.ts";
import type { Actions } from "../../keys/scopes.ts";
import { addCohort } from "../../session/add-cohort.ts";
import { startReconcile } from "../../session/reconcile-task.ts";
import { coarseAge, listedAge } from "../../text/ages.ts";
import { formatInstant, utcInstantOrNull } from "../../text/dates.ts";
import { type Field, within } from "../../text/fields.ts";
import { count, plural } from "../../text/numbers.ts";
import { safe } from "../../text/sanitize.ts";
import type { Tone } from "../../theme.tsx";
import { cohortFields, teamCohortFields } from "../../triage/cohorts/cohort-fields.ts";
import type { Cohort } from "../../triage/cohorts/cohorts.ts";
import { type CohortRow, useCohortRows } from "./cohort-list.ts";

const nameOf = ({ cohort }: CohortRow) => cohort.name;

/** The team can have another list with the name of one here. */
const idOf = ({ cohort }: CohortRow) => `${cohort.name} ${cohort.sha256}`;

const nothingRead = { rows: [], problem: null };

/**
 * Shows the stored lists of accounts of all suppliers, their progress, and whether a stored file
 * was changed after the list was added.
 */
export function CohortsScreen() {
  const { key, navigation, notices } = useApp();
  const { profile } = useSession();
  const [version, setVersion] = useState(0);
  const read = useCohortRows(version);
  const { rows, problem } = read.kind === "read" ? read.value : nothingRead;
  const hasTeam = profile.team !== undefined;
  const list = useRowList({
    name: "cohorts",
    rows,
    idOf,
    columns: hasTeam ? teamColumns : columns,
  });
  const { current } = list;
  const readAgain = useCallback(() => setVersion((before) => before + 1), []);
  return (
    <ListScreen
      list={list}
      state={readingState(read, "the cohorts", missingLines(problem))}
      empty={[
        "No cohort yet.",
        `A cohort is your list of accounts, such as a migration wave, stored under a name. ${key("add")} adds one from a file, as supplyline cohorts add does.`,
      ]}
      noun={["cohort", "cohorts"]}
      file={{ stem: "cohorts", fields: hasTeam ? teamFields : fields }}
      below={{ rows: 2, shown: (row) => <CohortDetail row={row} isHidden={isHidden(row, rows)} /> }}
      valuesOf={({ cohort }) => ({ import_supplier: cohort.supplier })}
      enter={(row) => () => {
        const { supplier, name } = row.cohort;
        if (isHidden(row, rows)) notices.show(hiddenWords, "waiting");
        else navigation.push({ kind: "cohort", supplier, cohort: name });
      }}
      actions={useCohortKeys(current, current !== null && isHidden(current, rows), readAgain)}
    />
  );
}

CohortsScreen.help = {
  name: "Cohorts",
  about: [
    "Your stored lists of accounts, such as migration waves, with how many are imported as of the last complete list of their supplier. Opening the screen makes no request.",
    "A cohort never changes. Changed means that its stored file does not match its SHA-256: remove the cohort and add it again.",
  ],
  words: ["account-state", "account"],
} as const;

function missingLines(problem: unknown): readonly ProblemLine[] {
  if (problem === null) return [];
  const reason = errorLine(problem, { doing: "reading the team's cohorts" });
  return [{ text: `The team's cohorts are missing. ${reason}`, tone: "waiting" }];
}

const hiddenWords =
  "This machine has another list with this name: remove that one to use this one.";

/** Returns true for a cohort of the team whose name has another list on this machine. */
function isHidden({ cohort }: CohortRow, rows: readonly CohortRow[]): boolean {
  return !cohort.isHere && rows.some((row) => row.cohort.isHere && row.cohort.name === cohort.name);
}

function CohortDetail({ row, isHidden }: { readonly row: CohortRow; readonly isHidden: boolean }) {
  const { key } = useApp();
  const now = useServiceNow(60_000);
  const { cohort, figures } = row;
  if (!cohort.isHere) {
    const sharer = `Shared by ${safe(cohort.person ?? "")} on ${safe(cohort.machine ?? "")}`;
    return (
      <Paragraph most={2}>
        {isHidden
          ? `${sharer}. ${hiddenWords}`
          : `${sharer}; ${key("open")} stores it here, and opens it.`}
      </Paragraph>
    );
  }
  if (figures === null) return <Text>{`Reading the list of ${cohort.name}…`}</Text>;
  if (figures.kind === "failed") {
    return (
      <Paragraph tone="bad" most={2}>
        {errorLine(figures.error, { doing: "reading the cohorts" })}
      </Paragraph>
    );
  }
  const { observed } = figures;
  if (observed === null) {
    return (
      <Text>{`No complete list of ${cohort.supplier} was observed yet: ${key("open")} loads it.`}</Text>
    );
  }
  const { imported, pending, observedAt } = observed;
  const unlisted = cohort.accounts - imported - pending;
  const parts = [
    `${count(imported)} of ${count(cohort.accounts)} imported`,
    ...(pending === 0 ? [] : [`${count(pending)} pending`]),
    ...(unlisted === 0 ? [] : [`${count(unlisted)} on no list`]),
  ];
  return (
    <Paragraph
      most={2}
    >{`${parts.join(", ")}; list ${coarseAge(Math.max(0, now - observedAt))} old`}</Paragraph>
  );
}

const cohortOf = ({ cohort }: CohortRow) => cohort;
const of = (field: Field<Cohort>) => within(field, cohortOf);

const fields = Object.values(cohortFields).map(of);
const { by, machine, isHere } = teamCohortFields;
const teamFields = [
  ...fields,
  within(by, cohortOf),
  within(machine, cohortOf),
  within(isHere, cohortOf),
];

const columns: readonly Column<CohortRow>[] = [
  column(
    "name",
    "Cohort",
    8,
    ({ cohort, figures }, width) =>
      width < 20 && figures?.kind === "failed" ? `! ${cohort.name}` : cohort.name,
    { maxWidth: 40, tone: listTone, value: nameOf },
  ),
  fieldColumn(of(cohortFields.supplier), "supplier", "Supplier", 10),
  column("bar", "", 6, () => "", {
    fills: true,
    drop: 0,
    picture: true,
    pieces: (row, width) => barOf(row, width),
  }),
  countColumn("accounts", "Accounts", 9, ({ cohort }) => cohort.accounts),
  countColumn("imported", "Imported", 9, (row) => observedOf(row)?.imported ?? null),
  countColumn("missing", "Missing", 9, missingOf, { tone: missingTone }),
  column(
    "oldest",
    "Oldest",
    9,
    (row) => {
      const [since, observed] = [oldestOf(row), observedOf(row)];
      return since === null || observed === null ? "" : listedAge(since, observed.observedAt);
    },
    {
      drop: 1,
      value: (row) => utcInstantOrNull(oldestOf(row)),
      sort: oldestOf,
    },
  ),
  fieldColumn(of(cohortFields.createdAt), "added", "Added", 16, {
    text: ({ cohort }) => formatInstant(cohort.createdAt, { seconds: false }),
    drop: 2,
  }),
  column("source", "Source", 18, sourceText, { drop: 3 }),
  column("list", "Stored list", 11, listText, { drop: 1, tone: listTone }),
];

const teamColumns: readonly Column<CohortRow>[] = [
  ...columns,
  column("by", "Shared by", 12, ({ cohort }) => safe(cohort.person ?? ""), { drop: 2 }),
];

/** Returns the shares of imported accounts and of those on no list, or blanks while unknown. */
function barOf(row: CohortRow, width: number): readonly Piece[] {
  const observed = observedOf(row);
  if (observed === null) return [{ text: " ".repeat(width) }];
  const { accounts } = row.cohort;
  const { imported, pending } = observed;
  return barPieces(
    { done: imported, failed: accounts - imported - pending },
    accounts,
    width,
    "line",
  );
}

function observedOf({ figures }: CohortRow) {
  return figures?.kind === "read" ? figures.observed : null;
}

function missingOf(row: CohortRow): number | null {
  const observed = observedOf(row);
  return observed === null ? null : row.cohort.accounts - observed.imported;
}

/** Returns the start of the longest pending state in epoch milliseconds, or null if none is. */
function oldestOf(row: CohortRow): number | null {
  return observedOf(row)?.oldestPendingSince ?? null;
}

function missingTone(row: CohortRow): Tone {
  const missing = missingOf(row);
  return missing === null ? "plain" : missing > 0 ? "waiting" : "ok";
}

function sourceText({ cohort: { layout, column } }: CohortRow): string {
  return column === null ? layout : `${layout}, ${column}`;
}

function listText({ cohort, figures }: CohortRow): string {
  if (!cohort.isHere) return "team only";
  if (figures === null) return "reading";
  if (figures.kind === "read") return "as added";
  return isChanged(figures.error) ? "changed" : "damaged";
}

function listTone({ figures }: CohortRow): Tone {
  return figures?.kind === "failed" ? "bad" : "plain";
}

function isChanged(error: unknown): boolean {
  return isAppError(error, "cohort", "changed");
}

function useCohortKeys(
  current: CohortRow | null,
  isHidden: boolean,
  readAgain: () => void,
): Actions {
  const here = useHere();
  const { app, session } = here;
  const { navigation, overlays, notices } = app;
  const hasTeam = session.profile.team !== undefined;
  const supplier = current?.cohort.supplier ?? "";
  const watch = useWatchAction({ kind: "cohort", supplier, number: current?.cohort.name ?? "" });
  const announce = (work: Promise<unknown>, done: string, doing: string) =>
    void work.then(
      () => {
        notices.show(done, "ok");
        readAgain();
      },
      (error: unknown) => notices.show(errorLine(error, { doing }), "bad"),
    );
  const share = ({ name }: CohortRow["cohort"]) =>
    announce(
      session.cohorts.share(name),
      `The cohort ${name} is shared with the team.`,
      `sharing the cohort ${name}`,
    );
  const remove = ({ name, accounts, person }: CohortRow["cohort"]) =>
    overlays.confirm({
      question: `Remove the cohort ${name}?`,
      detail: `Its list of ${plural(accounts, "account")} is deleted from this machine${person === null ? " and cannot be restored" : ", and stays with the team"}. Nothing changes at the service.`,
      yes: "Yes, remove it",
      onYes: () =>
        announce(
          session.cohorts.remove(name),
          `The cohort ${name} is removed.`,
          `removing the cohort ${name}`,
        ),
    });
  const compare = ({ name }: CohortRow["cohort"]) => {
    startReconcile(session, supplier, { kind: "cohort", name }, app);
    navigation.push({ kind: "reconcile", supplier });
  };
  return {
    ...(current === null || isHidden ? {} : { reconcile: () => compare(current.cohort), watch }),
    ...(current?.cohort.isHere ? { remove: () => remove(current.cohort) } : {}),
    ...(current?.cohort.isHere && current.cohort.person === null && hasTeam
      ? { share: () => share(current.cohort) }
      : {}),
    add: () => addCohort(here, readAgain),
    refresh: readAgain,
  };
}
