import { useEffect, useMemo, useState } from "react";
import { errorMessage } from "../../api/errors.ts";
import type { Fact } from "../../components/facts.tsx";
import { ListScreen } from "../../components/list-screen/list-screen.tsx";
import { useRowList } from "../../components/list-screen/use-list.ts";
import { Paragraph } from "../../components/paragraph.tsx";
import { SubjectPreview } from "../../components/subject-preview.tsx";
import { Line, StatusBadge, Text } from "../../components/text.tsx";
import { useApp, useHere, useSession } from "../../hooks/app.tsx";
import { useOldestPending } from "../../hooks/cohort.ts";
import { useListedAccounts, usePaces } from "../../hooks/verdict.ts";
import { useWatched } from "../../hooks/watching.ts";
import { useActive } from "../../hooks/window.tsx";
import type { KeyWords } from "../../keys/keymap.ts";
import { watchListActions } from "../../session/watch-list-actions.ts";
import { openSubject, subjectName } from "../../session/watch-subjects.ts";
import { shortInstant } from "../../text/dates.ts";
import { plural } from "../../text/numbers.ts";
import type { ListedAccount } from "../../triage/verdict.ts";
import type { WatchSnapshot } from "../../watch/watch-list.ts";
import type { Watched, WatchProgress } from "../../watch/watched.ts";
import {
  checksWords,
  checkWords,
  DetailLines,
  detailRows,
  SummaryLine,
  useTick,
} from "./watch-lines.tsx";
import {
  byAttention,
  type WatchRow,
  watchColumns,
  watchedValues,
  watchFields,
  watchRow,
  withDoneFolded,
} from "./watch-rows.ts";

const idOf = ({ watched, folded }: WatchRow) => (folded ? "done" : watched.key);
const partsOf = (row: WatchRow) => row.folded ?? [row];
const valuesOf = ({ watched }: WatchRow) => watchedValues(watched);

/** Lists all accounts, supply points and cohorts that this profile watches (INTERFACE 4.7, 4.8). */
export function WatchScreen() {
  const here = useHere();
  const { key } = here.app;
  const { watch } = here.session;
  const watched = useWatched();
  const active = useActive();
  // Another console might have changed the list.
  useEffect(() => {
    if (active) watch.sync();
  }, [watch, active]);
  const [isFolded, setFolded] = useState(true);
  const all = useWatchRows(watched);
  const { serviceNow } = useTick();
  const rows = useMemo(
    () => withDoneFolded(all, serviceNow, isFolded),
    [all, serviceNow, isFolded],
  );
  const columns = useMemo(() => watchColumns(rows), [rows]);
  const list = useRowList({ name: "watch", rows, idOf, columns, partsOf });
  const [muted, toggleMuted] = useMuted();
  return (
    <ListScreen
      list={list}
      empty={emptyWords(key)}
      noun={["watched entry", "watched entries"]}
      file={{ stem: "watch", fields: Object.values(watchFields) }}
      above={{
        rows: watched.saveProblem === null ? 1 : 2,
        shown: (
          <>
            {list.total > 0 ? <SummaryLine list={watched} rows={all} muted={muted} /> : null}
            {watched.saveProblem === null ? null : <SaveProblem why={watched.saveProblem} />}
          </>
        ),
      }}
      below={{
        rows: detailRows + 1,
        shown: (row) => (
          <>
            {row.folded ? (
              <Text>{`${plural(row.folded.length, "watched entry", "watched entries")} ended well; ${key("open")} shows them.`}</Text>
            ) : (
              <DetailLines row={row} list={watched} />
            )}
            <Text> </Text>
          </>
        ),
      }}
      preview={(row) => (row.folded ? null : <WatchedPreview row={row} list={watched} />)}
      valuesOf={valuesOf}
      enter={({ watched: subject, folded }) =>
        folded
          ? { run: () => setFolded(false), label: "show done" }
          : () => openSubject(here, subject)
      }
      actions={{
        ...watchListActions(here, watched, list),
        mute: { run: toggleMuted, label: muted ? "unmute" : "mute" },
      }}
    />
  );
}

WatchScreen.help = {
  name: "Watched",
  about: [
    "The accounts and supply points you watch, from any screen. The bell rings when one reaches a final state.",
    "The list is saved with this profile and survives a restart.",
  ],
  words: ["account", "supply-point"],
} as const;

function useMuted(): readonly [boolean, () => void] {
  const { settings, notices } = useApp();
  const [muted, setMuted] = useState(() => !settings.preferences().watchBell);
  const toggle = () => {
    setMuted(!muted);
    try {
      settings.setPreferences({ watchBell: muted });
      notices.show(muted ? "The bell is on." : "Muted: no bell and no desktop notification.");
    } catch (error) {
      const why = errorMessage(error);
      notices.show(`It could not be saved: ${why}`, "bad");
      setMuted(muted);
    }
  };
  return [muted, toggle];
}

function useWatchRows(list: WatchSnapshot): readonly WatchRow[] {
  const session = useSession();
  const { watch, service } = session;
  const listedOf = useListedAccounts(list.entries);
  const { now } = useTick();
  const oldest = useOldestPending(list.entries);
  const paceOf = usePaces(session, suppliersOf(list.entries));
  return useMemo(() => {
    const wrongByMs = service.wrongByMs();
    const listed = ({ kind, supplier, number }: Watched) => {
      if (kind === "cohort") return pendingCohort(oldest.get(number));
      return kind === "account" ? listedOf(supplier, number) : null;
    };
    const { everyMs } = list;
    return byAttention(
      list.entries.map((one) =>
        watchRow(one, watch.progress(one.key), {
          now,
          wrongByMs,
          everyMs,
          listed: listed(one),
          pace: one.kind === "account" ? paceOf(one.supplier) : null,
        }),
      ),
    );
  }, [list, watch, listedOf, service, oldest, paceOf, now]);
}

function suppliersOf(entries: readonly Watched[]): readonly string[] {
  return [
    ...new Set(entries.flatMap(({ kind, supplier }) => (kind === "account" ? supplier : []))),
  ];
}

function pendingCohort(pendingSince: number | undefined): ListedAccount | null {
  if (pendingSince === undefined || Number.isNaN(pendingSince)) return null;
  const none = { leftAt: null, pendingUntil: null, createdAt: null };
  return { ...none, state: "pending", at: pendingSince, pendingSince };
}

function SaveProblem(props: { readonly why: unknown }) {
  const why = errorMessage(props.why);
  return (
    <Line
      pieces={[
        { text: `This list is not saved and lasts for this session only: ${why}`, tone: "bad" },
      ]}
    />
  );
}

function emptyWords(key: KeyWords): readonly string[] {
  return [
    "Nothing is watched yet.",
    `${key("watch")} on an account, a supply point, or marked accounts of a list adds them here; ${key("add")} adds one by its number.`,
    "Watched accounts and supply points are checked in the background until no further change is expected; then the bell rings. They stay on the list after a restart.",
  ];
}

function WatchedPreview(props: { readonly row: WatchRow; readonly list: WatchSnapshot }) {
  const { watched, verdict } = props.row;
  const { pause } = props.list;
  const { watch } = useSession();
  const { now, serviceNow } = useTick();
  const progress = watch.progress(watched.key);
  const checkedAt = progress?.checkedAt ?? watched.timeline.at(-1)?.lastSeenAt ?? null;
  const { kind, supplier, number } = watched;
  if (kind === "cohort") return <CohortPreview {...props} />;
  return (
    <SubjectPreview
      subject={{ kind, supplier, number }}
      timeline={watched.timeline}
      facts={factsOf(props.row, progress, serviceNow)}
      check={
        checkedAt === null
          ? "Not checked yet."
          : checkWords(progress ?? { nextAt: null }, checkedAt, now)
      }
      error={pause.kind === "refused" ? pause.error : watched.trouble}
      verdict={verdict}
      now={serviceNow}
    />
  );
}

function CohortPreview({ row }: { readonly row: WatchRow }) {
  const { watched, status } = row;
  return (
    <>
      <Text bold>{subjectName(watched)}</Text>
      <StatusBadge words={status} />
      <Paragraph>{status.meaning}</Paragraph>
    </>
  );
}

function factsOf(
  { watched }: WatchRow,
  progress: WatchProgress | null,
  now: number,
): readonly Fact[] {
  const service = watched.kind === "account" ? "Service account" : "Service identifier";
  return [
    ...(watched.serviceNumber === "" ? [] : [{ label: service, value: watched.serviceNumber }]),
    { label: "Watched since", value: shortInstant(watched.addedAt, now) },
    ...(progress === null || progress.checks === 0
      ? []
      : [{ label: "Checks", value: checksWords(progress) }]),
  ];
}
