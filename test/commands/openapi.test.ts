/** The OpenAPI document against the client's requests and the sandbox's answers, both as they are sent. */
import { mkdir, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { openApi } from "../../src/commands/schema/openapi.ts";
import { formKinds } from "../../src/forms/forms.ts";
import { runCommand } from "../helpers/command.ts";
import { openFolders } from "../helpers/folders.ts";
import { samples } from "../helpers/kinds.ts";
import {
  openSandbox,
  openService,
  type Received,
  reply,
  type TestSandbox,
  type TestService,
} from "../helpers/service.ts";

type Json = Readonly<Record<string, unknown>>;

interface Operation {
  readonly operationId: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Content {
  readonly content?: { readonly "application/json": { readonly schema: Json } };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

const document = JSON.parse(JSON.stringify(openApi("0.0.0"))) as Document;

/** A schema with what it refers to in its place; the document has no circles. */
function resolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolved);
  if (typeof value !== "object" || value === null) return value;
  if ("$ref" in value && typeof value.$ref === "string") {
    const found = document.components.schemas[value.$ref.replace("#/components/schemas/", "")];
    if (found === undefined) throw new Error(`${value.$ref} leads nowhere`);
    return resolved(found);
  }
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolved(one)]));
}

const operations = Object.entries(document.paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    template,
    pattern: new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`),
    operation,
  })),
);

function operationOf(method: string, path: string): Operation | null {
  const found = operations.filter((one) => one.method === method && one.pattern.test(path));
  expect(found.length, `${method} ${path} is one operation`).toBeLessThanOrEqual(1);
  return found[0]?.operation ?? null;
}

/** What does not fit a schema, in words; null where it fits. */
function misfit(content: Content | undefined, text: string): string | null {
  const schema = content?.content?.["application/json"].schema;
  if (schema === undefined) return text === "" ? null : "a body that the document does not have";
  const checked = z.fromJSONSchema(resolved(schema) as never).safeParse(JSON.parse(text));
  return checked.success ? null : `${checked.error.message}\n${text.slice(0, 400)}`;
}

/** What was seen on the way between the program and a sandbox. */
const seen = new Set<string>();
const problems: string[] = [];
let sandbox: TestSandbox;
let service: TestService;

async function forward(request: Received, response: ServerResponse): Promise<void> {
  const { authorization = "" } = request.headers;
  const answer = await fetch(`${sandbox.baseUrl}${request.path}`, {
    method: request.method,
    headers: { authorization, "content-type": "application/json" },
    ...(request.method === "POST" ? { body: request.body } : {}),
  });
  const received = await answer.text();
  check(request, { status: answer.status, received });
  reply(response, answer.status, received);
}

/** Notes what of a request and its answer is not as the document says. */
function check(
  { method, path, headers, body }: Received,
  { status, received }: { readonly status: number; readonly received: string },
): void {
  const { pathname, searchParams } = new URL(path, "http://localhost");
  const problem = (what: string) => problems.push(`${method} ${pathname} (${status}): ${what}`);
  const operation = operationOf(method, pathname);
  if (operation === null) return void problem("not in the document");
  seen.add(`${operation.operationId} ${status}`);
  const known = (operation.parameters ?? []).filter((one) => one.in === "query");
  for (const name of searchParams.keys())
    if (!known.some((one) => one.name === name)) problem(`query ${name}`);
  if (operation.security === undefined && !headers.authorization) problem("without a token");
  const outward = misfitOf(operation.requestBody, body);
  if (outward !== null) problem(`sends ${outward}`);
  const content = operation.responses[String(status)];
  if (content === undefined) problem("a status that the document does not have");
  // The body of a 404 is open, and need not be JSON.
  const inward = status === 404 ? null : misfit(content, received);
  if (inward !== null) problem(`answers ${inward}`);
}

function misfitOf(content: Content | undefined, text: string): string | null {
  return content === undefined && text === "" ? null : misfit(content, text);
}

beforeAll(async () => {
  sandbox = await openSandbox({ accounts: 20 });
  service = await openService(
    (request, response) =>
      forward(request, response).catch((error: unknown) => {
        problems.push(String(error));
        response.destroy();
      }),
    { ownTokens: true, shared: true },
  );
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

describe("the OpenAPI document", () => {
  test("is what schema openapi prints", async () => {
    const { code, stdout } = await runCommand(["schema", "openapi"]);
    expect(code).toBe(0);
    const printed = JSON.parse(stdout);
    expect(printed.openapi).toMatch(/^3\.1\.\d+$/);
    expect(printed.paths).toEqual(document.paths);
  });

  test("has every endpoint and the token call, each with a name and declared parameters", () => {
    // The writes, the validation, two statuses, three lists, and the token.
    expect(operations).toHaveLength(formKinds.length + 7);
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { template, operation, method } of operations) {
      const inPath = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = (operation.parameters ?? []).filter((one) => one.in === "path");
      expect(
        declared.map(({ name }) => name),
        template,
      ).toEqual(inPath);
      expect(operation.requestBody === undefined, template).toBe(method === "GET");
      expect(Object.keys(operation.responses).some((status) => status.startsWith("2"))).toBe(true);
    }
  });

  test("refers to schemas that exist, and uses every one of them", () => {
    const text = JSON.stringify(document.paths);
    expect(() => resolved(document.paths)).not.toThrow();
    for (const name of Object.keys(document.components.schemas))
      expect(text, name).toContain(`#/components/schemas/${name}"`);
  });

  test("refuses an undocumented field of a body, and lets one of an answer pass", () => {
    const notes = document.paths["/v1/data-import/notes/create/"]?.post;
    const body = { import_supplier: "A", external_account_number: "1", notes: [{ body: "x" }] };
    expect(misfit(notes?.requestBody, JSON.stringify(body))).toBeNull();
    expect(misfit(notes?.requestBody, JSON.stringify({ ...body, extra: 1 }))).toContain("extra");
    expect(misfit(notes?.requestBody, '{"notes":[]}')).not.toBeNull();
    const result = [{ status: "NOTE_CREATION_SUCCESS", body: "x", created_at: null, extra: 1 }];
    expect(misfit(notes?.responses["201"], JSON.stringify(result))).toBeNull();
    expect(misfit(notes?.responses["201"], '[{"body":"x"}]')).not.toBeNull();
  });
});

test("every request of the program and every answer of the sandbox fit the document", async () => {
  await using folders = await openFolders();
  const env = { SUPPLYLINE_BASE_URL: service.baseUrl, SUPPLYLINE_API_KEY: sandbox.apiKey };
  const example = (name: string) => join(import.meta.dirname, "../../examples", name);
  const account = ["ACME", "EXT-0000001"];
  const calls: readonly (readonly [code: number, ...words: string[]])[] = [
    [0, "accounts", "list", "ACME"],
    [0, "accounts", "list", "ACME", "--state", "pending"],
    [0, "accounts", "list", "ACME", "--state", "imported"],
    [5, "accounts", "list", "NOBODY"],
    [0, "accounts", "status", ...account],
    [5, "accounts", "status", "ACME", "NOPE"],
    [0, "supply-points", "status", "ACME", "SP-ERRORED"],
    [5, "supply-points", "status", "ACME", "SP-NONE"],
    [0, "supply-points", "validate", example("supply-point.json")],
    [0, "supply-points", "create", example("supply-point.json")],
    [0, "notes", "create", ...account, "--from", example("notes.json")],
    [5, "notes", "create", "ACME", "NOPE", "--body", "x"],
    [0, "transactions", "create", ...account, "--from", example("transactions.json")],
    [0, "statements", "create", ...account, "--from", example("statements.json")],
    [
      4,
      ...["payment-instructions", "create", ...account],
      ...["--vendor", "NOSUCHPAY", "--reference", "R-1", "--type", "CARD"],
    ],
  ];
  await mkdir(folders.home, { recursive: true });
  const creations = formKinds.map(async (kind) => {
    const { writes, command } = samples[kind];
    const file = join(folders.home, `${kind}.json`);
    await writeFile(file, JSON.stringify(writes[0]?.body));
    return [0, kind, "create", ...command.map((word) => (word === "FILE" ? file : word))] as const;
  });
  for (const [code, ...words] of [...calls, ...(await Promise.all(creations))]) {
    const done = await runCommand(words, { env, folders });
    expect(done.code, `${words.join(" ")}: ${done.stderr}`).toBe(code);
  }
  expect(problems).toEqual([]);
  const reached = new Set([...seen].map((one) => one.split(" ")[0]));
  expect([...reached].sort()).toEqual(
    operations.map(({ operation }) => operation.operationId).sort(),
  );
});
