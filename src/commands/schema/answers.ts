/** What the service answers (INTERFACE 2, 4 and 7), as schemas. Other fields may come, so they are open. */

import { accountStatuses, supplyPointStatuses } from "../../text/describe-status.ts";
import type { AnswerName } from "../../writes/kinds/kind.ts";

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: "string" };
const textOrNull: Schema = { type: ["string", "null"] };
const object = (properties: Readonly<Record<string, Schema>>, required: readonly string[]) => ({
  type: "object",
  properties,
  required,
});
const list = (items: Schema): Schema => ({ type: "array", items });
/** Values seen; a service may add others. */
const openEnumeration = (values: readonly string[]): Schema => ({
  type: "string",
  examples: values,
});

const error = object({ detail: text, code: text, attr: textOrNull }, ["detail", "code"]);

/** The answers to reads and to the call for a token. */
type ReadAnswer = "SupplyPointProcess" | "AccountStatus" | "AccountList" | "Token";

/** Every answer with a body, by its name in the document. */
export const answerSchemas: Readonly<Record<AnswerName | ReadAnswer, Schema>> = {
  NoteResults: list(
    object(
      {
        created_at: textOrNull,
        body: textOrNull,
        status: openEnumeration(["NOTE_CREATION_SUCCESS", "NOTE_ALREADY_EXISTS"]),
      },
      ["status"],
    ),
  ),
  TransactionResults: object(
    {
      results: list(
        object(
          {
            status: openEnumeration(["TRANSACTION_ADDED_TO_ACCOUNT", "TRANSACTION_ALREADY_EXISTS"]),
            transaction_data: { type: "object" },
          },
          ["status", "transaction_data"],
        ),
      ),
    },
    ["results"],
  ),
  TransactionError: object(
    {
      status: openEnumeration(["TRANSACTION_IMPORT_ERROR"]),
      error_detail: text,
      transaction_data: { type: "object" },
    },
    ["status", "error_detail"],
  ),
  ValidatedData: { type: ["object", "array"], description: "The data as they were validated." },
  PaymentInstructionResult: object({ service_account_number: text, reference: text }, [
    "service_account_number",
    "reference",
  ]),
  ValidationErrors: {
    ...object({ detail: text, code: text, errors: list(error) }, []),
    description:
      "An object with detail, code and errors, or one that mirrors the payload, with an array of messages at each invalid field.",
  },
  DuplicateSupplyPoint: object(
    {
      non_field_errors: list(error),
      supply_point_identifier: text,
    },
    ["non_field_errors"],
  ),
  SupplyPointProcess: object(
    {
      status: openEnumeration(supplyPointStatuses),
      service_identifier: textOrNull,
      created_at: textOrNull,
      modified_at: textOrNull,
      latest_error: {
        anyOf: [
          object({ code: text, detail: text, domain: text }, ["code", "detail"]),
          { type: "null" },
        ],
      },
    },
    ["status"],
  ),
  AccountStatus: object(
    {
      status: openEnumeration(accountStatuses),
      service_account_number: {
        ...text,
        description: "Empty while no account has been created.",
      },
    },
    ["status"],
  ),
  AccountList: list(
    object(
      {
        external_account_number: text,
        service_account_number: textOrNull,
        account_created_at: textOrNull,
      },
      ["external_account_number"],
    ),
  ),
  NotFound: { ...object({ detail: text, code: text }, []), description: "Its body is open." },
  Token: object(
    {
      data: object(
        {
          obtainToken: object(
            {
              token: text,
              refreshToken: textOrNull,
              refreshExpiresIn: { type: ["number", "null"] },
            },
            ["token"],
          ),
        },
        ["obtainToken"],
      ),
    },
    ["data"],
  ),
};
