import type { AccountListStore } from "../../accounts/account-list.ts";
import type { AccountStatus } from "../../api/service.ts";
import { readPaths } from "../../api/url.ts";
import { Body } from "../../components/body.tsx";
import { CheckedStatus } from "../../components/checked-status.tsx";
import type { Fact } from "../../components/facts.tsx";
import { errorPlace } from "../../components/problem.tsx";
import { useApp, useHere } from "../../hooks/app.tsx";
import { type Checking, useChecking, useCheckingActions } from "../../hooks/checking.ts";
import { useDraftKinds } from "../../hooks/drafts.ts";
import { useFind } from "../../hooks/find.ts";
import { useForgetMissing } from "../../hooks/history.tsx";
import { useSentFromHere } from "../../hooks/journal.ts";
import { useKeys } from "../../hooks/keys.tsx";
import { useCheckedVerdict, useListed, usePaces } from "../../hooks/verdict.ts";
import { useWatchAction } from "../../hooks/watching.ts";
import { useSubject } from "../../hooks/window.tsx";
import type { Actions } from "../../keys/scopes.ts";
import { composeActions, notImportedWords } from "../../session/compose-actions.ts";
import { handOverKey } from "../../session/hand-over-key.ts";
import { openByNumber } from "../../session/open-by-number.ts";
import { showAsCommand } from "../../session/show-as-command.ts";
import { formatInstant } from "../../text/dates.ts";
import { elsewhere, supplierNames, wasNotAsked } from "../../triage/find/found.ts";
import { byMachines } from "../../triage/observations/by-machines.ts";
import { accountStateWords } from "../../triage/state-words.ts";
import type { ListedAccount } from "../../triage/verdict.ts";
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
  const checking = useChecking("account", supplier, account);
  useForgetMissing({ kind: "account", supplier, account }, checking.missing);
  const sent = useSentFromHere({ kind: "account", supplier, account });
  const notImported = notImportedWords(checking.transitions.at(-1)?.state ?? null);
  const drafts = useDraftKinds(supplier, account);
  const writes = composeActions(here, supplier, { account, notImported }, drafts);
  const row = session.listedRow(supplier, account);
  const pace = usePaces(session, [supplier])(supplier);
  const completed = checking.transitions.at(-1)?.state === "COMPLETED";
  const listed = useListed(supplier, account, completed);
  const verdict = useCheckedVerdict("account", checking, { listed, reported: null, pace });
  const serviceNumber = checking.latest?.value.service_account_number ?? "";
  const number = serviceNumber === "" ? (row?.service ?? "") : serviceNumber;
  const elsewhere = useElsewhere(supplier, account, checking);
  const facts: readonly Fact[] = [
    ...elsewhere.facts,
    ...serviceAccountFact(checking.latest, number),
    {
      label: "Listed",
      value: listedWords(listed, session.knownList(supplier, "all"), row?.created ?? null),
    },
  ];
  const handOver = handOverKey(here, {
    kind: "account",
    supplier,
    number: account,
    serviceNumber: number,
    verdict,
  });
  useSubject({
    values: {
      service_account_number: number === "" ? undefined : number,
      status: checking.transitions.at(-1)?.state,
    },
  });
  useKeys({
    ...useCheckingActions(checking, `${supplier}/${account}`),
    ...writes,
    watch: useWatchAction({ kind: "account", supplier, number: account }),
    ...byNumber,
    ...elsewhere.actions,
    copy: () => clipboard(number === "" ? account : number, number === "" ? account : number),
    "copy-row": handOver,
    "as-command": () =>
      showAsCommand(
        here,
        { kind: "account-status", supplier, account },
        readPaths.accountStatus(supplier, account),
      ),
  });
  return (
    <Body>
      <CheckedStatus
        checking={checking}
        words={accountStateWords}
        name={{ label: "External account", value: account }}
        facts={facts}
        verdict={verdict}
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

AccountScreen.help = {
  name: "Account",
  about: [
    "One account, checked repeatedly. The first line answers: is it imported, is it stuck, and since when?",
    "A state might be older than shown: supplyline knows nothing from before its first check.",
    "Notes, transactions, statements and payment instructions need an imported account. For a staged account the key says so and offers an override.",
  ],
  words: ["account", "account-state", "outcome"],
} as const;

/**
 * Returns the fact with the service's number for the account. An empty number means that the
 * service has not created the account yet (INTERFACE 2).
 */
function serviceAccountFact(
  latest: Checking<AccountStatus>["latest"],
  number: string,
): readonly Fact[] {
  if (number === "" && latest === null) return [];
  return [{ label: "Service account", value: number === "" ? "none yet" : number }];
}

/**
 * Describes the account in the newest list (INTERFACE 2, list item), with the time at which the
 * account became pending, imported or gone. An unreadable time of `created` is shown as received.
 */
function listedWords(
  listed: ListedAccount | null,
  list: AccountListStore | null,
  created: string | null,
): string {
  const at = (ms: number) => formatInstant(ms, { seconds: false });
  if (listed === null) {
    const loadedAt = list?.getSnapshot().loadedAt ?? null;
    return loadedAt === null ? "the list is not loaded" : `not on the list of ${at(loadedAt)}`;
  }
  const { state, leftAt, pendingSince, createdAt } = listed;
  const by = byMachines(listed.machines ?? null);
  const since = leftAt === null ? "" : ` since ${at(leftAt)}${by}`;
  switch (state) {
    case "gone":
      return `gone${since}: on no list any more, and never imported`;
    case "removed":
      return `removed${since}: it was imported, and is on no list any more`;
    case "pending":
      return pendingSince === null
        ? "pending"
        : `pending since ${at(pendingSince)} or earlier${by}`;
    case "imported": {
      const at = createdAt === null ? created : formatInstant(createdAt);
      return at === null ? "imported" : `imported, created ${at}`;
    }
  }
}

/**
 * Returns the fact about other suppliers if the service does not find the number at this supplier.
 * If another supplier has the number or a similar one, the fact names the key that opens the
 * account. Otherwise it names the key that searches for the number.
 */
function useElsewhere(
  supplier: string,
  account: string,
  { transitions, checkedAt }: Checking<AccountStatus>,
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
