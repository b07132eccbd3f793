/** `--log` and SUPPLYLINE_LOG: what a log contains, and what is never in it. */
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fastClock } from "../helpers/clock.ts";
import { runCommand } from "../helpers/command.ts";
import { openConsole } from "../helpers/console.ts";
import { eventually } from "../helpers/eventually.ts";
import * as fc from "../helpers/fast-check.ts";
import { type Folders, openFolders } from "../helpers/folders.ts";
import { closedPort, completed, openProxy, openService, reply } from "../helpers/service.ts";

type Line = Readonly<Record<string, unknown>>;

const status = ["accounts", "status", "ACME", "EXT-1"];
const note = ["notes", "create", "ACME", "EXT-1", "--body", "hello", "--settle", "0s"];

async function desk() {
  const folders = await openFolders();
  return { folders, path: join(folders.home, "a.log") };
}

const linesOf = (path: string): readonly Line[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);

const ofKind = (path: string, kind: string) => linesOf(path).filter(({ event }) => event === kind);

test("a log has the course of a request, from the start of the program to its end", async () => {
  const { folders, path } = await desk();
  const service = await openService({ reads: [{ status: 200, body: completed }] });
  const { code } = await runCommand([...status, "--log", path], { env: service.env, folders });
  expect(code).toBe(0);
  const lines = linesOf(path);
  expect(lines[0]).toMatchObject({ event: "start", command: "accounts status", bodies: false });
  expect(lines.at(-1)).toMatchObject({ event: "end", exit_code: 0 });
  const asked = lines.find(({ url }) => String(url).includes("/ACME/EXT-1"));
  expect(asked).toMatchObject({ event: "request", method: "GET" });
  const course = lines.filter(({ id }) => id !== undefined && id === asked?.id);
  expect(course.map(({ event }) => event)).toEqual(["request", "sent", "answer", "answer-read"]);
  expect(lines.map(({ event }) => event)).toEqual(
    expect.arrayContaining(["profile", "connecting", "connected"]),
  );
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a change of the settings is in the log, with its file and without its content", async () => {
  const { folders, path } = await desk();
  const { code } = await runCommand(
    ["profiles", "add", "acme", "--base-url", "https://api.example.com", "--log", path],
    { folders, env: {} },
  );
  expect(code).toBe(0);
  const [written] = ofKind(path, "file-written");
  const file = join(folders.config, "profiles.json");
  expect(written).toMatchObject({ path: file, bytes: statSync(file).size });
  expect(readFileSync(path, "utf8")).not.toContain("api.example.com");
});

test("retries, pauses and failures are in the log", async () => {
  const { folders, path } = await desk();
  const service = await openService({
    reads: [
      { status: 503 },
      { status: 429, headers: { "retry-after": "2" } },
      { status: 200, body: completed },
    ],
  });
  const options = { env: service.env, folders, clock: fastClock() };
  await runCommand([...status, "--log", path], options);
  expect(ofKind(path, "retry")).toMatchObject([{ kind: "unavailable", n: 1 }]);
  expect(ofKind(path, "pause")).toMatchObject([{ ms: 2_000, is_too_many: true }]);
  expect(ofKind(path, "turn").length).toBeGreaterThan(0);
  const env = { ...service.env, SUPPLYLINE_BASE_URL: `http://127.0.0.1:${await closedPort()}` };
  const down = await runCommand([...status, "--log", path], { ...options, env });
  expect(ofKind(path, "connection-failed")[0]).toMatchObject({ code: "ECONNREFUSED" });
  expect(ofKind(path, "request-failed")[0]).toMatchObject({ kind: "unreachable", sent: false });
  expect(ofKind(path, "failure")).toMatchObject([{ kind: "unreachable" }]);
  expect(ofKind(path, "end").at(-1)).toMatchObject({ exit_code: down.code });
});

test("a write's commits are in the log", async () => {
  const { folders, path } = await desk();
  const created = [{ body: "hello", status: "NOTE_CREATION_SUCCESS" }];
  const service = await openService({ writes: [{ status: 201, body: created }] });
  await runCommand([...note, "--log", path], { env: service.env, folders });
  const commits = ofKind(path, "commit").filter(({ file }) => file === "journal.sqlite");
  expect(commits.length).toBeGreaterThan(2);
  expect(ofKind(path, "file-opened")).toContainEqual(
    expect.objectContaining({ file: "journal.sqlite", mode: "wal" }),
  );
});

test("SUPPLYLINE_LOG names a log, and --log overrides it", async () => {
  const { folders, path } = await desk();
  const other = join(folders.home, "other.log");
  const env = { SUPPLYLINE_LOG: other };
  await runCommand(["profiles", "list", "--log", path], { env, folders });
  expect([existsSync(path), existsSync(other)]).toEqual([true, false]);
  await runCommand(["profiles", "list"], { env, folders });
  expect(ofKind(other, "start")).toMatchObject([{ command: "profiles list" }]);
});

test("bodies are in the log only with SUPPLYLINE_LOG_BODIES=1", async () => {
  const { folders, path } = await desk();
  const created = [{ body: "hello", status: "NOTE_CREATION_SUCCESS" }];
  const service = await openService({ writes: [{ status: 201, body: created }] });
  await runCommand([...note, "--log", path], { env: service.env, folders });
  expect(readFileSync(path, "utf8")).not.toContain("hello");
  const env = { ...service.env, SUPPLYLINE_LOG_BODIES: "1" };
  const again = [...note.with(5, "hello again"), "--log", path];
  await runCommand(again, { env, folders });
  const [request, answer] = ofKind(path, "body");
  expect(request).toMatchObject({ of: "request", text: expect.stringContaining("hello again") });
  expect(answer).toMatchObject({ of: "answer", text: JSON.stringify(created) });
});

test("a log that cannot be used is refused with 2, and nothing is sent", async () => {
  const { folders } = await desk();
  const service = await openService({ reads: [{ status: 200, body: completed }] });
  const path = join(folders.home, "open.log");
  writeFileSync(path, "", { mode: 0o644 });
  for (const log of [path, join(folders.home, "no-folder", "a.log"), folders.home]) {
    const result = await runCommand([...status, "--log", log], { env: service.env, folders });
    expect(result).toMatchObject({ code: 2, stderr: expect.stringContaining(log) });
  }
  expect(service.received).toEqual([]);
});

test("the console logs its requests and its end", async () => {
  const { folders, path } = await desk();
  const console = await openConsole(["--sandbox", "--log", path], { folders });
  await eventually(() => existsSync(path) && ofKind(path, "answer").length > 0);
  console.send("q");
  await console.exit;
  const lines = linesOf(path);
  expect(lines[0]).toMatchObject({ event: "start", command: "console", columns: 80, rows: 24 });
  expect(lines.at(-1)).toMatchObject({ event: "end", exit_code: 0 });
});

/** Ways in which a secret reaches the program: each returns the environment and options of a run. */
const sources: Readonly<
  Record<string, (secret: string, desk: { folders: Folders; baseUrl: string }) => Promise<Env>>
> = {
  "an API key of the environment": async (secret, { baseUrl }) => ({
    SUPPLYLINE_BASE_URL: baseUrl,
    SUPPLYLINE_API_KEY: secret,
  }),
  "a token of the environment": async (secret, { baseUrl }) => ({
    SUPPLYLINE_BASE_URL: baseUrl,
    SUPPLYLINE_TOKEN: secret,
  }),
  "the output of a credential helper": async (secret, { folders, baseUrl }) => {
    const file = join(folders.home, "secret.json");
    writeFileSync(file, JSON.stringify({ ApiKey: secret }), { mode: 0o600 });
    await runCommand(["profiles", "remove", "p", "--yes"], { folders });
    const helper = ["--credential-helper", `cat ${file}`];
    await runCommand(["profiles", "add", "p", "--base-url", baseUrl, ...helper], { folders });
    return { SUPPLYLINE_PROFILE: "p" };
  },
  "a proxy's password": async (secret) => {
    const proxy = await openProxy((_request, client) =>
      client.end(`HTTP/1.1 403 Forbidden\r\nx-echo: ${secret}\r\n\r\n`),
    );
    return {
      SUPPLYLINE_BASE_URL: "https://service.example",
      SUPPLYLINE_API_KEY: "key-0123456789",
      HTTPS_PROXY: `http://user:${encodeURIComponent(secret)}@127.0.0.1:${proxy.port}`,
    };
  },
};

type Env = Record<string, string>;

/** Keys and tokens as services issue them. */
const secrets = fc.string({
  minLength: 12,
  maxLength: 40,
  unit: fc.constantFrom(..."ABCdefXYZ0189+/=_-.~!$&*"),
});

test.each(Object.keys(sources))("%s is never in the log, with every echo of it", async (source) => {
  const { folders } = await desk();
  const service = await openService(
    ({ path, headers, body }, response) => {
      const token = `${headers.authorization ?? "issued"}-${body.length}-token`;
      const echo = { ...completed, echo: headers, sent: body };
      if (!path.includes("/graphql/")) return reply(response, 200, echo);
      return reply(response, 200, { data: { obtainToken: { token } }, echo: body });
    },
    { ownTokens: true },
  );
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(secrets, async (secret) => {
      const log = join(folders.home, `${runs++}.log`);
      const made = sources[source]?.(secret, { folders, baseUrl: service.baseUrl });
      const env = { ...(await made), SUPPLYLINE_LOG: log, SUPPLYLINE_LOG_BODIES: "1" };
      for (const line of [status, note.with(5, `note ${secret.length}`)])
        await runCommand([...line, "--timeout", "20s"], { env, folders, clock: fastClock() });
      const text = readFileSync(log, "utf8");
      expect(text).toContain('"event":"request"');
      const encoded = Buffer.from(`user:${secret}`).toString("base64");
      for (const form of [secret, encodeURIComponent(secret), encoded])
        expect(text).not.toContain(form);
    }),
    { numRuns: 5 },
  );
});
