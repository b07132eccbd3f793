/**
 * Defines the zod schemas of the service's responses, for calls and journal entries. Enumerations
 * are open, and other fields are accepted. Numbers stay exact, and names of fields begin with
 * `service` instead of the brand word.
 */
import * as z from "zod/mini";
import { isJsonNumber, isRecord, type JsonNumber, toJson } from "../json/exact.ts";

/** Accepts an object that is not an exact number. For zod, an exact number is an object, too. */
const record = z.custom<Readonly<Record<string, unknown>>>(isRecord);

function object<const S extends z.core.$ZodShape>(shape: S) {
  return z.pipe(record, z.object(shape));
}

/** Accepts a text, or a number as its digits, so that a long identifier is never rounded. */
const text = z.union([
  z.string(),
  z.pipe(
    z.custom<JsonNumber>(isJsonNumber),
    z.transform(({ rawJSON }) => rawJSON),
  ),
]);

/** Accepts any value. A value that is neither a text nor a number becomes JSON text. */
const anyAsText = z.union([
  text,
  z.pipe(
    z.custom<NonNullable<unknown> | null>((value) => value !== undefined),
    z.transform((value) => toJson(value)),
  ),
]);

/** Accepts null, and converts an absent field to null. */
function orNull<S extends z.core.SomeType>(schema: S) {
  return z._default(z.nullable(schema), null);
}

/** The status of an account (INTERFACE 2 and 4.8). */
export const accountStatus = z.object({
  status: z.string(),
  /** The account number of the service. Empty while no account has been created. */
  service_account_number: z.pipe(
    z.nullable(text),
    z.transform((number) => number ?? ""),
  ),
});

/** The reason for an import error (INTERFACE 2). An unknown structure becomes the `detail`. */
const latestError = z.union([
  object({
    code: z._default(anyAsText, ""),
    detail: z._default(anyAsText, ""),
    domain: z._default(anyAsText, ""),
  }),
  z.pipe(
    anyAsText,
    z.transform((detail) => ({ code: "", detail, domain: "" })),
  ),
]);

/** The import process of a supply point (INTERFACE 2 and 4.7). */
export const supplyPointProcess = z.object({
  status: z.string(),
  service_identifier: orNull(text),
  created_at: orNull(anyAsText),
  modified_at: orNull(anyAsText),
  latest_error: orNull(latestError),
});

const textOrNull = z.catch(z.nullable(text), null);

/** The 400 response of transactions (INTERFACE 4.2). */
export const transactionError = object({
  status: z.literal("TRANSACTION_IMPORT_ERROR"),
  error_detail: textOrNull,
  transaction_data: z.catch(z.nullable(object({ transaction_id: textOrNull })), null),
});

/** The response of a GraphQL service to ObtainToken (INTERFACE 5.2). */
export const graphqlResponse = object({
  data: z.catch(z.nullable(record), null),
  /** The messages of the errors, with null for an error without one. Null if there is no array. */
  errors: z.catch(
    z.nullable(
      z.array(
        z.catch(
          z.nullable(
            z.pipe(
              object({ message: z.string() }),
              z.transform(({ message }) => message),
            ),
          ),
          null,
        ),
      ),
    ),
    null,
  ),
});

const optionalText = z.optional(z.nullable(text));

/** The response to notes (INTERFACE 4.1). `body` and `created_at` can be absent. */
export const noteResults = z.array(
  object({ status: z.string(), body: optionalText, created_at: optionalText }),
);

/** The response to transactions (INTERFACE 4.2). */
export const transactionResults = object({
  results: z.array(
    object({
      status: z.string(),
      transaction_data: z.optional(
        z.nullable(
          object({
            transaction_id: optionalText,
            transaction_date: optionalText,
            amount: optionalText,
            type: optionalText,
          }),
        ),
      ),
    }),
  ),
});

const statements = z.array(object({ statement_id: optionalText }));

/** The response to statements (INTERFACE 4.3): the valid data, also with an object around it. */
export const statementResults = z.union([statements, object({ statements })]);

/**
 * The response to a payment instruction (INTERFACE 4.4). The name of its account number begins with
 * the brand word.
 */
export const paymentInstructionResult = z.pipe(
  record.check(
    z.refine((response) =>
      Object.entries(response).some(
        ([name, value]) =>
          name.endsWith("_account_number") &&
          name !== "external_account_number" &&
          text.safeParse(value).success,
      ),
    ),
  ),
  z.object({ reference: text }),
);

/** The messages of a field, in the structure of the field. */
const fieldMessages = z.union([record, z.array(z.unknown())]);

/** The response to an invalid payload, in any documented shape (INTERFACE 7.1 and 7.3). */
export const validationError = z.union([
  object({ errors: z.array(z.unknown()) }),
  object({ code: z.literal("account_failed_validation") }),
  ...["transactions", "import_supplier", "external_account_number", "payload"].map((field) =>
    object({ [field]: fieldMessages }),
  ),
]);
