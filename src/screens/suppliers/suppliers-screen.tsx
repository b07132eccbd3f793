import { isDeepStrictEqual } from "node:util";
import { useEffect, useMemo, useRef } from "react";
import { type FootPart, footPart } from "../../components/list-screen/list-foot.tsx";
import { ListScreen } from "../../components/list-screen/list-screen.tsx";
import { useRowList } from "../../components/list-screen/use-list.ts";
import type { CountedPlace } from "../../components/overlays/palette-needs.ts";
import { type LinePart, Lines, partLines, Text } from "../../components/text.tsx";
import { useApp, useHere, useSession } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { useDebounced } from "../../hooks/list-cursor.ts";
import { useNow, useServiceNow } from "../../hooks/now.ts";
import { calmWords, type OpenNow, useOpenWork } from "../../hooks/open-work.ts";
import { useFreshness, useLinear, useRoom } from "../../hooks/window.tsx";
import type { ActionId } from "../../keys/bindings.ts";
import type { KeyWords } from "../../keys/keymap.ts";
import { composeActions } from "../../session/compose-actions.ts";
import { recordHeldBack } from "../../session/held-back-list.ts";
import { openByNumber } from "../../session/open-by-number.ts";
import { showListAsCommand } from "../../session/show-as-command.ts";
import { checkTypedSuppliers, typedSupplierCodes } from "../../settings/profile-checks.ts";
import { checkedWords } from "../../text/ages.ts";
import { formatDuration, wholeSeconds } from "../../text/durations.ts";
import { count } from "../../text/numbers.ts";
import { wrap } from "../../text/width.ts";
import {
  needCount,
  needWords,
  type OpenKind,
  openParts,
  openTones,
  unreadParts,
} from "../../triage/open/open.ts";
import { boardColumns, linearColumns, supplierFields } from "./board-columns.ts";
import { type BoardFeed, type BoardLine, useBoard } from "./board-feed.ts";
import { type ShownSupplier, shownSupplier, uncheckedWords } from "./board-words.ts";
import { SupplierDetail } from "./supplier-detail.tsx";
import { Wall } from "./wall.tsx";

const idOf = ({ supplier }: ShownSupplier) => supplier;

const maxDetailRows = 18;

const minWallRoom = { columns: 160, rows: 36 } as const;

/**
 * Lists the import suppliers of this profile (INTERFACE 4.9 for each), worst first, with the open
 * work above them.
 */
export function SuppliersScreen() {
  const here = useHere();
  const { key, navigation } = here.app;
  const room = useRoom();
  const linear = useLinear();
  const { codes, add, remove } = useSupplierList();
  const feed = useBoard(codes);
  const { lines } = feed;
  useFreshness(feed.checkedAt, feed.everyMs * 3);
  const openNow = useOpenWork(useSession());
  const now = useServiceNow(60_000);
  const unchecked = uncheckedWords(lines, now);
  const columnsOfLine = linear ? Number.MAX_SAFE_INTEGER : room.columns;
  const needs = partLines(useAttention(openNow, unchecked), columnsOfLine);
  const attention =
    needs.length > 0
      ? needs
      : wrap(calmWords(openNow, unchecked), columnsOfLine).map((text) => [{ text }]);
  const rows = useMemo(() => lines.map((line) => shownSupplier(line, now)), [lines, now]);
  const columns = useMemo(() => (linear ? linearColumns : boardColumns(rows)), [linear, rows]);
  const list = useRowList({ name: "suppliers", rows, idOf, columns });
  const { moveTo, position } = list;
  // Once all suppliers are loaded and their gone accounts are counted, the cursor stays on the
  // supplier that is then the worst.
  const isPinned = useRef(false);
  const isOrdered = feed.checkedAt !== null && lines.every(isCounted);
  useEffect(() => {
    if (isPinned.current || !isOrdered) return;
    isPinned.current = true;
    moveTo(position);
  }, [moveTo, position, isOrdered]);
  const lineOf = (row: ShownSupplier | null) =>
    lines.find(({ supplier }) => supplier === row?.supplier) ?? null;
  const current = lineOf(list.current);
  const currentCode = list.current?.supplier ?? "";
  // The details change when the cursor rests on a supplier. Those of the first are shown at once.
  const debounced = useDebounced(currentCode, currentCode) ?? currentCode;
  const aboveRows = codes.length === 0 ? 0 : attention.length + 1;
  // The 3 lines are the titles, the status line and the blank line before the details.
  const isWall = !linear && room.columns >= minWallRoom.columns && room.rows >= minWallRoom.rows;
  const freeRows = room.rows - aboveRows - lines.length - 3;
  const detailRows = Math.max(
    room.rows < 16 ? 2 : 4,
    isWall ? freeRows : Math.min(maxDetailRows, freeRows),
  );
  const boardParts = useBoardParts(feed);
  return (
    <ListScreen
      list={list}
      empty={[
        "This profile has no suppliers yet, and the service does not list them.",
        `${key("add")} adds one by its code.`,
      ]}
      noun={["supplier", "suppliers"]}
      file={{ stem: "suppliers", fields: supplierFields }}
      above={{
        rows: aboveRows,
        shown:
          codes.length === 0 ? null : (
            <>
              <Lines lines={attention} />
              <Text> </Text>
            </>
          ),
      }}
      below={{
        rows: detailRows,
        shown(row) {
          const line = lines.find(({ supplier }) => supplier === debounced) ?? lineOf(row);
          return line && <SupplierDetail line={line} rows={detailRows} />;
        },
      }}
      isBelowBeside={isWall}
      preview={(row) => {
        if (isWall) return <Wall lines={lines} />;
        const line = lineOf(row);
        return line && <SupplierDetail line={line} rows={room.rows - aboveRows - 1} />;
      }}
      status={codes.length === 0 ? [] : boardParts}
      valuesOf={({ supplier }) => ({ import_supplier: supplier })}
      fromTop
      enter={({ supplier }) =>
        () =>
          navigation.push({ kind: "overview", supplier })
        }
      actions={{
        ...(current
          ? {
              ...composeActions(here, current.supplier, null),
              ...openByNumber(here.app, current.supplier),
              "record-list": () => recordHeldBack(here, current.supplier, feed.refresh),
              remove: () => remove(current.supplier),
              reconcile: () => navigation.push({ kind: "reconcile", supplier: current.supplier }),
              changes: () => navigation.push({ kind: "changes", supplier: current.supplier }),
              "as-command": () =>
                showListAsCommand(
                  here,
                  { kind: "accounts-list", supplier: current.supplier, state: "all" },
                  current.supplier,
                ),
              refresh: {
                run: feed.refresh,
                disabled: feed.loading ? `Loading; ${key("cancel")} cancels.` : null,
              },
              pause: { run: feed.togglePause, label: feed.paused ? "resume" : "pause" },
            }
          : {}),
        add,
      }}
    />
  );
}

SuppliersScreen.help = {
  name: "Suppliers",
  about: [
    "An import supplier groups the accounts that one party migrates. The service does not list suppliers, so you add each one here by its code.",
    "Pending accounts are staged and not created yet. Imported accounts have been created.",
  ],
  words: ["board", "header", "account", "account-state"],
} as const;

function useBoardParts({ loading, checkedAt, everyMs, paused }: BoardFeed): readonly FootPart[] {
  const linear = useLinear();
  const now = useNow(loading === null || linear ? 10_000 : 1_000);
  return [
    footPart(1, loading === null ? "" : loadingWords(loading, linear ? null : now), "busy"),
    footPart(2, checkedAt === null ? "" : checkedWords(checkedAt, now), "muted"),
    footPart(
      3,
      paused ? "paused" : `every ${formatDuration(everyMs)}`,
      paused ? "waiting" : "muted",
    ),
  ];
}

const minShownWaitMs = 3_000;

/** Describes a load. `now` is in epoch milliseconds, or null to leave the time out. */
export function loadingWords({ supplier, load }: BoardLine, now: number | null): string {
  const words = `loading ${supplier}…`;
  if (load.kind !== "loading") return words;
  const waitedMs = now === null ? 0 : now - load.startedAt;
  const waited = waitedMs < minShownWaitMs ? "" : ` ${wholeSeconds(waitedMs)}`;
  return `${words}${waited}${load.rows > 0 ? ` ${count(load.rows)} accounts` : ""}`;
}

const keyOf: Readonly<Partial<Record<OpenKind, ActionId>>> = {
  unknown: "activity",
  "team-unknown": "activity",
  "watched-failed": "watch-list",
  "watched-unchecked": "watch-list",
  unlisted: "cohorts",
  rejected: "activity",
  "rejected-rows": "runs",
  runs: "runs",
  retryable: "activity",
  "team-retryable": "activity",
  unsent: "activity",
  watched: "watch-list",
  "entries-unread": "activity",
  "watch-unread": "watch-list",
  "cohorts-unread": "cohorts",
  "cohorts-uncounted": "cohorts",
};

/** The names under which the palette opens work that has no key. */
const paletteNameOf: Readonly<Partial<Record<OpenKind, CountedPlace>>> = {
  gone: "gone",
  "held-back": "held back",
};

/**
 * Returns the open work, most serious first, with the keys or the names that open it, then the data
 * that could not be read. Failed lists have no key, because their rows are marked in the table. Returns nothing if no work is open and all missing data is still being counted.
 */
function useAttention({ open }: OpenNow, unchecked: readonly string[]): readonly LinePart[] {
  const { key } = useApp();
  const unread = unreadParts(open);
  const known = openParts(open);
  const isStillCounted = (kind: OpenKind) =>
    kind === "gone-uncounted" || kind === "cohorts-uncounted";
  const hasParts = known.length > 0 || unread.some(({ kind }) => !isStillCounted(kind));
  if (!hasParts) return [];
  const pieces = [...known, ...unread].map(({ kind, words }): LinePart => {
    const action = keyOf[kind];
    const name = paletteNameOf[kind];
    const opener =
      action !== undefined ? key(action) : name !== undefined ? paletteWords(name, key) : null;
    return [
      { text: words, tone: openTones[kind] },
      ...(opener === null ? [] : [{ text: ` ${opener}`, tone: "accent" as const }]),
    ];
  });
  for (const text of unchecked) pieces.push([{ text, tone: "waiting" }]);
  const needing = needCount(known);
  if (needing.count + unread.length === 0) return pieces;
  const [first = [], ...rest] = pieces;
  if (needing.count === 0) return [[{ text: "! ", bold: true }, ...first], ...rest];
  return [[{ text: `! ${needWords(needing)}`, bold: true }], ...pieces];
}

function isCounted({ figures }: BoardLine): boolean {
  const history = figures?.history ?? null;
  return history === null || history.gone !== null;
}

function paletteWords(name: CountedPlace, key: KeyWords): string {
  const palette = key("palette");
  return palette.length === 1 ? palette + name : `${palette} ${name}`;
}

interface SupplierList {
  readonly codes: readonly string[];
  add(): void;
  remove(code: string): void;
}

/** Returns the suppliers of this profile. The user adds them: the service lists none. */
function useSupplierList(): SupplierList {
  const { settings, notices, overlays } = useApp();
  const session = useSession();
  const { name } = session.profile;
  const codes = useStore(session.suppliers);
  const setCodes = session.suppliers.set;
  useEffect(() => {
    // A command might have changed the stored list.
    const stored = settings.find(name)?.suppliers;
    if (stored !== undefined && !isDeepStrictEqual(stored, session.suppliers.get()))
      session.suppliers.set(stored);
  }, [settings, session, name]);
  const save = (change: () => void, words: string) => {
    try {
      change();
    } catch {
      notices.show(`${words} for this session; it could not be saved.`, "waiting");
    }
  };
  const add = () =>
    overlays.prompt({
      title: "Add an import supplier",
      label: "Code",
      hint: "The code from the platform operator; separate several with commas or spaces.",
      onSubmit: (typed) => {
        const given = typedSupplierCodes(typed);
        const added = given.filter((code) => !codes.includes(code));
        const problem = checkTypedSuppliers(given);
        if (problem !== null) return `Code: ${problem}`;
        if (given.length === 0) return "Type at least one supplier code.";
        if (added.length === 0) return `Already on the list: ${given.join(", ")}.`;
        setCodes([...codes, ...added]);
        const words = `Added ${added.join(", ")}`;
        notices.show(`${words}.`, "ok");
        save(() => {
          for (const code of added) settings.addSupplier(name, code);
        }, words);
        return null;
      },
    });
  const remove = (code: string) =>
    overlays.confirm({
      question: `Remove ${code} from this list?`,
      detail: "Only this list changes. Nothing changes at the service.",
      yes: "Yes, remove it",
      onYes: () => {
        setCodes(codes.filter((other) => other !== code));
        save(() => settings.removeSupplier(name, code), `Removed ${code}`);
      },
    });
  return { codes, add, remove };
}
