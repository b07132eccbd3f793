import type { Survey } from "../../bulk/input/survey.ts";
import type { BulkKind } from "../../bulk/kinds.ts";
import type { Profile } from "../../settings/profile.ts";
import { count, plural } from "../../text/numbers.ts";
import { CommandError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import { ask, canAsk } from "../writes/ask.ts";
import { decimalOf, sameDecimal } from "./decimal.ts";

/** What the user says of the input, so that no other one is sent by mistake. */
export interface Expected {
  readonly expectRows?: number;
  /** Decimal text. */
  readonly expectSum?: string;
}

type Size = Pick<Survey, "rows" | "sum">;

const nothingSent = "Nothing was sent.";

/** Throws `usage` where the input is not what the user says of it; on every profile. */
export function checkExpected({ rows, sum }: Size, { expectRows, expectSum }: Expected): void {
  if (expectRows !== undefined && expectRows !== rows)
    throw new CommandError(
      "usage",
      `--expect-rows ${expectRows}: the input has ${plural(rows, "row")}`,
      nothingSent,
    );
  if (expectSum !== undefined && (sum === null || !sameDecimal(expectSum, sum)))
    throw new CommandError(
      "usage",
      `--expect-sum ${expectSum}: the amounts add up to ${sum ?? "nothing"}`,
      nothingSent,
    );
}

/** Refuses what writes where nothing may be written. Throws `usage`. */
function refuseReadOnly({ globals }: Invocation, profile: Profile, kind: BulkKind): void {
  if (kind === "status") return;
  if (globals.readOnly)
    throw new CommandError("usage", `--read-only forbids a bulk run of ${kind}`, nothingSent);
  if (profile.readOnly)
    throw new CommandError(
      "usage",
      `the profile ${profile.name} is read-only, which forbids a bulk run of ${kind}`,
      `${nothingSent} A profile that may write is chosen with --profile NAME.`,
    );
}

/**
 * Lets a checked input through. On production the number of rows has to be confirmed: typed on a
 * terminal, elsewhere with `--yes`; rows that move money take `--expect-rows` (transactions
 * `--expect-sum` too) beside it, or both typed. Elsewhere only rows that move money are asked about,
 * and only on a terminal. Throws `usage`; nothing was sent.
 */
export async function passBulkGate(
  invocation: Invocation,
  profile: Profile,
  kind: BulkKind,
  size: Size,
  expected: Expected,
): Promise<void> {
  refuseReadOnly(invocation, profile, kind);
  if (kind === "status") return;
  const { yes } = invocation.globals;
  const moves = kind === "transactions" || kind === "payment-instructions";
  const sums = kind === "transactions";
  const saysRows = expected.expectRows !== undefined;
  const saysSum = expected.expectSum !== undefined;
  const isProduction = profile.environment === "production";
  const wants = isProduction
    ? {
        rows: !yes || (moves && !saysRows),
        sum: sums && !(yes && saysSum),
      }
    : {
        rows: moves && !yes && !saysRows && canAsk(invocation.io),
        sum: sums && !yes && !saysSum && canAsk(invocation.io),
      };
  if (!wants.rows && !wants.sum) return;
  if (!canAsk(invocation.io)) {
    const missing = [
      ...(yes ? [] : ["--yes"]),
      ...(moves && !saysRows ? ["--expect-rows N"] : []),
      ...(sums && !saysSum ? ["--expect-sum X"] : []),
    ];
    throw new CommandError(
      "usage",
      `sending ${plural(size.rows, "row")} of ${kind} needs to be confirmed: ${whereOf(profile)}`,
      `${nothingSent} Give ${missing.join(" and ")} to go ahead.`,
    );
  }
  const amounts = sums ? `, which add up to ${size.sum ?? "0"}` : "";
  invocation.problem(
    `sending ${plural(size.rows, "row")} of ${kind}${amounts}: ${whereOf(profile)}.`,
  );
  if (wants.rows) await confirmRows(invocation, size.rows);
  if (wants.sum) await confirmSum(invocation, size.sum ?? "0");
}

/** Lets a run that was let through before go on: on production it is confirmed again. */
export async function passResumeGate(
  invocation: Invocation,
  profile: Profile,
  kind: BulkKind,
  left: number,
): Promise<void> {
  refuseReadOnly(invocation, profile, kind);
  const isProduction = profile.environment === "production";
  if (kind === "status" || !isProduction || invocation.globals.yes) return;
  const doing = `going on with ${plural(left, "row")} of ${kind}`;
  if (!canAsk(invocation.io))
    throw new CommandError(
      "usage",
      `${doing} needs to be confirmed: ${whereOf(profile)}`,
      `${nothingSent} Give --yes to go ahead.`,
    );
  invocation.problem(`${doing}: ${whereOf(profile)}.`);
  await confirmRows(invocation, left);
}

function whereOf({ name, environment, baseUrl }: Profile): string {
  const at = baseUrl ?? "sandbox";
  return environment === "production" ? `${name} is production (${at})` : `to ${name} (${at})`;
}

async function confirmRows({ io }: Invocation, rows: number): Promise<void> {
  const typed = await ask(io, "To send them, type the number of rows: ");
  if (decimalOf(typed) !== String(rows)) throw notConfirmed(typed, count(rows));
}

async function confirmSum({ io }: Invocation, sum: string): Promise<void> {
  const typed = await ask(io, "And the sum of their amounts: ");
  const decimal = decimalOf(typed);
  if (decimal === null || !sameDecimal(decimal, sum)) throw notConfirmed(typed, sum);
}

function notConfirmed(typed: string, wanted: string): CommandError {
  const what = typed === "" ? "it was not confirmed" : `${JSON.stringify(typed)} is not ${wanted}`;
  return new CommandError("usage", what, nothingSent);
}
