/**
 * The service's responses as schemas. Enumerations are open, and fields beyond these are accepted,
 * because the raw text has them. Values have exact numbers and the interface's neutral words.
 */
import * as z from "zod/mini";
import { isJsonNumber, isRecord, type JsonNumber } from "../json/exact.ts";
import { toJson } from "../json/print.ts";

/** Exact numbers are objects as well, to the language and to zod. */
const record = z.custom<Readonly<Record<string, unknown>>>(isRecord);

function object<const S extends z.core.$ZodShape>(shape: S) {
  return z.pipe(record, z.object(shape));
}

/** Text, or the digits of a number: a long identifier must not pass through a float. */
const text = z.union([
  z.string(),
  z.pipe(
    z.custom<JsonNumber>(isJsonNumber),
    z.transform(({ rawJSON }) => rawJSON),
  ),
]);

/** A value of an undocumented type is shown as its JSON. */
const shown = z.union([
  text,
  z.pipe(
    z.custom<NonNullable<unknown> | null>((value) => value !== undefined),
    z.transform((value) => toJson(value)),
  ),
]);

/** Reads null, and an absent field as null, for fields that the interface allows to be null. */
function orNull<S extends z.core.SomeType>(schema: S) {
  return z._default(z.nullable(schema), null);
}

/** INTERFACE 2 and 4.8. */
export const accountStatus = z.object({
  status: z.string(),
  /** Empty while no account has been created. */
  service_account_number: z.pipe(
    z.nullable(text),
    z.transform((number) => number ?? ""),
  ),
});

/** INTERFACE 2: the reason of an import that ended in error. An error of another shape is all detail. */
const latestError = z.union([
  object({
    code: z._default(shown, ""),
    detail: z._default(shown, ""),
    domain: z._default(shown, ""),
  }),
  z.pipe(
    shown,
    z.transform((detail) => ({ code: "", detail, domain: "" })),
  ),
]);

/** INTERFACE 2 and 4.7. */
export const supplyPointProcess = z.object({
  status: z.string(),
  service_identifier: orNull(text),
  created_at: orNull(shown),
  modified_at: orNull(shown),
  latest_error: orNull(latestError),
});

/** An absent text or a value of another type is read as null. */
const said = z.catch(z.nullable(text), null);

/** INTERFACE 4.2: the 400 of transactions. */
export const transactionError = object({
  status: z.literal("TRANSACTION_IMPORT_ERROR"),
  error_detail: said,
  transaction_data: z.catch(z.nullable(object({ transaction_id: said })), null),
});

/** INTERFACE 5.2: the answer of a GraphQL service to ObtainToken. */
export const graphqlAnswer = object({
  data: z.catch(z.nullable(record), null),
  /**
   * The messages of the errors, with null for an error without one, or null for anything but an
   * array.
   */
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

/** INTERFACE 4.1. Absent fields are no difference. */
const noteResults = z.array(
  object({ status: z.string(), body: optionalText, created_at: optionalText }),
);

/** INTERFACE 4.2. */
const transactionResults = object({
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

/** INTERFACE 4.3: the validated data, with or without the object around it. */
const statementResults = z.union([statements, object({ statements })]);

/** INTERFACE 4.4. The name of the account number begins with the brand word. */
const paymentInstructionResult = z.pipe(
  record.check(
    z.refine((answer) =>
      Object.entries(answer).some(
        ([name, value]) =>
          name.endsWith("_account_number") &&
          name !== "external_account_number" &&
          text.safeParse(value).success,
      ),
    ),
  ),
  z.object({ reference: text }),
);

/**
 * The bodies of documented successes, by the path of their write. The creation of a supply point
 * has none.
 */
const successes: Readonly<Record<string, z.ZodMiniType>> = {
  "/v1/data-import/notes/create/": noteResults,
  "/v1/data-import/transactions/create/": transactionResults,
  "/v1/data-import/historical-statements/create/": statementResults,
  "/v1/data-import/payment-instruction/create/": paymentInstructionResult,
};

/** Returns true if a body has the documented shape of a success at a path (INTERFACE 4.1–4.4). */
export function isDocumentedSuccess(path: string, body: unknown): boolean {
  return successes[path]?.safeParse(body).success ?? true;
}

const mirrored = z.union([record, z.array(z.unknown())]);

/** INTERFACE 7.1 and 7.3: a payload that failed validation, in either shape. */
export const validationError = z.union([
  object({ errors: z.array(z.unknown()) }),
  object({ code: z.literal("account_failed_validation") }),
  ...["transactions", "import_supplier", "external_account_number", "payload"].map((field) =>
    object({ [field]: mirrored }),
  ),
]);
