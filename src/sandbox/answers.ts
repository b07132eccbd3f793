/** Builds the statuses and bodies of the service's refusals (INTERFACE part 7). */
import type { Path, Problem } from "./checks.ts";
import { isObject } from "./checks.ts";

/** The result of a rule: a status with or without a JSON body. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

/** Layouts of field errors where the interface is not specific (fault `mirror`). */
export type ErrorLayout = "plain" | "payload" | "indexed";

export function notFound(detail: string): Answer {
  return { status: 404, body: { detail, code: "not_found" } };
}

/** Returns the general 400 of part 7.1, with one entry for each offending input. */
export function failedValidation(problems: readonly Problem[], lead: Path = []): Answer {
  return {
    status: 400,
    body: {
      detail: "The payload failed validation.",
      code: "account_failed_validation",
      errors: problems.map(({ path, code, detail }) => ({
        detail,
        code,
        attr: [...lead, ...path].join("."),
      })),
    },
  };
}

/**
 * Returns field errors in the payload's own structure (4.5): arrays of messages in place of the
 * failing fields.
 */
export function nestedErrors(problems: readonly Problem[], form: ErrorLayout): Answer {
  let root: unknown;
  for (const { path, detail } of problems) root = placed(root, path, detail, form);
  const body = Array.isArray(root) ? { non_field_errors: root } : root;
  return { status: 400, body: form === "payload" ? { payload: body } : body };
}

function placed(node: unknown, path: Path, message: string, form: ErrorLayout): unknown {
  const [step, ...rest] = path;
  if (step === undefined) {
    const messages = Array.isArray(node) ? node : [];
    // The problem of a whole object is beside the problems of its fields.
    return isObject(node) ? { ...node, non_field_errors: [message] } : [...messages, message];
  }
  if (typeof step === "number" && form !== "indexed") {
    const items: unknown[] = Array.isArray(node) ? [...node] : [];
    // Items without problems are an empty object, so that positions match.
    while (items.length <= step) items.push({});
    items[step] = placed(items[step], rest, message, form);
    return items;
  }
  // Through a Map, so that a field named __proto__ becomes a field like any other.
  const fields = new Map(isObject(node) ? Object.entries(node) : []);
  fields.set(String(step), placed(fields.get(String(step)), rest, message, form));
  return Object.fromEntries(fields);
}
