/**
 * The table of all commands, with their summaries for the help and the modules that implement them.
 */

import type { Verb } from "./verb.ts";

type Load = () => Promise<{ readonly verb: Verb }>;

export type CommandEntry = { readonly name: string } & UnnamedEntry;

type UnnamedEntry = { readonly summary: string } & (
  | {
      readonly load: Load;
      readonly arguments?: string;
      readonly hidden?: boolean;
    }
  | {
      readonly verbs: Readonly<Record<string, Load>>;
      readonly example: readonly string[];
    }
);

/** Every command, in the order of the help. A new verb needs a file and a line here. */
const table: Readonly<Record<string, UnnamedEntry>> = {
  open: {
    summary: "the console, at a supplier, an account or a supply point",
    arguments: "[supplier] [account]",
    load: () => import("./open/open.ts"),
  },
  accounts: {
    summary: "account imports: list, status, watch",
    example: ["supplyline accounts list ACME --state pending"],
    verbs: {
      list: () => import("./accounts/list.ts"),
      status: () => import("./accounts/status.ts"),
      watch: () => import("./accounts/watch.ts"),
    },
  },
  find: {
    summary: "find account numbers at all suppliers of the profile",
    arguments: "[number...]",
    load: () => import("./find/find.ts"),
  },
  reconcile: {
    summary: "which accounts of your list are imported, which are not, and why",
    arguments: "<supplier>",
    load: () => import("./reconcile/reconcile.ts"),
  },
  check: {
    summary: "conditions of a supplier with an exit code, for cron, CI and monitoring",
    arguments: "<supplier>",
    load: () => import("./check/check.ts"),
  },
  "supply-points": {
    summary: "supply point imports: status, watch, validate, create",
    example: ["supplyline supply-points status ACME SP-PROCESSED"],
    verbs: {
      validate: () => import("./supply-points/validate.ts"),
      create: () => import("./supply-points/create.ts"),
      status: () => import("./supply-points/status.ts"),
      watch: () => import("./supply-points/watch.ts"),
    },
  },
  notes: {
    summary: "notes on an imported account: create",
    example: ["supplyline notes create ACME EXT-0000001 --body 'Meter read agreed'"],
    verbs: { create: () => import("./notes/create.ts") },
  },
  templates: {
    summary: "texts for notes, stored with a profile: add, list, remove",
    example: ["supplyline templates add call --body '{now} {me}: called, case {case}'"],
    verbs: {
      add: () => import("./templates/add.ts"),
      list: () => import("./templates/list.ts"),
      remove: () => import("./templates/remove.ts"),
    },
  },
  transactions: {
    summary: "financial transactions of an imported account: create",
    example: ["supplyline transactions create ACME EXT-0000001 --from transactions.json"],
    verbs: { create: () => import("./transactions/create.ts") },
  },
  statements: {
    summary: "historical statements of an imported account: create",
    example: ["supplyline statements create ACME EXT-0000001 --from statements.json"],
    verbs: { create: () => import("./statements/create.ts") },
  },
  "payment-instructions": {
    summary: "payment instructions of an imported account: create",
    example: [
      "supplyline payment-instructions create ACME EXT-0000001 \\",
      "  --vendor GOODPAY --reference R-1 --type CARD",
    ],
    verbs: { create: () => import("./payment-instructions/create.ts") },
  },
  bulk: {
    summary: "many rows from a CSV or JSONL file: run, resume, report, rejected, discard, list",
    example: ["supplyline bulk run notes --from notes.csv --dry-run"],
    verbs: {
      run: () => import("./bulk/run.ts"),
      resume: () => import("./bulk/resume.ts"),
      report: () => import("./bulk/report.ts"),
      rejected: () => import("./bulk/rejected.ts"),
      discard: () => import("./bulk/discard.ts"),
      list: () => import("./bulk/list.ts"),
    },
  },
  activity: {
    summary: "the journal: summary, list, show, verify, resend, close, purge, repair, export",
    example: ["supplyline activity list --outcome unknown"],
    verbs: {
      summary: () => import("./activity/summary.ts"),
      list: () => import("./activity/list.ts"),
      show: () => import("./activity/show.ts"),
      verify: () => import("./activity/verify.ts"),
      resend: () => import("./activity/resend.ts"),
      close: () => import("./activity/close.ts"),
      purge: () => import("./activity/purge.ts"),
      repair: () => import("./activity/repair.ts"),
      export: () => import("./activity/export.ts"),
    },
  },
  profiles: {
    summary: "profiles: list, show, add, edit, use, remove",
    example: ["supplyline profiles list"],
    verbs: {
      list: () => import("./profiles/list.ts"),
      show: () => import("./profiles/show.ts"),
      add: () => import("./profiles/add.ts"),
      edit: () => import("./profiles/edit.ts"),
      use: () => import("./profiles/use.ts"),
      remove: () => import("./profiles/remove.ts"),
    },
  },
  suppliers: {
    summary: "the suppliers of a profile and their figures: list, show, add, remove",
    example: ["supplyline suppliers list"],
    verbs: {
      list: () => import("./suppliers/list.ts"),
      show: () => import("./suppliers/show.ts"),
      add: () => import("./suppliers/add.ts"),
      remove: () => import("./suppliers/remove.ts"),
    },
  },
  cohorts: {
    summary: "stored lists of accounts, such as migration waves: add, list, show, remove",
    example: ["supplyline cohorts list"],
    verbs: {
      add: () => import("./cohorts/add.ts"),
      list: () => import("./cohorts/list.ts"),
      show: () => import("./cohorts/show.ts"),
      remove: () => import("./cohorts/remove.ts"),
    },
  },
  changes: {
    summary: "changes between the observed lists of a supplier",
    arguments: "<supplier>",
    load: () => import("./changes.ts"),
  },
  observations: {
    summary: "observations of lists, stored on this machine: list, show, confirm, purge",
    example: ["supplyline observations list"],
    verbs: {
      list: () => import("./observations/list.ts"),
      show: () => import("./observations/show.ts"),
      confirm: () => import("./observations/confirm.ts"),
      purge: () => import("./observations/purge.ts"),
    },
  },
  report: {
    summary: "a shift report: figures, changes, causes, and all that is open, with its commands",
    arguments: "[supplier...]",
    load: () => import("./report.ts"),
  },
  team: {
    summary: "the team's shared ledger: init, join, status, publish, repair, policy",
    example: ["supplyline team status"],
    verbs: {
      init: () => import("./team/init.ts"),
      join: () => import("./team/join.ts"),
      status: () => import("./team/status.ts"),
      publish: () => import("./team/publish.ts"),
      repair: () => import("./team/repair.ts"),
      policy: () => import("./team/policy.ts"),
    },
  },
  approvals: {
    summary: "two people for money: list, show, approve or refuse what another person prepared",
    example: ["supplyline approvals list --waiting"],
    verbs: {
      list: () => import("./approvals/list.ts"),
      show: () => import("./approvals/show.ts"),
      approve: () => import("./approvals/approve.ts"),
      refuse: () => import("./approvals/refuse.ts"),
    },
  },
  config: {
    summary: "settings with their defaults and sources: list, get, set",
    example: ["supplyline config list"],
    verbs: {
      list: () => import("./config/list.ts"),
      get: () => import("./config/get.ts"),
      set: () => import("./config/set.ts"),
    },
  },
  api: {
    summary: "send a GET request with the profile's login; it never writes",
    arguments: "<method> <path>",
    load: () => import("./api.ts"),
  },
  login: {
    summary: "check an API key by obtaining a token, and save the token",
    load: () => import("./credentials/login.ts"),
  },
  logout: {
    summary: "wipe the saved key and token of a profile",
    load: () => import("./credentials/logout.ts"),
  },
  whoami: {
    summary: "the profile in use and where its credentials come from; nothing is sent",
    load: () => import("./credentials/whoami.ts"),
  },
  doctor: {
    summary: "check terminal, folders, credentials, reachability, TLS, token and clock",
    load: () => import("./doctor/doctor.ts"),
  },
  sandbox: {
    summary: "run the sandbox service until it is interrupted; prints its URL and API key",
    load: () => import("./sandbox.ts"),
  },
  schema: {
    summary: "print the JSON Schema of a payload or of keymap.json",
    arguments: "<kind>",
    load: () => import("./schema/schema.ts"),
  },
  completion: {
    summary: "print the script with which a shell completes commands",
    arguments: "<shell>",
    load: () => import("./completion/completion.ts"),
  },
  // Hidden, because only the shell runs it, at each press of Tab.
  complete: {
    summary: "",
    hidden: true,
    load: () => import("./completion/complete.ts"),
  },
};

export const commands: readonly CommandEntry[] = Object.entries(table).map(([name, entry]) => ({
  name,
  ...entry,
}));

/**
 * Returns the words of a command line that are in `names`, usually only the first one. The search
 * continues after a word that can be the value of an option, and after `complete`, which precedes
 * the line to complete.
 */
export function namedIn(words: readonly string[], names: readonly string[]): readonly string[] {
  const named: string[] = [];
  for (const [index, word] of words.entries()) {
    if (!names.includes(word)) continue;
    named.push(word);
    if (word !== "complete" && !words[index - 1]?.startsWith("-")) break;
  }
  return named;
}
