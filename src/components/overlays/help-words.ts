/** The tables of statuses and outcomes that the help explains. */
import {
  accountStatuses,
  accountStatusWords,
  notFoundWords,
  type StatusWords,
  supplierStatuses,
  supplierStatusWords,
  supplyPointStatuses,
  supplyPointStatusWords,
} from "../../text/describe-status.ts";
import { outcomeWords } from "../../writes/words/outcomes.ts";
import type { HelpWords } from "./help-topics.ts";

/** The tables of words in the help, each with a title. */
export const helpTables: Readonly<
  Record<HelpWords, { readonly title: string; readonly words: readonly StatusWords[] }>
> = {
  account: {
    title: "Statuses of an account import",
    words: [...accountStatuses.map(accountStatusWords), notFoundWords.account],
  },
  "account-state": {
    title: "Pending and imported",
    words: [
      {
        label: "pending",
        meaning:
          "Staged: the service has its data and has not created the account yet. It takes no notes or transactions.",
        tone: "waiting",
        mark: "○",
      },
      {
        label: "imported",
        meaning: "Created: it takes notes, transactions, statements and a payment instruction.",
        tone: "ok",
        mark: "✓",
      },
    ],
  },
  "supply-point": {
    title: "Statuses of a supply point import",
    words: [...supplyPointStatuses.map(supplyPointStatusWords), notFoundWords["supply-point"]],
  },
  supplier: {
    title: "Statuses of an import supplier",
    words: supplierStatuses.map(supplierStatusWords),
  },
  outcome: { title: "Outcomes of an entry", words: Object.values(outcomeWords) },
  run: {
    title: "States of a run",
    words: [
      {
        label: "running",
        meaning: "A process on this machine is sending its rows.",
        tone: "busy",
        mark: "●",
      },
      {
        label: "stopped",
        meaning: "Rows are left. You can resume it.",
        tone: "waiting",
        mark: "○",
      },
      {
        label: "finished",
        meaning: "Every row has an outcome. The counts show which.",
        tone: "ok",
        mark: "✓",
      },
    ],
  },
};
