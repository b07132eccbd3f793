import { formatInstant } from "../../text/dates.ts";
import { approvalFields } from "../../writes/approval-fields.ts";
import type { Approval } from "../../writes/team/approvals.ts";
import { requestWords, standingLabel } from "../../writes/words/approvals.ts";
import { personWords } from "../../writes/words/authors.ts";
import type { Column } from "../rows/columns.ts";
import { printRows } from "../rows/print.ts";
import { withOpenTeam } from "../team/with-open-team.ts";
import type { Verb } from "../verb.ts";

export const approvalColumns: readonly Column<Approval>[] = Object.values(approvalFields);

export const verb: Verb = {
  description: "the requests for a second person's approval, newest first",
  declare: (command) => command.option("--waiting", "only those that wait"),
  columns: approvalColumns,
  async run(invocation, { waiting = false }: { readonly waiting?: boolean }) {
    const all = await withOpenTeam(invocation, ({ team }) => team.ledger.approvals.list());
    const rows = waiting ? all.filter(({ standing }) => standing === "waits") : all;
    if (rows.length === 0) invocation.notice("No request of this service.");
    await printRows(invocation, approvalColumns, rows, { brief: briefColumns });
  },
  exits: [0, 2, 3, 6, 130],
  examples: ["supplyline approvals list", "supplyline approvals list --waiting --json"],
};

const briefColumns: readonly Column<Approval>[] = [
  approvalFields.approval,
  { ...approvalFields.askedAt, shown: ({ at }) => formatInstant(at) },
  { ...approvalFields.by, shown: (of) => (of.isMine ? "you" : personWords(of)) },
  { ...approvalFields.operation, title: "What", shown: requestWords },
  approvalFields.rows,
  approvalFields.sum,
  { ...approvalFields.state, shown: standingLabel },
];
