import type { SupplyPointProcess } from "../../api/service.ts";
import { toJson } from "../../json/print.ts";
import { supplyPointStatusWords } from "../../text/describe-status.ts";
import { during } from "../command-error.ts";
import { exitCode } from "../exit-codes.ts";
import type { Invocation } from "../invocation.ts";
import { identifierArgument } from "../option-values.ts";
import { type Entry, type Field, printEntry, withMeaning } from "../present.ts";
import { withTarget } from "../target.ts";
import { exits, type Verb } from "../verb.ts";

/** `supply-points status`: INTERFACE 4.7. */
export const verb: Verb = {
  examples: [
    "supplyline supply-points status ACME SP-PROCESSED",
    "supplyline supply-points status ACME SP-PROCESSED --json",
  ],
  exits: exits.read,
  declare: (command) =>
    command
      .description("the import process of a supply point")
      .argument("<supplier>", "import supplier code", identifierArgument)
      .argument("<id>", "external identifier of the supply point", identifierArgument),
  run: supplyPointStatus,
};

const fields = [
  { name: "import_supplier", title: "Import supplier" },
  { name: "external_identifier", title: "External identifier" },
  { name: "status", title: "Status" },
  { name: "service_identifier", title: "Service identifier" },
  { name: "created_at", title: "Created at" },
  { name: "modified_at", title: "Modified at" },
  { name: "latest_error_code", title: "Latest error" },
  { name: "latest_error_domain", title: "Error domain" },
  { name: "latest_error_detail", title: "Error detail" },
] as const satisfies readonly Field[];

/** Prints the import process of a supply point (INTERFACE 4.7). */
async function supplyPointStatus(
  invocation: Invocation,
  supplier: string,
  identifier: string,
): Promise<number> {
  const { io, globals, out } = invocation;
  const { timeoutMs } = globals;
  return withTarget(invocation, async ({ service, context }) => {
    const subject = { kind: "supply-point", supplier, id: identifier } as const;
    const { value } = await during(
      context(`reading the status of supply point ${identifier}`, subject),
      () => service.supplyPoints.status(supplier, identifier, { signal: io.signal, timeoutMs }),
    );
    if (globals.format === "json" || globals.format === "jsonl") {
      const indent = globals.format === "json" ? 2 : undefined;
      await out.line(toJson(supplyPointJson({ supplier, identifier }, value), indent));
      return exitCode.done;
    }
    const error = value.latest_error;
    const entry: Entry<(typeof fields)[number]["name"]> = {
      import_supplier: supplier,
      external_identifier: identifier,
      status: value.status,
      service_identifier: value.service_identifier,
      created_at: value.created_at,
      modified_at: value.modified_at,
      latest_error_code: error?.code ?? null,
      latest_error_domain: error?.domain ?? null,
      latest_error_detail: error?.detail ?? null,
    };
    if (globals.format === "csv") {
      await printEntry(invocation, fields, entry);
      return exitCode.done;
    }
    const { label, meaning } = supplyPointStatusWords(value.status);
    const shown = error === null ? fields.slice(0, 6) : fields;
    await printEntry(invocation, withMeaning(shown), { ...entry, status: label, meaning });
    return exitCode.done;
  });
}

/** Which supply point: INTERFACE 1.5. */
interface SupplyPoint {
  readonly supplier: string;
  readonly identifier: string;
}

/** The process with the names of the supply point before it, in the wire's words. */
export function supplyPointJson(
  { supplier, identifier }: SupplyPoint,
  found: SupplyPointProcess,
): Record<string, unknown> {
  const { status, service_identifier, created_at, modified_at, latest_error } = found;
  return {
    import_supplier: supplier,
    external_identifier: identifier,
    status,
    service_identifier,
    created_at,
    modified_at,
    latest_error,
  };
}
