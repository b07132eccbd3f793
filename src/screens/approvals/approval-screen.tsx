import { useCallback, useEffect, useMemo, useState } from "react";
import { ListScreen } from "../../components/list-screen/list-screen.tsx";
import type { ListState } from "../../components/list-screen/list-spec.ts";
import { useRowList } from "../../components/list-screen/use-list.ts";
import { Paragraph } from "../../components/paragraph.tsx";
import { errorLine } from "../../errors/error-words.ts";
import { useHere, useSession } from "../../hooks/app.tsx";
import { useStore } from "../../hooks/context.ts";
import { useReading } from "../../hooks/reading.ts";
import { useRoom } from "../../hooks/window.tsx";
import { formatInstant } from "../../text/dates.ts";
import { wrap } from "../../text/width.ts";
import { approvalRowFields } from "../../writes/approval-fields.ts";
import { type ApprovalRow, pagesOf } from "../../writes/team/approvals.ts";
import { requestLines } from "../../writes/words/approvals.ts";
import { requestRowColumns } from "./request-columns.ts";
import { requestKeys } from "./request-keys.ts";

const idOf = ({ position }: ApprovalRow) => String(position);
const fields = Object.values(approvalRowFields);
const noRows: readonly ApprovalRow[] = [];
const nothing = () => {};

/** Minimum number of rows of the body for all facts of the request, and the lines of a lower one. */
const allFactsFrom = 16;
const lowLines = 3;

export function ApprovalScreen({ id }: { readonly id: number }) {
  const here = useHere();
  const session = useSession();
  const { requests, awaySince } = useStore(session.team);
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
  const [tries, setTries] = useState(0);
  const readAgain = () => setTries((n) => n + 1);
  const reading = useReading(read, tries);
  const isBack = reading.kind === "failed" && awaySince === null;
  useEffect(() => {
    if (isBack) setTries((n) => n + 1);
  }, [isBack]);
  const rows = reading.kind === "read" ? reading.value : noRows;
  const columns = useMemo(() => columnsWith(rows), [rows]);
  const list = useRowList({ name: `approval ${id}`, rows, idOf, columns });
  const { rows: height, columns: width } = useRoom();
  const facts = request === null ? [] : requestLines(request, formatInstant);
  const wrapped = facts.flatMap((fact) => wrap(fact, width));
  const lines = wrapped.slice(0, height < allFactsFrom ? lowLines : Math.floor(height / 2));
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
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
          <Paragraph key={at} bold={at === 0}>
            {line}
          </Paragraph>
        )),
      }}
      enter={() => ({ run: nothing, isHidden: true })}
      actions={{
        ...requestKeys(here, request),
        refresh: { run: readAgain, help: "Ask the team's ledger for the rows again now" },
      }}
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
