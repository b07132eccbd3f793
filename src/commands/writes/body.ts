import { type FieldError, ServiceError } from "../../api/errors.ts";
import { AppError, type InputIssue } from "../../errors/app-error.ts";
import { type Form, fromWireBody } from "../../forms/fields.ts";
import type { FormValues } from "../../forms/form-values.ts";
import { type Addressee, parseJson, validateJson } from "../../forms/parse-json.ts";
import { atPath, pathText } from "../../forms/payload-places.ts";
import type { Issue } from "../../forms/rules.ts";
import { attrPath, placeServiceIssues } from "../../forms/service-errors.ts";
import { type Validation, validateValues } from "../../forms/validate.ts";
import { bytesOf, type Json, type JsonObject, type Path } from "../../json/exact.ts";
import { localZone } from "../../text/dates.ts";
import { plural } from "../../text/numbers.ts";
import { quoted } from "../../text/service-words.ts";
import type { Invocation } from "../invocation.ts";
import { readNamed } from "../read-input.ts";

export type Explain = (error: ServiceError) => readonly string[];

export interface CheckedBody {
  readonly bytes: Uint8Array;
  /** Reports a rejection at the places of its fields: `notes.json:3:7`, or an option. */
  readonly explain: Explain;
}

export interface Account {
  readonly supplier: string;
  readonly account: string;
}

/**
 * Returns the body that the options describe, with exact dates. `optionAt` names the option of a
 * field. Throws `invalid-input` with every problem.
 */
export function bodyFromOptions(
  invocation: Invocation,
  form: Form,
  { supplier, account }: Account,
  values: FormValues,
  optionAt: (path: Path) => string | null,
  allowMissing = false,
): CheckedBody {
  const given = { import_supplier: supplier, external_account_number: account, ...values };
  const timeZone = localZone();
  const typedAt = { now: invocation.io.clock.now(), timeZone };
  const validation = validateValues(form, given, typedAt, { allowMissing });
  return checkedBody(invocation, form, validation, {
    name: "the command line",
    placeAt: (path) => ({ file: optionAt(path) ?? "", line: null, column: null }),
  });
}

interface FileOptions {
  /**
   * The account that the command line names. The file can leave it out, but must not name another.
   */
  readonly account?: Account;
  readonly query?: Readonly<Record<string, string>>;
  readonly allowMissing?: boolean | undefined;
}

/**
 * Reads the body from a JSON file, or from standard input for `-`: the array of the command's
 * items, or the whole documented body. Throws `invalid-input` with every problem at its line and
 * column.
 */
export async function bodyFromFile(
  invocation: Invocation,
  form: Form,
  path: string,
  { account, query, allowMissing }: FileOptions = {},
): Promise<CheckedBody> {
  const { name, bytes } = await readNamed(invocation.io, path);
  const addressee: Addressee =
    account === undefined
      ? {}
      : { importSupplier: account.supplier, externalAccountNumber: account.account };
  const file = path === "-" ? "<stdin>" : path;
  const parsed = parseJson(form, bytes, addressee);
  return checkedBody(
    invocation,
    form,
    validateJson(form, bytes, addressee, { query, allowMissing }),
    {
      name,
      placeAt: (fieldPath) => {
        if (!parsed.ok) return { file, line: null, column: null };
        const { line = null, column = null } = parsed.locate({ path: fieldPath, message: "" });
        return { file, line, column };
      },
    },
  );
}

type Place = Pick<InputIssue, "file" | "line" | "column">;

interface Origin {
  readonly name: string;
  readonly placeAt: (path: Path) => Place;
}

/**
 * Returns the bytes of a valid body, and reports its warnings. Throws `invalid-input` with all
 * issues, so that nothing is sent.
 */
function checkedBody(
  invocation: Invocation,
  form: Form,
  validation: Validation,
  origin: Origin,
): CheckedBody {
  const inputIssue = (issue: Issue) => inputIssueOf(issue, origin);
  if (!validation.ok) {
    const issues = validation.issues.map(inputIssue);
    const words = `${plural(issues.length, "problem")} in ${origin.name}, so nothing was sent`;
    const remedy = validation.issues.every(({ about }) => about === "missing")
      ? "--allow-missing sends it without these fields"
      : null;
    throw new AppError("command", "invalid-input", words, { issues, remedy });
  }
  for (const warning of validation.warnings) {
    const place = placeText(inputIssue(warning));
    const words = atPath(warning);
    invocation.warn(place === null ? words : `${place}: ${words}`);
  }
  return {
    bytes: bytesOf(validation.body),
    explain: explainer(form, validation.body, origin),
  };
}

function inputIssueOf(issue: Issue, { placeAt }: Origin): InputIssue {
  const place = placeAt(issue.path);
  return {
    attr: issue.path.length === 0 ? null : pathText(issue.path),
    code: null,
    detail: issue.onWire ?? issue.message,
    file: place.file,
    line: issue.line ?? place.line,
    column: issue.line === undefined ? place.column : (issue.column ?? null),
  };
}

function placeText({ file, line, column }: Place): string | null {
  if (file === "") return null;
  return [file, ...(line === null ? [] : [line, ...(column === null ? [] : [column])])].join(":");
}

function explainer(form: Form, body: JsonObject, { placeAt }: Origin): Explain {
  const place = (path: Path) => placeText(placeAt(path));
  return ({ facts }) => {
    const { errors = [] } = facts;
    if (errors.length === 0)
      return placeServiceIssues(form, body, facts).placed.map((issue) =>
        issueLine(place(issue.path), atPath(issue), null),
      );
    return errors.map((error) => {
      const [issue] = placeServiceIssues(form, body, { errors: [error] }).placed;
      const words = fieldErrorWords(form, body, error);
      return issueLine(issue === undefined ? null : place(issue.path), words, error.code);
    });
  };
}

function issueLine(place: string | null, words: string, code: string | null): string {
  const line = place === null ? words : `${place}: ${words}`;
  return quoted(`${line}${code === null ? "" : ` (${code})`}`);
}

function fieldErrorWords(form: Form, body: Json, { attr, detail }: FieldError): string {
  if (attr === null) return detail;
  return `${pathText(attrPath(form, fromWireBody(form, body), attr))}: ${detail}`;
}

export const explainWithoutFields: Explain = ({ facts }) =>
  (facts.errors ?? []).map(({ attr, detail, code }) =>
    issueLine(null, attr === null ? detail : `${attr}: ${detail}`, code),
  );

/** Returns the error without its issues, which the output has on separate lines. */
export function withoutFieldErrors(error: ServiceError): ServiceError {
  const { errors, ...facts } = error.facts;
  return errors === undefined ? error : new ServiceError(error.kind, error.message, facts);
}
