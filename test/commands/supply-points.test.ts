import { runCommand } from "../helpers/command.ts";
import { openSandbox, openService, type TestSandbox } from "../helpers/service.ts";

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});

const status = (identifier: string, ...words: string[]) =>
  runCommand(["supply-points", "status", "ACME", identifier, ...words], { env: sandbox.env });

test.each([
  "IN-PROGRESS",
  "PENDING",
  "CANCELLED",
  "DRY-RUN-SUCCEEDED",
  "PROCESSED",
  "ERRORED",
  "DRY-RUN-ERRORED",
])("the state of SP-%s is printed as the process with its names", async (name) => {
  const { code, stdout } = await status(`SP-${name}`, "--json");
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    import_supplier: "ACME",
    external_identifier: `SP-${name}`,
    status: name.replaceAll("-", "_"),
    service_identifier: name === "PROCESSED" ? expect.any(String) : null,
    created_at: expect.any(String),
    modified_at: expect.any(String),
    latest_error: name.endsWith("ERRORED")
      ? { code: expect.any(String), detail: expect.any(String), domain: expect.any(String) }
      : null,
  });
});

test("for people the latest error is spelt out, and only where there is one", async () => {
  expect((await status("SP-ERRORED")).stdout).toMatch(/^Latest error +\w+$/m);
  expect((await status("SP-PROCESSED")).stdout).not.toContain("error");
});

test("as CSV it is one row", async () => {
  const [head, row, rest] = (await status("SP/100% Ω", "--format", "csv")).stdout.split("\n");
  expect(head).toMatch(/^import_supplier,external_identifier,status,service_identifier,/);
  expect(row).toMatch(/^ACME,SP\/100% Ω,PROCESSED,/);
  expect(rest).toBe("");
});

test("one that was never sent is not found: 5", async () => {
  const { code, stderr } = await status("SP-NONE", "--json");
  expect(code).toBe(5);
  expect(JSON.parse(stderr).error).toMatchObject({
    kind: "not-found",
    http_status: 404,
    code: "not_found",
  });
});

test("what is of another type than documented is said, and not bent or hidden", async () => {
  const service = await openService((_request, response) => {
    response.setHeader("Content-Type", "application/json");
    response.end(
      `{"status":"ERRORED","service_identifier":12345678901234567890,"created_at":1700000000,
        "modified_at":null,"latest_error":"no such meter"}`,
    );
  });
  const words = ["supply-points", "status", "ACME", "SP-1", "--json"];
  expect(JSON.parse((await runCommand(words, service)).stdout)).toMatchObject({
    service_identifier: "12345678901234567890",
    created_at: "1700000000",
    modified_at: null,
    latest_error: { code: "", detail: "no such meter", domain: "" },
  });
});
