/** The fields of bulk runs and of their rows. */
import { utcInstant } from "../text/dates.ts";
import { drawn, fieldsOf } from "../text/fields.ts";
import { sharedFields } from "../text/shared-fields.ts";
import type { RunCounts, RunRecord, RunRow } from "./run-record.ts";

const run = fieldsOf<RunRecord>();
const row = fieldsOf<RunRow>();

const counted = (name: Exclude<keyof RunCounts, "waiting">) =>
  run(name, "number", `Rows with the outcome \`${name}\`.`, (of) => of.counts[name]);

export const runFields = {
  run: run("run", "text", "The run ID, such as `r7k2qd`.", ({ id }) => id),
  kind: run("kind", "text", "`notes`, `transactions` and so on.", ({ kind }) => kind),
  outcome: run(["outcome", "State"], "text", "`ended`, `stopped` or `running`.", (of) => of.state),
  profile: drawn(
    run("profile", "text", "The profile that started the run.", (of) => of.profile),
    10,
    2,
  ),
  baseUrl: run(["base_url", "Service"], "text", "The base URL of the service.", (of) => of.baseUrl),
  source: run(["source", "Input"], "text or null", "The input file.", ({ source }) => source),
  createdAt: run("created_at", "text, UTC", "The time at which the run was created.", (of) =>
    utcInstant(of.createdAt),
  ),
  endedAt: run("ended_at", "text or null", "The time at which the run ended.", (of) =>
    of.endedAt === null ? null : utcInstant(of.endedAt),
  ),
  stoppedBecause: run(
    "stopped_because",
    "text or null",
    "The reason why the run stopped.",
    (of) => of.stoppedBecause,
  ),
  rows: run("rows", "number", "Rows of the input.", ({ rows }) => rows),
  requests: run("requests", "number", "Requests that the rows form.", (of) => of.requests),
  confirmed: counted("confirmed"),
  exists: counted("exists"),
  rejected: counted("rejected"),
  retryable: counted("retryable"),
  unknown: counted("unknown"),
  closed: counted("closed"),
  sending: counted("sending"),
  unsent: run("unsent", "number", "Rows that were not sent.", (of) => of.counts.waiting),
  results: run("results", "text or null", "The results file.", ({ results }) => results),
};

export const rowFields = {
  line: row("line", "number", "The line on which the row begins in the input.", (of) => of.line),
  supplier: row(...sharedFields.supplier, (of) => of.importSupplier),
  account: row(
    "external_account_number",
    "text or null",
    "The external account number.",
    (of) => of.externalAccountNumber,
  ),
  supplyPoint: row(
    "external_identifier",
    "text or null",
    "The supply point's identifier.",
    (of) => of.externalIdentifier,
  ),
  outcome: row(...sharedFields.outcome, ({ outcome }) => outcome),
  status: row(...sharedFields.itemStatus, ({ status }) => status),
  httpStatus: row(...sharedFields.httpStatus, (of) => of.httpStatus),
  code: row(...sharedFields.code, ({ code }) => code),
  detail: row(
    "detail",
    "text or null",
    "The message of the service or of supplyline.",
    ({ detail }) => detail,
  ),
  entry: row(...sharedFields.entry, ({ journalId }) => journalId),
};
