import type { TeamAddress } from "../../settings/team-address.ts";
import { utcInstant, utcInstantOrNull } from "../../text/dates.ts";
import { formatDuration } from "../../text/durations.ts";
import { fieldsOf } from "../../text/fields.ts";
import type { LedgerStatus } from "../../writes/team/ledger-status.ts";
import { type Column, utcText } from "../rows/columns.ts";
import { printRow } from "../rows/print.ts";
import type { Verb } from "../verb.ts";
import { clockWords, leftWords, restoredWords } from "./status-words.ts";
import { readTeamStatus, teamTarget } from "./with-team.ts";

interface Shown extends LedgerStatus {
  readonly address: TeamAddress;
}

const field = fieldsOf<Shown>();

/** Returns the right of a login that counts: the owner does not send. */
function rightsOf({ isOwner, isCi, isMember }: LedgerStatus): string | null {
  if (isOwner) return "owner";
  return isCi ? "ci" : isMember ? "member" : null;
}

const columns: readonly Column<Shown>[] = [
  field(["host", "Database host"], "text", "The host of the database.", (of) => of.address.host),
  field("database", "text", "The database.", (of) => of.address.database),
  field("schema", "text", "The schema of the ledger.", (of) => of.address.schema),
  field("login", "text", "The login of the database.", (of) => of.login),
  field("rights", "text or null", "`member`, `ci`, `owner`, or null for none.", rightsOf),
  field(["latency_ms", "Latency in ms"], "number", "The time of one answer.", (of) => of.latencyMs),
  field(["tls", "TLS"], "text or null", "The version of TLS; null without TLS.", (of) => of.tls),
  field(
    ["server_version", "PostgreSQL"],
    "text",
    "The version of PostgreSQL.",
    (of) => of.serverVersion,
  ),
  field("ledger_version", "number", "The version of the ledger.", (of) => of.version),
  field("keys_version", "number", "The version of the item keys.", (of) => of.keys),
  field("created_at", utcText, "The time at which the ledger was created.", (of) =>
    utcInstant(of.createdAt),
  ),
  field(
    ["clock_ahead_ms", "Clock ahead in ms"],
    "number",
    "The time by which the clock of the database is ahead of this machine's.",
    (of) => of.clockAheadMs,
  ),
  field(
    "restored_at",
    `${utcText}, or null`,
    "The time at which a restore of the ledger was noticed; null after every machine has reported back.",
    ({ restoredAt }) => utcInstantOrNull(restoredAt),
  ),
  field("unknown", "number", "The unknown entries of the service.", (of) => of.unknown),
  field("sending", "number", "The entries that are being sent.", (of) => of.sending),
  {
    ...field(
      "machines",
      "array of objects",
      "The state folders, the latest contact first: `machine`, `person`, `login`, `last_at`, `unknown` entries, `owes` after a restore, and `left_at` if a person took the team from its profile.",
      (of) =>
        of.machines.map(({ lastAt, leftAt, ...rest }) => ({
          ...rest,
          last_at: utcInstant(lastAt),
          left_at: utcInstantOrNull(leftAt),
        })),
    ),
    shown: ({ machines, now }) =>
      machines
        .map(
          ({ machine, person, lastAt, leftAt }) =>
            `${machine} (${person}, ${leftAt === null ? "" : "left, "}${formatDuration(Math.max(0, now - lastAt))} ago)`,
        )
        .join(", "),
  },
];

const policyColumns: readonly Column<Shown>[] = [
  field(
    ["four_eyes", "Two people for"],
    "text",
    "`money` if another person approves payments and transactions of the service. Without a policy, it is shown only if it is named.",
    (of) => of.fourEyes,
  ),
  field(
    ["waiting", "Requests that wait"],
    "number",
    "The requests that wait for another person.",
    (of) => of.waiting,
  ),
];

export const verb: Verb = {
  description: "the state of the team's ledger: rights, versions, clocks, machines, open entries",
  columns: [...columns, ...policyColumns],
  async run(invocation) {
    const target = teamTarget(invocation);
    const status = await readTeamStatus(invocation, target);
    const isShown = status.fourEyes !== "none" || invocation.globals.columns !== undefined;
    const shown = isShown ? [...columns, ...policyColumns] : columns;
    await printRow(invocation, shown, { ...status, address: target.access.address });
    for (const words of [clockWords(status), restoredWords(status), leftWords(status)])
      if (words !== null) invocation.warn(words);
  },
  exits: [0, 2, 3, 6, 130],
  examples: ["supplyline team status", "supplyline team status --profile live --json"],
};
