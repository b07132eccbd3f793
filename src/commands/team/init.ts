import type { Initialized } from "../../writes/team/init-ledger.ts";
import type { Verb } from "../verb.ts";
import { teamTarget, withConnect } from "./with-team.ts";

const words: Readonly<Record<Initialized["kind"], string>> = {
  created: "The team's ledger is created",
  upgraded: "The team's ledger is upgraded",
  unchanged: "The team's ledger already exists and is up to date",
};

export const verb: Verb = {
  description: "create or upgrade the team's ledger in its database, as its owner",
  declare: (command) =>
    command.option("--print", "print the SQL for an administrator, and connect to nothing"),
  async run(invocation, { print = false }: { readonly print?: boolean }) {
    const { access } = teamTarget(invocation);
    const { host, database, schema } = access.address;
    const { initLedger, ledgerScript } = await import("../../writes/team/init-ledger.ts");
    if (print) {
      await invocation.out.write(ledgerScript(schema));
      return;
    }
    const { kind } = await withConnect(invocation, access, (connect) =>
      initLedger(connect, access.address),
    );
    invocation.notice(`${words[kind]}: schema ${schema} of ${database} on ${host}.`);
    if (kind === "created")
      invocation.notice(
        `Next: GRANT ${schema}_team TO each person's login, and ${schema}_ci to that of CI. The owner's login does not send.`,
      );
  },
  exits: [0, 2, 3, 6, 130],
  examples: [
    "supplyline team init --profile live",
    "supplyline team init --print --profile live > ledger.sql",
  ],
};
