import * as z from "zod";
import { isJsonNumber, type JsonNumber } from "../json/value.ts";
import { decimalProblem } from "./decimals.ts";
import { documentPathProblem } from "./document-path.ts";
import type { Field, Leaf, TextLeaf } from "./fields.ts";

const required = "This field is required.";
/** The issue of an empty row or entry. */
export const emptyHere = "This is empty: fill it in or remove it.";
const nullSent = "null is never sent: leave the field out.";

/** The message of a schema: for a missing field, for null, and for any other mismatch. */
export function saying(expected: string): (issue: { readonly input?: unknown }) => string {
  return ({ input }) => (input === undefined ? required : input === null ? nullSent : expected);
}

/** Reports the result of `problem` for a value of the right type. */
export function refusing<T>(
  problem: (value: T) => string | null,
): (value: T, context: z.core.$RefinementCtx<T>) => void {
  return (value, context) => {
    const message = problem(value);
    if (message !== null) context.addIssue({ code: "custom", message });
  };
}

const isoDate = z.iso.date({ error: saying("A date such as 2026-11-20 is expected here.") });
const isoDatetime = z.union([
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ offset: true, precision: -1 }),
]);
const withoutZone = z.iso.datetime({ local: true });

function datetimeProblem(text: string): string | null {
  if (isoDatetime.safeParse(text).success) return null;
  return withoutZone.safeParse(text).success
    ? "Name the time zone: Z, or an offset such as +01:00."
    : "A datetime such as 2026-11-20T14:00:00+01:00 is expected here.";
}

function textProblem({ identifier, mayBeEmpty }: Omit<TextLeaf, "type">) {
  return (text: string): string | null => {
    if (text === "") return mayBeEmpty ? null : "This must not be empty.";
    if (text.trim() === "") return "This must not be only spaces.";
    if (!text.isWellFormed()) return "This is not well-formed text.";
    if (!identifier) return null;
    if (text === "." || text === "..") return "This must not be . or .., which leads elsewhere.";
    return /\p{Cc}/u.test(text) ? "This must not contain control characters." : null;
  };
}

function emptiness(mayBeEmpty: boolean): Pick<TextLeaf, "mayBeEmpty"> {
  return mayBeEmpty ? { mayBeEmpty } : {};
}

function textThat(problem: (text: string) => string | null): z.ZodType {
  return z
    .string({ error: saying("Text in quotes is expected here.") })
    .superRefine(refusing(problem));
}

/** Whether an empty text passes: for a field that need not be there the service decides. */
export function mayBeEmpty({ presence }: Field): boolean {
  return presence === "optional" || presence === "expected";
}

/**
 * The schema of a field with one value, as it stands in the body. `empty` lets an empty text pass.
 */
export function leafSchema(leaf: Leaf, empty = false): z.ZodType {
  switch (leaf.type) {
    case "text":
      return textThat(textProblem({ ...leaf, ...emptiness(empty) }));
    case "multiline":
    case "enumeration":
      return textThat(textProblem(emptiness(empty)));
    case "document-path":
      return textThat(documentPathProblem);
    case "date":
      return isoDate;
    case "datetime":
      return textThat(datetimeProblem);
    case "amount":
    case "number":
      return z
        .custom<JsonNumber>(isJsonNumber, {
          abort: true,
          error: saying("A number is expected here, without quotes."),
        })
        .superRefine(refusing((number) => decimalProblem(number.rawJSON)));
    case "boolean":
      return z.boolean({ error: saying("true or false is expected here, without quotes.") });
  }
}
