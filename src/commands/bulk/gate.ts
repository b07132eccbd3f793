import type { Survey } from "../../bulk/input/survey.ts";
import { isRowCount, isSum, sameDecimal } from "../../writes/typed-numbers.ts";
import type { FormKind } from "../../forms/forms.ts";
import type { Profile } from "../../settings/profile.ts";
import { profileWords } from "../../settings/profile-words.ts";
import { count, plural } from "../../text/numbers.ts";
import { type Confirmation, confirmationOf } from "../../writes/confirmation.ts";
import { kindOf, operationOf } from "../../writes/kinds/kinds.ts";
import { usageError } from "../command-error.ts";
import type { Invocation } from "../invocation.ts";
import { askingOf, canAsk, notConfirmed } from "../writes/ask.ts";
import { refuseReadOnly } from "../writes/gate.ts";

/** What the user expects of the input, so that no other one is sent by mistake. */
export interface Expected {
  readonly expectRows?: number;
  /** Decimal text. */
  readonly expectSum?: string;
}

const nothingSent = "Nothing was sent.";

/** Throws `usage` where the input is not what the user expects; on every profile. */
export function checkExpected(
  { rows, sum }: Pick<Survey, "rows" | "sum">,
  { expectRows, expectSum }: Expected,
): void {
  if (expectRows !== undefined && expectRows !== rows)
    throw usageError(
      `--expect-rows ${expectRows}: the input has ${plural(rows, "row")}`,
      nothingSent,
    );
  if (expectSum !== undefined && (sum === null || !sameDecimal(expectSum, sum)))
    throw usageError(
      `--expect-sum ${expectSum}: the amounts add up to ${sum ?? "nothing"}`,
      nothingSent,
    );
}

/** A checked input, or what is left of a run. */
interface ManyRows {
  readonly doing: string;
  /** What goes out, with its sum; null where only the sum is known. */
  readonly what: string | null;
  readonly kind: FormKind;
  readonly rows: number;
  /** Decimal text; called only where the sum is asked for. */
  readonly sum: () => Promise<string>;
  /** Whether `--again --reason` sends rows that the duplicate guard would keep back. */
  readonly again: boolean;
}

/**
 * Lets many rows through as the confirmation policy says. On a terminal what no flag says is asked;
 * elsewhere production takes `--yes`, and for rows that move money the flags beside it, while other
 * places go ahead. `expected` is null for a run that goes on: what it says was said when it began.
 * Throws `usage`; nothing was sent.
 */
export async function passBulkGate(
  invocation: Invocation,
  profile: Profile,
  many: ManyRows,
  expected: Expected | null,
): Promise<void> {
  const { kind, doing, again } = many;
  refuseReadOnly(invocation, profile, `a bulk run of ${kind}`);
  const { environment } = profile;
  const operation = operationOf(kind);
  const asked = confirmationOf({ environment, operation, rows: "many", inDoubt: again });
  if (asked.kind === "none") return;
  const said: Said = {
    isProduction: environment === "production",
    yes: invocation.globals.yes,
    movesMoney: kindOf(operation).movesMoney,
    expected,
  };
  if (canAsk(invocation.io)) {
    await askFor(invocation, profile, many, questionsOf(asked, said));
    return;
  }
  const missing = missingFlags(asked, said);
  if (missing.length === 0) return;
  throw usageError(
    `${doing} needs to be confirmed, on ${profileWords(profile)}`,
    `${nothingSent} Give ${missing.join(" and ")} to go ahead.`,
  );
}

/** What the command line says already. */
interface Said {
  readonly isProduction: boolean;
  readonly yes: boolean;
  readonly movesMoney: boolean;
  readonly expected: Expected | null;
}

type Asked = Exclude<Confirmation, { readonly kind: "none" }>;

type Question = "yes" | "rows" | "sum";

/** The flags that are missing where no one can be asked. */
function missingFlags(asked: Asked, { isProduction, yes, movesMoney, expected }: Said): string[] {
  if (!isProduction) return [];
  const counts = movesMoney && expected !== null;
  return [
    ...(yes ? [] : ["--yes"]),
    ...(counts && expected.expectRows === undefined ? ["--expect-rows N"] : []),
    ...(counts && hasSum(asked) && expected.expectSum === undefined ? ["--expect-sum X"] : []),
  ];
}

/** What is asked on a terminal because no flag says it. */
function questionsOf(asked: Asked, said: Said): readonly Question[] {
  const { isProduction, yes, movesMoney, expected } = said;
  const saysRows = expected?.expectRows !== undefined;
  const saysSum = expected?.expectSum !== undefined;
  if (asked.kind === "yes") return yes || saysRows ? [] : ["yes"];
  if (yes && !(isProduction && movesMoney && expected !== null)) return [];
  // On production the flags stand beside --yes and not in its place.
  const counts = isProduction && !yes;
  return [
    ...(counts || !saysRows ? ["rows" as const] : []),
    ...(hasSum(asked) && (counts || !saysSum) ? ["sum" as const] : []),
  ];
}

function hasSum(asked: Asked): boolean {
  return asked.kind === "typed" && asked.what === "rows-and-sum";
}

async function askFor(
  invocation: Invocation,
  profile: Profile,
  { doing, what, rows, sum }: ManyRows,
  questions: readonly Question[],
): Promise<void> {
  if (questions.length === 0) return;
  const total = questions.includes("sum") ? await sum() : "0";
  const amounts = questions.includes("sum") ? `, which add up to ${total}` : "";
  invocation.problem(`${what ?? `${doing}${amounts}`}: on ${profileWords(profile)}.`);
  await using asking = askingOf(invocation.io);
  for (const question of questions) {
    switch (question) {
      case "yes": {
        const typed = await asking.ask("Send them? [y/N] ");
        if (!/^y(?:es)?$/i.test(typed)) throw notConfirmed(typed, "yes", nothingSent);
        break;
      }
      case "rows": {
        const typed = await asking.ask("To send them, type the number of rows: ");
        if (!isRowCount(typed, rows)) throw notConfirmed(typed, count(rows), nothingSent);
        break;
      }
      case "sum": {
        const typed = await asking.ask("And the sum of their amounts: ");
        if (!isSum(typed, total)) throw notConfirmed(typed, total, nothingSent);
        break;
      }
    }
  }
}
