import type { Verb } from "./verb.ts";

type Load = () => Promise<{ readonly verb: Verb }>;

/** A word of the command line: a command of its own, or a noun with verbs. */
export type CommandEntry = {
  readonly name: string;
  readonly summary: string;
} & (
  | {
      readonly load: Load;
      /** Its arguments, for the list of commands. */
      readonly arguments?: string;
      readonly hidden?: boolean;
    }
  | {
      readonly verbs: Readonly<Record<string, Load>>;
      /** One call at the end of its help. */
      readonly example: readonly string[];
    }
);

/** Every command, in the order of the help. A new verb is a file and a line here. */
export const commands: readonly CommandEntry[] = [
  {
    name: "open",
    summary: "the console, at a supplier, an account or a supply point",
    arguments: "[supplier] [account]",
    load: () => import("./open/open.ts"),
  },
  {
    name: "accounts",
    summary: "account imports: list, status, watch",
    example: ["supplyline accounts list ACME --state pending"],
    verbs: {
      list: () => import("./accounts/list.ts"),
      status: () => import("./accounts/status.ts"),
      watch: () => import("./accounts/watch.ts"),
    },
  },
  {
    name: "supply-points",
    summary: "supply point imports: status, watch, validate, create",
    example: ["supplyline supply-points status ACME SP-PROCESSED"],
    verbs: {
      validate: () => import("./supply-points/validate.ts"),
      create: () => import("./supply-points/create.ts"),
      status: () => import("./supply-points/status.ts"),
      watch: () => import("./supply-points/watch.ts"),
    },
  },
  {
    name: "notes",
    summary: "notes on an imported account: create",
    example: ["supplyline notes create ACME EXT-0000001 --body 'Meter read agreed'"],
    verbs: { create: () => import("./notes/create.ts") },
  },
  {
    name: "transactions",
    summary: "financial transactions of an imported account: create",
    example: ["supplyline transactions create ACME EXT-0000001 --from transactions.json"],
    verbs: { create: () => import("./transactions/create.ts") },
  },
  {
    name: "statements",
    summary: "historical statements of an imported account: create",
    example: ["supplyline statements create ACME EXT-0000001 --from statements.json"],
    verbs: { create: () => import("./statements/create.ts") },
  },
  {
    name: "payment-instructions",
    summary: "payment instructions of an imported account: create",
    example: [
      "supplyline payment-instructions create ACME EXT-0000001 \\",
      "  --vendor GOODPAY --reference R-1 --type CARD",
    ],
    verbs: { create: () => import("./payment-instructions/create.ts") },
  },
  {
    name: "bulk",
    summary: "many rows from a CSV or JSONL file: run, resume, report, discard, list",
    example: ["supplyline bulk run notes --from notes.csv --dry-run"],
    verbs: {
      run: () => import("./bulk/run.ts"),
      resume: () => import("./bulk/resume.ts"),
      report: () => import("./bulk/report.ts"),
      discard: () => import("./bulk/discard.ts"),
      list: () => import("./bulk/list.ts"),
    },
  },
  {
    name: "activity",
    summary: "what was sent from here: list, show, verify, resend, close, purge, export",
    example: ["supplyline activity list --outcome unknown"],
    verbs: {
      list: () => import("./activity/list.ts"),
      show: () => import("./activity/show.ts"),
      verify: () => import("./activity/verify.ts"),
      resend: () => import("./activity/resend.ts"),
      close: () => import("./activity/close.ts"),
      purge: () => import("./activity/purge.ts"),
      export: () => import("./activity/export.ts"),
    },
  },
  {
    name: "profiles",
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
  {
    name: "suppliers",
    summary: "the supplier codes of a profile: add, remove; the service has no list of them",
    example: ["supplyline suppliers add ACME"],
    verbs: {
      add: () => import("./suppliers/add.ts"),
      remove: () => import("./suppliers/remove.ts"),
    },
  },
  {
    name: "login",
    summary: "check an API key by obtaining a token, and save the token",
    load: () => import("./credentials/login.ts"),
  },
  {
    name: "logout",
    summary: "wipe the saved key and token of a profile",
    load: () => import("./credentials/logout.ts"),
  },
  {
    name: "whoami",
    summary: "the profile in use and where its credentials come from; nothing is sent",
    load: () => import("./credentials/whoami.ts"),
  },
  {
    name: "doctor",
    summary: "check terminal, folders, credentials, reachability, TLS, token and clock",
    load: () => import("./doctor/doctor.ts"),
  },
  {
    name: "sandbox",
    summary: "run the sandbox service until it is interrupted; prints its URL and API key",
    load: () => import("./sandbox.ts"),
  },
  {
    name: "schema",
    summary: "print the JSON Schema of a payload, or of keymap.json, for editors",
    arguments: "<kind>",
    load: () => import("./schema.ts"),
  },
  {
    name: "completion",
    summary: "print what a shell needs to complete commands",
    arguments: "<shell>",
    load: () => import("./completion/completion.ts"),
  },
  // The shell asks it at each press of Tab.
  {
    name: "complete",
    summary: "",
    hidden: true,
    load: () => import("./completion/complete.ts"),
  },
];

/**
 * The words that name what a command line is about: as a rule the first of `names` in it. A word
 * behind an option may be its value, so the search goes on after it; `complete` stands before the
 * line that it is asked about.
 */
export function namedIn(words: readonly string[], names: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (const [at, word] of words.entries()) {
    if (!names.includes(word)) continue;
    found.push(word);
    if (word !== "complete" && !words[at - 1]?.startsWith("-")) break;
  }
  return found;
}
