import { useCallback, useMemo } from "react";
import {
  type ListProblem,
  loadActions,
  useListProblem,
  useLoadParts,
} from "../../components/list-load.tsx";
import { type Column, fieldColumn } from "../../components/list-screen/column.ts";
import { ListScreen } from "../../components/list-screen/list-screen.tsx";
import { useRowList } from "../../components/list-screen/use-list.ts";
import type { ProblemLine } from "../../components/problem.tsx";
import { readingState } from "../../components/reading-state.tsx";
import { Lines, partLines } from "../../components/text.tsx";
import { useAccountList } from "../../hooks/account-feed.ts";
import { useHere } from "../../hooks/app.tsx";
import { useServiceNow } from "../../hooks/now.ts";
import { useReading } from "../../hooks/reading.ts";
import { useWatchRows } from "../../hooks/watching.ts";
import { useRoom } from "../../hooks/window.tsx";
import { composeActions, notListedWords } from "../../session/compose-actions.ts";
import { openByNumber } from "../../session/open-by-number.ts";
import { showListAsCommand } from "../../session/show-as-command.ts";
import { formatInstant, shortInstant } from "../../text/dates.ts";
import { count, plural } from "../../text/numbers.ts";
import type { Tone } from "../../theme.tsx";
import type { Change, ChangeKind, Observations } from "../../triage/observations/observations.ts";
import { changeFields } from "../../triage/observations/words.ts";

const idOf = ({ external, change, seenAt }: Change) => JSON.stringify([external, change, seenAt]);

const noChanges: ObservedChanges = { changes: [], total: 0, historySince: null };

export function ChangesScreen({ supplier }: { readonly supplier: string }) {
  const here = useHere();
  const { app } = here;
  const room = useRoom();
  const now = useServiceNow(60_000);
  const feed = useAccountList(supplier, "all");
  const { load, loadedAt, version } = feed.snapshot;
  const read = useCallback(
    async (signal: AbortSignal) => readChanges(here.session.observations, supplier, signal),
    [here, supplier],
  );
  const reading = useReading(read, load.kind === "loading" ? loadedAt : version);
  const observed = reading.kind === "read" ? reading.value : noChanges;
  const { changes: rows } = observed;
  const columns = useMemo(() => changeColumns(now), [now]);
  const list = useRowList({ name: `changes of ${supplier}`, rows, idOf, columns });
  const { current } = list;
  const summary = partLines(useSummary(observed, now), room.columns, 2);
  const problem = useListProblem(supplier, feed, room.rows - 4);
  const watch = useWatchRows(list, ({ external: number }) => ({
    kind: "account",
    supplier,
    number,
  }));
  return (
    <ListScreen
      list={list}
      state={readingState(reading, `the changes of ${supplier}`, problemLines(observed, problem))}
      empty={emptyWords(supplier, observed)}
      noun={["change", "changes"]}
      file={{ stem: `${supplier}-changes`, fields: Object.values(changeFields) }}
      history="changes"
      above={{ rows: summary.length, shown: <Lines lines={summary} /> }}
      status={useLoadParts(feed)}
      valuesOf={({ external }) => ({
        import_supplier: supplier,
        external_account_number: external,
      })}
      enter={({ external }) =>
        () =>
          app.navigation.push({ kind: "account", supplier, account: external })
        }
      actions={{
        ...composeActions(
          here,
          supplier,
          current === null
            ? null
            : {
                account: current.external,
                notImported: notListedWords({
                  pending: current.to === "pending",
                  gone: current.to === "gone",
                }),
              },
        ),
        ...openByNumber(app, supplier),
        ...loadActions(app, feed),
        ...(current === null ? {} : { watch }),
        "as-command": () =>
          showListAsCommand(
            here,
            { kind: "changes", supplier, since: sinceIn(list.filter.text) },
            supplier,
          ),
      }}
    />
  );
}

ChangesScreen.help = {
  name: "Changes",
  about: [
    "The differences between the complete lists of this supplier, as this machine saw them, the newest first: accounts that were staged, imported, gone, returned, renumbered or removed.",
    "In the filter, since:24h and age:<2d compare the time, and change:gone one kind. The list of the service is loaded meanwhile: what it shows is added.",
  ],
  words: ["account-state", "account"],
} as const;

function sinceIn(filter: string): string | undefined {
  return /(?:^|\s)since:(\S+)/iu.exec(filter)?.[1];
}

const tones: Readonly<Record<ChangeKind, Tone>> = {
  gone: "bad",
  removed: "bad",
  renumbered: "bad",
  returned: "waiting",
  staged: "waiting",
  imported: "ok",
};

function useSummary({ changes, historySince }: ObservedChanges, now: number) {
  const counts = useMemo(() => Map.groupBy(changes, ({ change }) => change), [changes]);
  if (historySince === null) return [];
  const kinds = Object.keys(tones) as ChangeKind[];
  const parts = kinds.flatMap((kind) => {
    const { length } = counts.get(kind) ?? [];
    return length === 0 ? [] : [[{ text: `${count(length)} ${kind}`, tone: tones[kind] }]];
  });
  const since = { text: `Since ${shortInstant(historySince, now)}: ` };
  const [first = [{ text: "no change", tone: "plain" as Tone }], ...more] = parts;
  return [[since, ...first], ...more];
}

interface ObservedChanges {
  readonly changes: readonly Change[];
  readonly total: number;
  /** The time of the first list in epoch milliseconds, or null if there is none. */
  readonly historySince: number | null;
}

const maxListed = 100_000;

async function readChanges(
  observations: Observations,
  supplier: string,
  signal: AbortSignal,
): Promise<ObservedChanges> {
  const historySince = (await observations.summary(supplier, 0))?.historySince ?? null;
  let changes: Change[] = [];
  let total = 0;
  for await (const page of observations.changePages(supplier, null)) {
    signal.throwIfAborted();
    total += page.length;
    for (const change of page) changes.push(change);
    if (changes.length > 2 * maxListed) changes = changes.slice(-maxListed);
  }
  return { changes: changes.slice(-maxListed).reverse(), total, historySince };
}

function problemLines(read: ObservedChanges, problem: ListProblem): readonly ProblemLine[] {
  const { changes, total } = read;
  if (changes.length === total) return problem.lines;
  const text = `The newest ${count(changes.length)} of ${plural(total, "change")} are listed; supplyline changes prints all.`;
  return [{ text, tone: "waiting" }, ...problem.lines];
}

function emptyWords(supplier: string, { historySince }: ObservedChanges): readonly string[] {
  return historySince !== null
    ? [`No change of ${supplier} was observed yet.`]
    : [
        `No complete list of ${supplier} was observed yet.`,
        "A change is a difference between two complete lists: the first list has none.",
      ];
}

function changeColumns(now: number): readonly Column<Change>[] {
  return [
    fieldColumn(changeFields.account, "ext", "Account", 16, { maxWidth: 44 }),
    fieldColumn(changeFields.change, "change", "Change", 10, {
      tone: ({ change }) => tones[change],
    }),
    fieldColumn(changeFields.from, "from", "From", 12, { drop: 2, maxWidth: 20 }),
    fieldColumn(changeFields.to, "to", "To", 12, { drop: 1, maxWidth: 20 }),
    fieldColumn(changeFields.seenAt, "seen", "Seen", 16, {
      wider: 19,
      text: ({ seenAt }, width) => formatInstant(seenAt, { seconds: width >= 19 }),
      time: { at: ({ seenAt }) => seenAt, now },
    }),
  ];
}
