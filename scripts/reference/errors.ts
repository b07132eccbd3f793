import type { ServiceErrorKind } from "../../src/api/errors.ts";
import { errorCodes } from "../../src/commands/exit-codes.ts";
import type { ErrorKinds, FileErrorKind } from "../../src/errors/app-error.ts";
import { markdownTable } from "./markdown.ts";

const service: Readonly<Record<ServiceErrorKind, string>> = {
  rejected: "The service rejected the request (400). `errors` names the fields.",
  unauthorized: "The service refused the token (401), also a new one.",
  forbidden: "The credentials are valid, but not for this (403).",
  credentials: "There is no key or token, or it cannot be used.",
  "not-found": "The service does not know it (404).",
  "rate-limited": "The service asked for waits of more than ten minutes in all (429).",
  unavailable: "The service failed (5xx), also after retries.",
  redirect: "The response is a redirect, which supplyline never follows.",
  "unexpected-status": "The status of the response is not documented.",
  unreadable: "The response is not what the interface documents. The raw text is shown.",
  "other-item": "The response names another item than the one that was sent.",
  "too-large": "The response is larger than supplyline accepts.",
  unreachable: "No connection: the service, the proxy or the network.",
  tls: "The certificate cannot be verified.",
  timeout: "No response in time: `--timeout` sets the limit.",
  cancelled: "You canceled it.",
  "invalid-request": "The request cannot be sent, for example because of a character in a code.",
};

const write: Readonly<Record<ErrorKinds["write"], string>> = {
  invalid: "The body is not valid. Nothing was sent.",
  blocked: "The service rejected the same form before (400). Correct it.",
  duplicate: "The same item was sent before, and took effect or might have.",
  "not-found": "The journal has no such entry.",
  "not-possible": "The entry's outcome does not allow this.",
  "in-use": "Another process is sending the entry or another write to the account.",
  purged: "The body was removed from the journal, so it cannot be sent again.",
  damaged: "The journal's record of the entry is damaged.",
  "older-journal": "The journal was restored or copied, and lacks what was sent later.",
};

const run: Readonly<Record<ErrorKinds["run"], string>> = {
  "not-found": "The journal has no such run.",
  "in-use": "Another process is sending the run.",
  "input-changed": "The input changed since the run was recorded.",
  "not-recorded": "The run was not fully recorded, and nothing of it was sent.",
  recorded: "The run was fully recorded, so it cannot be discarded.",
  "wrong-service": "The run belongs to another service.",
};

const team: Readonly<Record<ErrorKinds["team"], string>> = {
  "team-unavailable": "The team's database does not answer.",
  "team-credentials": "The team's database refused the login, or no source has its password.",
  "team-version": "The ledger has another version than this supplyline.",
  "team-not-set-up": "The profile has no team, the database no ledger, or the login no rights.",
  "not-approved": "Two people are asked for, and the second has not approved, or refused.",
};

const settings: Readonly<Record<ErrorKinds["settings"], string>> = {
  corrupt: "A settings file cannot be read. The message names the line or field.",
  exposed: "Other users can read the file. The message has the `chmod` that fixes it.",
  "unknown-profile": "There is no profile of that name.",
  invalid: "A setting has a value that cannot be used.",
  exists: "There is a profile of that name already.",
  helper: "The credential helper failed. The message has what it printed.",
  unwritable: "The file cannot be written.",
};

const command: Readonly<Record<Exclude<ErrorKinds["command"], "invalid-input">, string>> = {
  usage: "The command line is wrong, or `--yes` is needed.",
  "no-profile": "No profile is chosen.",
  sandbox: "The sandbox cannot be started.",
  "not-found": "Nothing is stored of it.",
  output: "The result cannot be written.",
};

const journal: Readonly<Record<FileErrorKind, string>> = {
  full: "The disk is full, so nothing can be recorded or sent.",
  "read-only": "The state folder cannot be written.",
  exposed: "Other users can read the journal.",
  corrupt: "The journal is damaged.",
  "too-new": "A later version of supplyline wrote the journal.",
  busy: "Another process holds the journal for too long.",
  failing: "The disk reports errors.",
};

function table<K extends keyof typeof errorCodes>(
  meanings: Readonly<Record<K, string>>,
  prefix = "",
): string {
  const kinds = Object.keys(meanings) as K[];
  return markdownTable(
    ["`kind`", "Exit code", "Meaning"],
    kinds.map((kind) => [`\`${prefix}${kind}\``, String(errorCodes[kind]), meanings[kind]]),
  );
}

/** Returns the sections of the kinds of errors. */
export function errorSections(): string {
  return `## Errors

The values of \`kind\` in the [error object](output.md#errors). [Troubleshooting](../troubleshooting.md) is ordered by the
text of the message.

### From the service and the connection

For a read. A write that might have taken effect ends with \`unknown-outcome\` and 7 instead.

${table(service)}
### Before a write

${table(write)}
### The outcome of a write

${markdownTable(
  ["`kind`", "Exit code", "Meaning"],
  [
    ["`unknown-outcome`", "7", "The write might have taken effect. Verify it."],
    [
      "`retryable`",
      "6 or 7",
      "It failed and can be sent again unchanged; 7 if it might have taken effect.",
    ],
    ["`not-sent`", "6", "The write was recorded and not sent."],
    ["`invalid-input`", "2", "A file or form is not valid. `errors` lists every problem."],
    ["`fault`", "1", "An internal error. `SUPPLYLINE_DEBUG=1` adds the stack trace."],
  ],
)}
### Bulk runs

${table(run)}
### A team

${table(team)}
### Settings

${table(settings)}
### The command line

${table(command)}
### The journal and observations

Only commands about observations end with \`file-\` in place of \`journal-\`: a list is printed all the same.

${table(journal, "journal-")}`;
}
