/** The screen of one request for an approval, with its rows. */

import { useCallback, useMemo } from "react";
import { ListScreen } from "../../components/list-screen/list-screen.tsx";
import type { ListState } from "../../components/list-screen/list-spec.ts";
import { useRowList } from "../../components/list-screen/use-list.ts";
import { Paragraph } from "../../components/paragraph.tsx";
import { errorLine } from "../../errors/error-words.ts";
import { useHere, useSession } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { useReading } from "../../hooks/reading.ts";
import { useRoom } from "../../hooks/window.tsx";
import { approvalRowFields } from "../../writes/approval-fields.ts";
import { type ApprovalRow, pagesOf } from "../../writes/team/approvals.ts";
import { requestLines } from "../../writes/words/approvals.ts";
import { requestRowColumns } from "./request-columns.ts";
import { requestKeys } from "./request-keys.ts";

const idOf = ({ position }: ApprovalRow) => String(position);
const fields = Object.values(approvalRowFields);
const noRows: readonly ApprovalRow[] = [];
const nothing = () => {};

/** Minimum number of rows of the body for all facts of the request. */
const allFactsFrom = 16;

/** Shows the facts of a request and its rows, which never change. */
export function ApprovalScreen({ id }: { readonly id: number }) {
  const here = useHere();
  const session = useSession();
  const { requests } = useStore(session.team);
  const request = requests?.find((one) => one.id === id) ?? null;
  const read = useCallback(
    async function* () {
      const { team } = (await session.writes()).context;
      let rows: readonly ApprovalRow[] = [];
      if (team === null) return;
      for await (const page of pagesOf(team.ledger.approvals, id)) {
        rows = [...rows, ...page];
        yield rows;
      }
    },
    [session, id],
  );
  const reading = useReading(read);
  const rows = reading.kind === "read" ? reading.value : noRows;
  const columns = useMemo(() => columnsWith(rows), [rows]);
  const list = useRowList({ name: `approval ${id}`, rows, idOf, columns });
  const isLow = useRoom().rows < allFactsFrom;
  const facts = request === null ? [] : requestLines(request);
  const lines = isLow ? facts.slice(0, 2) : facts;
  return (
    <ListScreen
      list={list}
      state={stateOf(reading)}
      empty={["The team has no rows of this request."]}
      noun={["row", "rows"]}
      file={{ stem: `approval-a${id}`, fields }}
      above={{
        rows: lines.length,
        shown: lines.map((line, at) => (
          <Paragraph key={line} bold={at === 0} most={1}>
            {line}
          </Paragraph>
        )),
      }}
      enter={() => ({ run: nothing, isHidden: true })}
      actions={requestKeys(here, request)}
    />
  );
}

ApprovalScreen.help = {
  name: "Request",
  about: [
    "The rows that another person wants to send: account, amount or reference, day and ID. supplyline approvals show --source compares a file with them, byte by byte.",
  ],
  words: [],
} as const;

/** Returns the columns for which a row has a text. */
function columnsWith(rows: readonly ApprovalRow[]) {
  if (rows.length === 0) return requestRowColumns;
  return requestRowColumns.filter(({ text }) => rows.some((row) => text(row, 80) !== ""));
}

function stateOf(reading: ReturnType<typeof useReading<readonly ApprovalRow[]>>): ListState {
  switch (reading.kind) {
    case "reading":
      return { kind: "reading", words: "Asking the team's ledger…" };
    case "failed": {
      const words = errorLine(reading.error, { doing: "reading the rows of the request" });
      return { kind: "failed", why: <Paragraph>{words}</Paragraph> };
    }
    case "read":
      return { kind: "ready" };
  }
}
