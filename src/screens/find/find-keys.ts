/** The keys on found accounts: of one search, and of the numbers of a pasted text. */

import type { MarkedAccount } from "../../accounts/marks.ts";
import { readPaths } from "../../api/url.ts";
import type { List } from "../../components/list-screen/use-list.ts";
import { useApp } from "../../hooks/app.tsx";
import { subjectOf } from "../../hooks/hit-verdicts.ts";
import { useWatchRows } from "../../hooks/watching.ts";
import type { Action, Actions } from "../../keys/scopes.ts";
import type { Here } from "../../session/app.ts";
import {
  composeActions,
  composeCompared,
  composeMarked,
  notImportedWords,
  notListedWords,
} from "../../session/compose-actions.ts";
import { compareFound, type NumbersBySupplier, storeFound } from "../../session/found-lists.ts";
import type { Place } from "../../session/places.ts";
import { showAsCommand } from "../../session/show-as-command.ts";
import { type Hit, isListed, supplierNames } from "../../triage/find/found.ts";
import type { Verdict } from "../../triage/verdict.ts";
import { type FindRow, numberOf } from "./find-rows.ts";

const maxOperands = 50;

type VerdictOn = (hit: Hit) => Verdict;

export function useHitKeys(here: Here, list: List<FindRow>, verdictOn: VerdictOn): Actions {
  const row = list.current;
  const hit = row?.kind === "hit" ? row.hit : null;
  const watch = useWatchRows(list, (one) => (one.kind === "hit" ? subjectOf(one.hit) : null));
  return {
    ...(hit === null ? {} : composeActions(here, hit.supplier, targetOf(hit, verdictOn(hit)))),
    "compose-marked": composeMarkedHits(here, list, verdictOn),
    watch,
  };
}

export function useFindManyKeys(
  here: Here,
  list: List<FindRow>,
  options: {
    readonly verdictOn: VerdictOn;
    readonly isAsking: boolean;
    readonly notAsked: readonly string[];
    readonly ask: () => void;
    readonly again: () => void;
  },
) {
  const { navigation, clipboard } = useApp();
  const { verdictOn, isAsking, notAsked, ask, again } = options;
  const row = list.current;
  const hit = row?.kind === "hit" ? row.hit : null;
  const number = row === null ? null : numberOf(row);
  const hitKeys = useHitKeys(here, list, verdictOn);
  const { marks } = list;
  const chosen = () => (marks.count > 0 ? list.marked() : rowsOf(list));
  const suppliers = new Set(chosenSuppliers(list));
  const noSupplier =
    suppliers.size === 0 ? "No supplier is known to have one of these numbers." : null;
  const actions: Actions = {
    ...hitKeys,
    copy: {
      run: () => number !== null && clipboard(number, number),
      disabled: number === null ? "There is no row here." : null,
    },
    reconcile: {
      label: "compare",
      run: () => compareFound(here, numbersOf(chosen())),
      disabled: noSupplier,
    },
    cohorts: {
      label: "store as cohort",
      run: () => storeFound(here, numbersOf(chosen())),
      disabled: noSupplier,
    },
    review: {
      label: "ask the service",
      run: ask,
      disabled: notAsked.length === 0 ? "There is nothing to ask the service for." : null,
    },
    refresh: { label: "search again", run: again },
    "as-command": () => {
      const numbers = [...new Set(rowsOf(list).flatMap((one) => numberOf(one) ?? []))];
      showAsCommand(
        here,
        { kind: "find", numbers: numbers.length > maxOperands ? null : numbers, isAsking },
        readPaths.accountStatus(hit?.supplier ?? notAsked[0] ?? "", number ?? ""),
      );
    },
  };
  const enter = (one: FindRow) => ({ run: () => navigation.push(placeOf(one)) });
  return { actions, enter };
}

function placeOf(row: FindRow): Place {
  if (row.kind === "hit")
    return { kind: "account", supplier: row.hit.supplier, account: row.hit.number };
  return { kind: "find", text: numberOf(row) ?? "" };
}

function targetOf({ number }: Hit, { state }: Verdict) {
  const pending = state === "pending";
  const gone = state === "gone" || state === "removed";
  const notImported = pending || gone ? notListedWords({ pending, gone }) : notImportedWords(state);
  return { account: number, notImported };
}

function markedAccount(hit: Hit, { state }: Verdict): readonly MarkedAccount[] {
  const external = hit.number;
  if (state === "imported" || state === "COMPLETED") return [{ external, standing: "imported" }];
  return isListed(hit) ? [{ external, standing: "staged" }] : [];
}

function composeMarkedHits(here: Here, list: List<FindRow>, verdictOn: VerdictOn): Action {
  const hits =
    list.marks.count === 0
      ? []
      : list.marked().flatMap((row) => (row.kind === "hit" ? row.hit : []));
  const [supplier, ...others] = new Set(hits.map((hit) => hit.supplier));
  if (supplier === undefined) return composeMarked(here, { supplier: "", list: "all", marks: 0 });
  const action = composeCompared(here, {
    supplier,
    marks: hits.length,
    listed: () => hits.flatMap((hit) => markedAccount(hit, verdictOn(hit))),
    problem: null,
  });
  if (others.length === 0) return action;
  const names = supplierNames([supplier, ...others].map((code) => ({ supplier: code })));
  return {
    ...action,
    disabled: `The marked accounts are of ${names}: mark those of one supplier.`,
  };
}

function rowsOf(list: List<FindRow>): readonly FindRow[] {
  return Array.from({ length: list.length }, (_, position) => list.at(position)).filter(
    (row) => row !== null,
  );
}

function* chosenSuppliers(list: List<FindRow>): Generator<string, void, void> {
  if (list.marks.count > 0) {
    for (const row of list.marked()) if (row.kind === "hit") yield row.hit.supplier;
    return;
  }
  for (let position = 0; position < list.length; position++) {
    const row = list.at(position);
    if (row?.kind !== "hit") continue;
    yield row.hit.supplier;
    return;
  }
}

function numbersOf(rows: readonly FindRow[]): NumbersBySupplier {
  const bySupplier = new Map<string, string[]>();
  const nowhere: string[] = [];
  for (const row of rows) {
    if (row.kind === "nowhere") nowhere.push(row.found.wanted);
    if (row.kind !== "hit") continue;
    const { supplier, number } = row.hit;
    const numbers = bySupplier.get(supplier) ?? [];
    bySupplier.set(supplier, numbers);
    numbers.push(number);
  }
  return { bySupplier, nowhere };
}
