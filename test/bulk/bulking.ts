/** Contexts, requests and sandboxes for tests of bulk runs. */
import { supplyPointPayload } from "../../faults/supply-point-payload.ts";
import { createService } from "../../src/api/client.ts";
import { type Clock, systemClock } from "../../src/api/clock.ts";
import { serviceKey } from "../../src/api/url.ts";
import type { PlannedRequest } from "../../src/bulk/input/planner.ts";
import { recordRequests } from "../../src/bulk/record.ts";
import { type RunOptions, runBulk } from "../../src/bulk/run.ts";
import { createRun } from "../../src/bulk/runs.ts";
import type { FormKind } from "../../src/forms/forms.ts";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { memoryCredentials } from "../../src/settings/credentials.ts";
import { createSecrets } from "../../src/settings/secrets.ts";
import { openWrites, type Writes } from "../../src/writes/open-writes.ts";
import type { ProcessLife } from "../../src/writes/owner.ts";
import type { WriteContext } from "../../src/writes/send/events.ts";
import { openSandbox, type TestSandbox } from "../helpers/service.ts";
import { transaction } from "../writes/writing.ts";

export interface OpenedBulk {
  readonly context: WriteContext;
  close(): Promise<void>;
}

export interface BulkOptions {
  readonly folder: string;
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly clock?: Clock | undefined;
  readonly process?: ProcessLife | undefined;
}

/** Opens a journal and a service as the program does. */
export async function openBulk(options: BulkOptions): Promise<OpenedBulk> {
  const { folder, baseUrl, apiKey = "none", clock = systemClock } = options;
  const service = createService({
    baseUrl,
    credentials: memoryCredentials(createSecrets({ apiKey })),
    authForm: "token",
    clock,
  });
  const writes: Writes = await openWrites({
    folder,
    service: {
      ...service,
      supplyPoints: {
        status: (supplier, identifier, limits) =>
          service.supplyPoints.status(supplier, identifier, { ...limits, retries: 0 }),
      },
    },
    profile: { name: "test" },
    pid: process.pid,
    clock,
    random: () => 0.5,
  });
  const own = options.process ? { process: options.process } : {};
  const context = { ...writes.context, ...own };
  return {
    context,
    close: async () => {
      await writes.close();
      await service.close();
    },
  };
}

/** The same, closed with the test. */
export async function bulkFor(options: BulkOptions): Promise<WriteContext> {
  const opened = await openBulk(options);
  onTestFinished(() => opened.close());
  return opened.context;
}

export async function sandboxWith(
  faults: readonly string[] = [],
  options: SandboxOptions = {},
): Promise<TestSandbox> {
  const sandbox = await openSandbox({ faults, ...options });
  return sandbox;
}

/** Accounts of the sandbox that are imported for certain. */
export const accounts = [
  "EXT-0000001",
  "EXT 0000010",
  "EXT/0000011",
  "EXT%0000012",
  "EXT-Ωé-0000013",
  "EXT-日本-0000014",
  "EXT#?&+=0000015",
  "EXT%2F0000016",
] as const;

export function accountOf(n: number): string {
  return accounts[n % accounts.length] ?? accounts[0];
}

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

export function target(account: string) {
  return { kind: "account", importSupplier: "ACME", externalAccountNumber: account } as const;
}

export function noteRequest(
  line: number,
  body = `note ${line}`,
  account = accountOf(line),
): PlannedRequest {
  return {
    lines: [line],
    target: target(account),
    write: {
      operation: "notes create",
      body: bytes({
        import_supplier: "ACME",
        external_account_number: account,
        notes: [{ body }],
      }),
    },
  };
}

export function noteRequests(count: number, first = 2): PlannedRequest[] {
  return Array.from({ length: count }, (_, n) => noteRequest(first + n));
}

export function accountRequest(
  operation: "transactions create" | "statements create",
  lines: readonly number[],
  items: readonly unknown[],
  account = accountOf(lines[0] ?? 0),
): PlannedRequest {
  const field = operation === "transactions create" ? "transactions" : "statements";
  const body = { import_supplier: "ACME", external_account_number: account, [field]: items };
  return { lines, target: target(account), write: { operation, body: bytes(body) } };
}

export function instructionRequest(
  line: number,
  vendor = "GOODPAY",
  account = accountOf(line),
  reference = `R-${line}`,
): PlannedRequest {
  const body = {
    import_supplier: "ACME",
    external_account_number: account,
    vendor,
    reference,
    type: "CARD",
  };
  return {
    lines: [line],
    target: target(account),
    write: { operation: "payment-instructions create", body: bytes(body) },
  };
}

export function supplyPointRequest(line: number, identifier: string): PlannedRequest {
  const payload = supplyPointPayload(identifier, "ACME");
  return {
    lines: [line],
    target: { kind: "supply-point", importSupplier: "ACME", externalIdentifier: identifier },
    write: { operation: "supply-points create", body: bytes({ payload }) },
  };
}

/** Adds a run of a kind that this version does not know, and returns its id. */
export async function addUnknownRun({ journal }: WriteContext, baseUrl: string) {
  const id = "rstatus";
  const at = Date.now();
  await journal.commit((rows) => {
    rows.insert("run", {
      id,
      kind: "status",
      profile: "test",
      base_url: baseUrl,
      service: serviceKey(baseUrl),
      source: "/accounts.csv",
      sha256: "",
      results: null,
      reading: "{}",
      row_count: 1,
      request_count: 1,
      recorded: 1,
      created_at: at,
      renewed_at: at,
      state: "stopped",
      stopped_by: "stopped",
      stopped_because: "it was stopped on request",
    });
    const names = { import_supplier: "ACME", external_account_number: "EXT-0000001" };
    const read = { outcome: "waiting", status: "COMPLETED", http_status: 200, detail: "A-1" };
    rows.insert("run_row", { run: id, line: 2, ...names, ...read });
  });
  return id;
}

export async function* streamed<T>(values: Iterable<T>): AsyncGenerator<T, void, void> {
  yield* values;
}

export const never = new AbortController().signal;

/** A run with all of its rows on record. */
export async function recordedRun(
  context: WriteContext,
  kind: FormKind,
  requests: readonly PlannedRequest[],
  { reading = {} }: { readonly reading?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const rows = requests.reduce((sum, { lines }) => sum + lines.length, 0);
  const run = await createRun(context, {
    kind,
    source: "-",
    sha256: "",
    results: null,
    reading,
    rows,
    requests: requests.length,
  });
  await recordRequests(context, run, streamed(requests), { signal: never });
  return run;
}

export function carryOut(context: WriteContext, run: string, options: Partial<RunOptions> = {}) {
  return runBulk(context, run, { signal: never, stop: never, settleMs: 0, ...options });
}

export type RowsKind = "notes" | "transactions" | "payment-instructions" | "supply-points";

/** `count` rows of a kind; the sandbox's ledger identifies the effect of each by its key. */
export function* plannedRows(kind: RowsKind, count: number): Generator<PlannedRequest, void, void> {
  for (let line = 2; line < count + 2; line++) yield plannedRow(kind, line);
}

function plannedRow(kind: RowsKind, line: number): PlannedRequest {
  switch (kind) {
    case "notes":
      return noteRequest(line, effectOf(kind, line));
    case "transactions": {
      const id = effectOf(kind, line);
      const today = new Date().toISOString().slice(0, 10);
      return accountRequest(
        "transactions create",
        [line],
        [transaction(id, { transaction_date: today })],
      );
    }
    case "payment-instructions":
      return instructionRequest(line, "GOODPAY", accountOf(line), `row ${line}`);
    case "supply-points":
      return supplyPointRequest(line, effectOf(kind, line));
  }
}

/** The key of a line's row in the ledger; unique. */
export function effectOf(kind: RowsKind, line: number): string {
  if (kind === "supply-points") return `SP-ROW-${line}`;
  return kind === "payment-instructions" ? `GOODPAY/row ${line}` : `row ${line}`;
}
