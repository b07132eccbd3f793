/** The screen of one account: the state of its import, which is read repeatedly, and its keys. */
import { useCallback } from "react";
import type { AccountListStore } from "../../accounts/account-list.ts";
import type { AccountRow } from "../../accounts/table.ts";
import type { AccountStatus } from "../../api/service.ts";
import { createdText } from "../../components/account-columns.ts";
import { Body } from "../../components/body.tsx";
import type { Fact } from "../../components/facts.tsx";
import { FollowedStatus } from "../../components/followed-status.tsx";
import { errorPlace } from "../../components/problem.tsx";
import { accountStateWords, type KnownAge } from "../../components/state-words.ts";
import { useApp, useHere, useSession } from "../../hooks/app.tsx";
import { useDraftKinds } from "../../hooks/drafts.ts";
import { useFind } from "../../hooks/find.ts";
import { type Follow, useFollow, useFollowActions } from "../../hooks/follow.ts";
import { useForgetMissing } from "../../hooks/history.tsx";
import { useSentFromHere } from "../../hooks/journal.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { useRead } from "../../hooks/reading.ts";
import { useWatchAction } from "../../hooks/watching.ts";
import { useSubject } from "../../hooks/window.tsx";
import type { Actions } from "../../keys/scopes.ts";
import { composeActions, notImportedWords } from "../../session/compose-actions.ts";
import { handOverKey } from "../../session/hand-over-key.ts";
import type { ObservedAge } from "../../session/observed-lists.ts";
import { openByNumber } from "../../session/open-by-number.ts";
import { showAsCommand } from "../../session/show-as-command.ts";
import { formatInstant } from "../../text/dates.ts";
import { formatAge } from "../../text/durations.ts";
import { count } from "../../text/numbers.ts";
import { elsewhere, supplierNames, wasNotAsked } from "../../triage/find/found.ts";
import { notFound } from "../../watch/timeline.ts";

/**
 * Shows the import of one account and reads its status repeatedly (INTERFACE 4.8). The account need
 * not be on a list.
 */
export function AccountScreen(props: { readonly supplier: string; readonly account: string }) {
  const { supplier, account } = props;
  const here = useHere();
  const { session } = here;
  const { clipboard } = here.app;
  const byNumber = openByNumber(here.app, supplier);
  const follow = useFollow("account", supplier, account);
  useForgetMissing({ kind: "account", supplier, account }, follow.missing);
  const sent = useSentFromHere({ kind: "account", supplier, account });
  const notImported = notImportedWords(follow.transitions.at(-1)?.state ?? null);
  const drafts = useDraftKinds(supplier, account);
  const writes = composeActions(here, supplier, { account, notImported }, drafts);
  const row = session.listedRow(supplier, account);
  const usualDuration = useUsualDurationWords(supplier);
  const completed = follow.transitions.at(-1)?.state === "COMPLETED";
  const observed = useObservedAge(supplier, account, completed);
  const serviceNumber = follow.latest?.value.service_account_number ?? "";
  const number = serviceNumber === "" ? (row?.service ?? "") : serviceNumber;
  const elsewhere = useElsewhere(supplier, account, follow);
  const facts: readonly Fact[] = [
    ...elsewhere.facts,
    ...serviceAccountFact(follow.latest, number),
    {
      label: "Listed",
      value: listedWords(row, observed, session.knownList(supplier, "all")),
    },
  ];
  const age: KnownAge | null =
    completed && row && !Number.isNaN(row.createdAt)
      ? { label: "created", at: row.createdAt }
      : null;
  const pendingSince = observed?.pendingSince ?? Number.NaN;
  const handOver = handOverKey(here, {
    kind: "account",
    supplier,
    number: account,
    serviceNumber: number,
    state: stateOf(follow.transitions),
    timeline: follow.transitions,
    since:
      age !== null
        ? { at: age.at, orEarlier: false }
        : completed || Number.isNaN(pendingSince)
          ? null
          : { at: pendingSince, orEarlier: true },
  });
  useSubject({
    values: {
      service_account_number: number === "" ? undefined : number,
      status: follow.transitions.at(-1)?.state,
    },
  });
  useKeys({
    ...useFollowActions(follow, `${supplier}/${account}`),
    ...writes,
    watch: useWatchAction({ kind: "account", supplier, number: account }),
    ...byNumber,
    ...elsewhere.actions,
    copy: () => clipboard(number === "" ? account : number, number === "" ? account : number),
    "copy-row": handOver,
    "as-command": () =>
      showAsCommand(here, { kind: "account-status", supplier, account }, [
        "v1/data-import/account-transfer-status",
        supplier,
        account,
      ]),
  });
  return (
    <Body>
      <FollowedStatus
        follow={follow}
        words={(timeline) => {
          const words = accountStateWords(timeline);
          if (usualDuration === "" || timeline.at(-1)?.state !== "IN_PROGRESS") return words;
          return { ...words, meaning: `${words.meaning} ${usualDuration}` };
        }}
        name={{ label: "External account", value: account }}
        facts={facts}
        age={age}
        pendingSince={completed ? null : (observed?.pendingSince ?? null)}
        sent={sent}
        context={{
          doing: `reading the status of ${account}`,
          ...errorPlace(session),
          subject: { kind: "account", supplier, id: account },
        }}
      />
    </Body>
  );
}

/** Returns the label of the latest state, or null before the first check. */
function stateOf(timeline: Follow<AccountStatus>["transitions"]): string | null {
  return timeline.length === 0 ? null : accountStateWords(timeline).label;
}

/**
 * Returns the fact with the service's number for the account. An empty number means that the
 * service has not created the account yet (INTERFACE 2).
 */
function serviceAccountFact(
  latest: Follow<AccountStatus>["latest"],
  number: string,
): readonly Fact[] {
  if (number === "" && latest === null) return [];
  return [{ label: "Service account", value: number === "" ? "none yet" : number }];
}

/**
 * Describes the account's row in the last loaded list (INTERFACE 2, list item), with the time at
 * which the account became pending or gone.
 */
function listedWords(
  row: AccountRow | null,
  observed: ObservedAge | null,
  list: AccountListStore | null,
): string {
  const { pendingSince = Number.NaN, goneAt = Number.NaN } = observed ?? {};
  const at = (ms: number) => formatInstant(ms, { seconds: false });
  if (row === null && !Number.isNaN(goneAt)) {
    return `gone since ${at(goneAt)}: on no list any more, and never imported`;
  }
  if (row === null ? !Number.isNaN(pendingSince) : row.pending) {
    return Number.isNaN(pendingSince) ? "pending" : `pending since ${at(pendingSince)} or earlier`;
  }
  if (row === null) {
    const loadedAt = list?.getSnapshot().loadedAt ?? null;
    return loadedAt === null ? "the list is not loaded" : `not on the list of ${at(loadedAt)}`;
  }
  const created = createdText(row);
  return created === "" ? "imported" : `imported, created ${created}`;
}

/**
 * Returns the times at which an account became pending or gone, as observed on this machine, or
 * null if they are unknown. Reads the times when the screen opens and when `version` changes.
 */
function useObservedAge(supplier: string, account: string, version: unknown): ObservedAge | null {
  const { ageOf } = useSession();
  // An unreadable file is not reported here, because recording a list reports it.
  return useRead(
    useCallback(() => ageOf(supplier, account), [ageOf, supplier, account]),
    version,
  );
}

/**
 * The minimum number of observed imports for a usual duration. Fewer imports predict nothing.
 */
const minImports = 3;

/**
 * Returns a sentence with the median duration of a supplier's imports, or an empty text if fewer
 * than {@link minImports} imports were observed from start to end.
 */
function useUsualDurationWords(supplier: string): string {
  const { importTimes } = useSession();
  const times = useRead(useCallback(() => importTimes(supplier), [importTimes, supplier])) ?? [];
  if (times.length < minImports) return "";
  const median = times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) / 2)] ?? 0;
  return `Other accounts of ${supplier} took ${formatAge(median)} (median of ${count(times.length)} seen).`;
}

/**
 * Returns the fact about other suppliers if the service does not find the number at this supplier.
 * If another supplier has the number or a similar one, the fact names the key that opens the
 * account. Otherwise it names the key that searches for the number.
 */
function useElsewhere(
  supplier: string,
  account: string,
  { transitions, checkedAt }: Follow<AccountStatus>,
): { readonly facts: readonly Fact[]; readonly actions: Pick<Actions, "open"> } {
  const { navigation, key } = useApp();
  const last = transitions.at(-1);
  const { found, progress } = useFind(last?.state === notFound ? account : null);
  if (found === null) return { facts: [], actions: {} };
  const known = elsewhere(found, supplier);
  const elsewhereFact = (value: string) => [{ label: "Elsewhere", value }];
  const enter = key("open");
  if (known !== null) {
    const { hit, words } = known;
    return {
      facts: elsewhereFact(`${words}; ${enter} opens it`),
      actions: {
        open: () =>
          navigation.push({ kind: "account", supplier: hit.supplier, account: hit.number }),
      },
    };
  }
  const others = found.places.filter((place) => place.supplier !== supplier && wasNotAsked(place));
  const more = found.places.some(({ containingCount }) => containingCount > 0);
  if (progress !== null || (others.length === 0 && !more)) return { facts: [], actions: {} };
  const denial =
    last === undefined || checkedAt === null ? undefined : { supplier, at: last.lastSeenAt };
  const asked = others.length === 0 ? "" : `, and ${supplierNames(others)} not asked`;
  return {
    facts: elsewhereFact(`on no list that is known here${asked}; ${enter} searches them`),
    actions: {
      open: {
        label: "search",
        run: () => navigation.push({ kind: "find", text: account, denied: denial }),
      },
    },
  };
}
