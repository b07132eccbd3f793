/**
 * Describes why a team's database could not be asked. The words come from codes and never from the
 * texts of the driver or the database.
 */
import { AppError, type ErrorFacts, type ErrorKinds, isAppError } from "../../errors/app-error.ts";
import { codeOf } from "../../text/disk-words.ts";
import { ledgerVersion } from "./schema/schema.ts";

/** Failures of a connection that have no code, by the driver's words for them. */
const noCode: readonly (readonly [RegExp, string])[] = [
  [/timeout/i, "no answer in time"],
  [/terminated|closed/i, "the connection ended"],
];

/** SQLSTATE of failures that can pass: connection, conflict, resources, shutdown, system, standby. */
const passing = /^(?:08|40|53|55|57|58)...$|^25006$/;

/** A code of the database. Codes of the system have the same form and begin with E. */
const sqlState = /^(?!E)[0-9A-Z]{5}$/;

const certificate = /CERT|SIGNATURE|SELF_SIGNED|ALTNAME|^ERR_(?:TLS|SSL)/;

export function canPass(error: unknown): boolean {
  if (isAppError(error)) return false;
  const code = codeOf(error);
  if (certificate.test(code) || isWithoutTls(error)) return false;
  return sqlState.test(code) ? passing.test(code) : true;
}

export function teamError(error: unknown, host: string): AppError<"team"> {
  if (isAppError(error, "team")) return error;
  if (isAppError(error)) return failure("team-credentials", error.message, error.facts);
  const code = codeOf(error);
  const known = bySqlState[code];
  if (known !== undefined) return failure(...known(error));
  const name = `the team's database ${host}`;
  if (certificate.test(code))
    return failure("team-unavailable", `there is no secure connection to ${name} (${code})`, {
      remedy:
        "`supplyline profiles edit NAME --team-ca-file PATH` names the authority of its certificate.",
    });
  if (isWithoutTls(error))
    return failure("team-unavailable", `${name} offers no TLS`, {
      remedy: "The administrator of the database must switch it on.",
    });
  const message = error instanceof Error ? error.message : "";
  const why = noCode.find(([words]) => words.test(message))?.[1] ?? "no answer";
  const shown = /^[0-9A-Z_]+$/.test(code) ? code : why;
  const verb = sqlState.test(code) && !canPass(error) ? "reports an error" : "does not answer";
  return failure("team-unavailable", `${name} ${verb} (${shown})`);
}

type Described = readonly [ErrorKinds["team"], string, ErrorFacts?];

const bySqlState: Readonly<Record<string, (error: unknown) => Described>> = {
  SL001: (error) => versionFailure(Number(detailOf(error))),
  SL002: () => [
    "team-version",
    "the team's ledger has item keys of another version",
    { remedy: "Use the version of supplyline that the team uses." },
  ],
  SL003: () => [
    "team-not-set-up",
    "the team's database has another isolation of transactions than read committed",
    { remedy: "The administrator must reset default_transaction_isolation for this login." },
  ],
  SL004: () => [
    "team-not-set-up",
    "the login owns the team's ledger, and the owner must not send",
    { remedy: "Use the login of a member." },
  ],
  "28P01": () => refusedLogin,
  "28000": () => refusedLogin,
  "3D000": () => ["team-not-set-up", "the team's database does not exist", askAdministrator],
  "3F000": () => noLedger,
  "42883": () => noLedger,
  "42P01": () => noLedger,
  "42501": () => [
    "team-not-set-up",
    "the login has no rights to the team's ledger",
    {
      remedy:
        "The owner of the ledger grants them: GRANT SCHEMA_team TO LOGIN, where SCHEMA is supplyline unless the address names another.",
    },
  ],
};

const askAdministrator = { remedy: "Correct the address, or ask the administrator." };

const refusedLogin: Described = [
  "team-credentials",
  "the team's database refused the user name or password",
  {
    remedy:
      "The password comes from the team's credential helper, PGPASSWORD or PGPASSFILE, in this order.",
  },
];

const noLedger: Described = [
  "team-not-set-up",
  "the team's database has no ledger",
  { remedy: "Its owner creates it with `supplyline team init`." },
];

function versionFailure(version: number): Described {
  const isOlder = version < ledgerVersion;
  const words = `the team's ledger has version ${version}, and this supplyline uses ${ledgerVersion}`;
  const remedy = isOlder
    ? "Its owner upgrades it with `supplyline team init`."
    : "Use the version of supplyline that the team uses.";
  return ["team-version", words, { remedy }];
}

export function wrongVersion(version: number): AppError<"team"> {
  return failure(...versionFailure(version));
}

export function missingLedger(): AppError<"team"> {
  return failure(...noLedger);
}

export function mayNotCreate(): AppError<"team"> {
  return failure("team-not-set-up", "the login has no right to create the ledger or its roles", {
    remedy:
      "It needs CREATE on the database and CREATEROLE, or an administrator executes what `supplyline team init --print` prints.",
  });
}

export function notOwner(): AppError<"team"> {
  return failure("team-not-set-up", "only the owner of the team's ledger can do this", {
    remedy: "Use a profile whose team address names the owner's login.",
  });
}

export function unreadableAnswer(host: string): AppError<"team"> {
  return failure("team-unavailable", `the team's database ${host} sent an unreadable answer`);
}

export function canceledClaim(): AppError<"team"> {
  return failure("team-unavailable", "the claim at the team's ledger was canceled");
}

function failure(kind: ErrorKinds["team"], words: string, facts: ErrorFacts = {}) {
  return new AppError("team", kind, words, facts);
}

function isWithoutTls(error: unknown): boolean {
  return error instanceof Error && /SSL connection/i.test(error.message);
}

function detailOf(error: unknown): string {
  const { detail } = error as { readonly detail?: unknown };
  return typeof detail === "string" ? detail : "";
}
