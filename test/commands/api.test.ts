import { runCommand } from "../helpers/command.ts";
import { openSandbox, openService, reply, type TestSandbox } from "../helpers/service.ts";

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ accounts: 20 });
});

const get = (path: string, ...words: string[]) =>
  runCommand(["api", "GET", path, ...words], { env: sandbox.env });

const status = "/v1/data-import/account-transfer-status/ACME/EXT-0000001/";

test("api GET prints the body of any read, with the login of the profile", async () => {
  const { code, stdout, stderr } = await get(status);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^\{\n {2}"status": "COMPLETED",\n/);
  const line = await get(status, "--format", "jsonl");
  expect(JSON.parse(line.stdout)).toEqual(JSON.parse(stdout));
  expect(line.stdout.split("\n")).toHaveLength(2);
  const list = await get("/v1/data-import/all-account-import-processes/ACME/");
  expect(JSON.parse(list.stdout)).toHaveLength(20);
});

test("numbers keep their digits, and --raw keeps the body", async () => {
  const body = '{"amount": 12345678901234567890.10 ,"text":"\\u202e"}';
  const service = await openService((_request, response) => response.end(body));
  const call = (...words: string[]) =>
    runCommand(["api", "GET", "/x?limit=5", ...words], { env: service.env });
  expect((await call()).stdout).toBe(
    '{\n  "amount": 12345678901234567890.10,\n  "text": "\\u202e"\n}\n',
  );
  expect((await call("--raw")).stdout).toBe(`${body}\n`);
  expect(service.asked()).toEqual(["/x?limit=5", "/x?limit=5"]);
});

test("a body that is no JSON is printed as it is, without the token", async () => {
  const service = await openService((request, response) =>
    response.end(`hello ${request.headers.authorization}\n`),
  );
  const { code, stdout } = await runCommand(["api", "GET", "/hello"], { env: service.env });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^hello Token /);
  expect(stdout).not.toContain("given-out");
});

test.each([
  [404, 5, "not-found"],
  [403, 3, "forbidden"],
  [400, 4, "rejected"],
])("a %i ends as that of every read: %i", async (httpStatus, code, kind) => {
  const service = await openService((_request, response) => reply(response, httpStatus, {}));
  const failed = await runCommand(["api", "GET", "/x", "--json"], { env: service.env });
  expect({ code: failed.code, stdout: failed.stdout }).toEqual({ code, stdout: "" });
  expect(JSON.parse(failed.stderr).error).toMatchObject({ kind, http_status: httpStatus });
});

test.each([
  ["https://elsewhere.example/v1/", "does not begin with /"],
  ["//elsewhere.example/v1/", "names another host"],
  ["/\\elsewhere.example/", "a backslash"],
  ["/v1/../../admin", ". or .. as a path segment"],
  ["/v1/%2E%2e/admin", ". or .. as a path segment"],
  ["/v1/#x", "a fragment"],
  ["/v1/ x", "a space"],
])("the path %s is refused before anything is sent", async (path, why) => {
  const service = await openService((_request, response) => reply(response, 200, {}));
  const { code, stdout, stderr } = await runCommand(["api", "GET", path], { env: service.env });
  expect({ code, stdout, asked: service.asked() }).toEqual({ code: 2, stdout: "", asked: [] });
  expect(stderr).toContain(why);
});

test("there is no method that writes", async () => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "get"]) {
    const { code, stderr } = await runCommand(["api", method, "/v1/"], { env: sandbox.env });
    expect(code, method).toBe(2);
    expect(stderr).toContain("Allowed: GET.");
  }
});
