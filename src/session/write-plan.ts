import type { Form } from "../forms/fields.ts";
import { forms, isFormKind } from "../forms/forms.ts";
import type { Issue } from "../forms/issue.ts";
import { validateValues } from "../forms/validate.ts";
import { bytesOf } from "../json/print.ts";
import type { JsonObject } from "../json/value.ts";
import type { SavedDraft } from "../settings/saved-drafts.ts";
import { commandLine } from "../text/as-command.ts";
import type { TypedAt } from "../text/loose-dates.ts";
import { isArgument, shellQuote } from "../text/shell-quote.ts";
import { operationOf } from "../writes/kinds/kind.ts";
import { kindOf } from "../writes/kinds/kinds.ts";
import { type PreparedWrite, prepareWrite, type WriteRequest } from "../writes/prepare.ts";
import { WriteError } from "../writes/write-error.ts";
import { formStateOf } from "./saved-draft.ts";

/** A draft as it will be sent: the bytes are made once, and are the ones that the review shows. */
export interface Plan {
  readonly form: Form;
  /** The body as JSON, its outer `payload` included. */
  readonly body: JsonObject;
  readonly request: WriteRequest;
  readonly prepared: PreparedWrite;
  readonly warnings: readonly Issue[];
}

/** The plan of a draft; without a plan there is nothing to send. */
export type Planned =
  | { readonly kind: "plan"; readonly plan: Plan }
  | { readonly kind: "invalid"; readonly form: Form; readonly issues: readonly Issue[] }
  | { readonly kind: "unreadable" };

/** Plans the request of a draft. Loosely typed dates become exact as of `typedAt`. */
export function planOf(draft: SavedDraft, typedAt: TypedAt): Planned {
  if (!isFormKind(draft.kind)) return { kind: "unreadable" };
  const form = forms[draft.kind];
  const validation = validateValues(form, formStateOf(form, draft).values, typedAt, {
    allowMissing: draft.allowMissing,
  });
  if (!validation.ok) return { kind: "invalid", form, issues: validation.issues };
  const request: WriteRequest = {
    operation: operationOf(draft.kind),
    query: validation.query,
    body: bytesOf(validation.body),
  };
  try {
    const prepared = prepareWrite(request);
    const { body, warnings } = validation;
    return { kind: "plan", plan: { form, body, request, prepared, warnings } };
  } catch (error) {
    if (!(error instanceof WriteError)) throw error;
    return { kind: "invalid", form, issues: [{ path: [], message: error.message }] };
  }
}

/** The external account number, or the identifier of a supply point. */
export function numberOf({ prepared }: Plan): string {
  const { target } = prepared.facts;
  return target.kind === "account" ? target.externalAccountNumber : target.externalIdentifier;
}

/** The whole address, with its query. */
export function urlOf(baseUrl: string, path: string, query: PreparedWrite["query"]): string {
  const words = new URLSearchParams(query).toString();
  return `${baseUrl}${path}${words === "" ? "" : `?${words}`}`;
}

/**
 * The `supplyline` command that sends the same bytes, with the body on its standard input; null
 * when a name cannot be an argument. `profile` is null where the option makes no difference.
 */
export function writeCommand(plan: Plan, profile: string | null): string | null {
  const { operation, facts, query, body } = plan.prepared;
  const { target, payload } = facts;
  const text = new TextDecoder().decode(body);
  const allowing = plan.warnings.some(({ about }) => about === "missing")
    ? ["--allow-missing"]
    : [];
  const words = operation.split(" ");
  const { command: takes } = kindOf(operation);
  if (takes === "operand" || target.kind === "supply-point") {
    return fed(text, commandLine({ words: [...words, "-"] }, profile));
  }
  const operands = [target.importSupplier, target.externalAccountNumber];
  if (takes !== "from") {
    const options = takes.options.flatMap((name): [string, string][] =>
      payload[name] === undefined ? [] : [[`--${name}`, String(payload[name])]],
    );
    return commandLine({ words, operands, options, flags: allowing }, profile);
  }
  const unchecked = Object.keys(query)
    .filter((name) => query[name] === "false")
    .map((name) => `--no-${name.replaceAll("_", "-")}`);
  const flags = [...allowing, ...unchecked];
  return fed(text, commandLine({ words, operands, options: [["--from", "-"]], flags }, profile));
}

/** A command with its standard input; null where a shell can write one of them not. */
function fed(input: string, line: string | null): string | null {
  return line === null || !isArgument(input) ? null : `printf %s ${shellQuote(input)} | ${line}`;
}
