import { useMemo } from "react";
import { ListScreen } from "../../components/list-screen/list-screen.tsx";
import type { ListState } from "../../components/list-screen/list-spec.ts";
import { useRowList } from "../../components/list-screen/use-list.ts";
import { Paragraph } from "../../components/paragraph.tsx";
import { useApp, useHere, useSession } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { useNow } from "../../hooks/now.ts";
import { approvalFields } from "../../writes/approval-fields.ts";
import type { Approval } from "../../writes/team/approvals.ts";
import { listWords } from "../../writes/words/approvals.ts";
import { requestColumns } from "./request-columns.ts";
import { requestKeys } from "./request-keys.ts";

const idOf = ({ id }: Approval) => String(id);
const fields = Object.values(approvalFields);
const noRows: readonly Approval[] = [];

export function ApprovalsScreen() {
  const { navigation } = useApp();
  const here = useHere();
  const { team } = useSession();
  const { requests, awaySince } = useStore(team);
  const now = useNow(60_000);
  const columns = useMemo(() => requestColumns(now), [now]);
  const rows = useMemo(() => urgentFirst(requests ?? noRows), [requests]);
  const list = useRowList({ name: "approvals", rows, idOf, columns });
  return (
    <ListScreen
      list={list}
      state={stateOf(requests, awaySince !== null)}
      empty={[
        "No request waits for an approval.",
        "Where the owner of the ledger asks for two people, a payment or transaction that someone sends is listed here first.",
      ]}
      noun={["request", "requests"]}
      file={{ stem: "approvals", fields }}
      above={{
        rows: rows.length === 0 ? 0 : 1,
        shown:
          rows.length === 0 ? null : (
            <Paragraph bold most={1}>
              {listWords(rows)}
            </Paragraph>
          ),
      }}
      enter={({ id }) => ({
        run: () => navigation.push({ kind: "approval", id }),
        label: "rows",
      })}
      actions={{
        ...requestKeys(here, list.current),
        refresh: { run: team.refresh, help: "Ask the team's ledger again now" },
      }}
    />
  );
}

ApprovalsScreen.help = {
  name: "Approvals",
  about: [
    "Where the team asks for two people, a payment or transaction is sent only after another person has approved exactly these bytes.",
    "A request ends after 24 hours and allows its rows once. You approve by typing its rows and its sum; your own requests wait for others.",
  ],
  words: [],
} as const;

/** Returns the requests with those that wait for you first, then those of yours, then the others. */
function urgentFirst(requests: readonly Approval[]): readonly Approval[] {
  const urgency = ({ standing, isMine }: Approval) =>
    standing === "waits" ? (isMine ? 1 : 0) : standing === "approved" ? 2 : 3;
  return requests.toSorted((one, other) => urgency(one) - urgency(other));
}

function stateOf(requests: readonly Approval[] | null, isAway: boolean): ListState {
  const away = "The team's database does not answer.";
  if (requests === null)
    return isAway
      ? { kind: "failed", why: <Paragraph>{away}</Paragraph> }
      : { kind: "reading", words: "Asking the team's ledger…" };
  if (!isAway) return { kind: "ready" };
  return { kind: "partial", lines: [{ text: `${away} These are from before.`, tone: "waiting" }] };
}
