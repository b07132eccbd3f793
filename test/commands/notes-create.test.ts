import { existsSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { programWords } from "../helpers/built-program.ts";
import { errorOf, note } from "../helpers/desk.ts";
import { programEnvironment } from "../helpers/folders.ts";
import { runProcess } from "../helpers/process.ts";
import { world } from "../helpers/world.ts";

test("a note is added, and its entry is printed", async () => {
  const { run, json, service } = await world();
  const { code, stdout, stderr } = await run(note("--body", "Meter read agreed"));
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^Confirmed: 1 note for EXT-0000001 of ACME, on ad-hoc \(test, 127\.0\.0\.1:\d+\); journal entry 1\.$/m,
  );
  expect(stdout).toMatch(/1 +created +NOTE_CREATION_SUCCESS +Meter read agreed/);
  expect(stderr).toContain("Recorded as journal entry 1");
  expect(service.ledger()).toMatchObject([
    { endpoint: "notes", identifier: "EXT-0000001", key: "Meter read agreed" },
  ]);
  expect(await json(["activity", "list"])).toMatchObject([
    {
      journal_id: 1,
      operation: "notes create",
      outcome: "confirmed",
      http_status: 201,
      attempts: 1,
    },
  ]);
});

test("with --json the service's body comes with the journal's number and the outcome", async () => {
  const { run } = await world();
  const { stdout, stderr } = await run(note("--body", "Ω", "--json"));
  expect(JSON.parse(stdout)).toEqual({
    journal_id: 1,
    outcome: "confirmed",
    response: [{ created_at: expect.any(String), body: "Ω", status: "NOTE_CREATION_SUCCESS" }],
  });
  expect(stderr).toBe("");
});

test("the same note again already exists, and a hint says how to add it anyway", async () => {
  const { run, service } = await world();
  await run(note("--body", "twice"));
  const second = await run(note("--body", "twice"));
  expect(second.code).toBe(0);
  expect(second.stdout).toMatch(/1 +already exists +NOTE_ALREADY_EXISTS/);
  expect(second.stdout).toContain("--created-at now");
  const third = await run(note("--body", "twice", "--created-at", "-1h"));
  expect(third.stdout).toMatch(/1 +created/);
  expect(service.ledger()).toHaveLength(2);
});

test("a dry run prints the exact request, sends nothing and records nothing", async () => {
  const { run, folders } = await world({ service: { writes: [{ status: 500 }] } });
  const words = note(
    "--body",
    "b",
    "--document",
    "a/b.pdf",
    "--pin",
    "--unpin-at",
    "2026-12-24 18:00",
  );
  const { code, stdout } = await run([...words, "--dry-run"]);
  expect(code).toBe(0);
  const [first, type, blank, body] = stdout.split("\n");
  expect([first, type, blank]).toEqual([
    expect.stringMatching(/^POST http:\/\/127\.0\.0\.1:\d+\/v1\/data-import\/notes\/create\/$/),
    "Content-Type: application/json",
    "",
  ]);
  expect(body).toBe(
    '{"import_supplier":"ACME","external_account_number":"EXT-0000001","notes":[{"body":"b","document_paths":[{"document_path":"a/b.pdf"}],"is_pinned":true,"unpin_at":"2026-12-24T18:00:00Z"}]}',
  );
  expect(existsSync(folders.state)).toBe(false);
});

test("notes come from a file, from the whole body and from standard input", async () => {
  const { run, file, service } = await world();
  await file("array.json", [{ body: "one" }, { body: "two", is_pinned: true }]);
  await file("whole.json", {
    import_supplier: "ACME",
    external_account_number: "EXT-0000001",
    notes: [{ body: "three" }],
  });
  expect((await run(note("--from", "array.json"))).code).toBe(0);
  expect((await run(note("--from", "whole.json"))).code).toBe(0);
  const piped = await run(note("--from", "-"), { input: '[{"body": "four"}]' });
  expect(piped.code).toBe(0);
  expect(service.ledger().map(({ key }) => key)).toEqual(["one", "two", "three", "four"]);
});

test("the bytes on the wire are those of the dry run, and only of documented fields", async () => {
  const { run, service } = await world({
    service: {
      writes: [
        {
          status: 201,
          body: [{ status: "NOTE_CREATION_SUCCESS", body: "b", created_at: "x" }],
        },
      ],
    },
  });
  const dry = await run(note("--body", "b", "--dry-run"));
  expect((await run(note("--body", "b"))).code).toBe(0);
  expect(dry.stdout).toContain(`\n${service.writes()[0]?.body}\n`);
});

test("a staged account is refused with 404: 5, with the reason in words", async () => {
  const { run, json, service } = await world();
  const staged = ["notes", "create", "ACME", "EXT-0000004", "--body", "b"];
  const { code, stderr, stdout } = await run(staged);
  expect({ code, stdout }).toEqual({ code: 5, stdout: "" });
  expect(stderr).toMatch(/no imported account EXT-0000004 \(404\).*staged.*accounts status ACME/);
  expect(stderr).toContain("journal entry 1");
  const again = await run([...staged, "--json"]);
  expect(errorOf(again)).toMatchObject({ kind: "not-found", http_status: 404, journal_id: 2 });
  expect(service.ledger()).toEqual([]);
  expect(await json(["activity", "list"])).toMatchObject([
    { outcome: "rejected" },
    { outcome: "rejected" },
  ]);
});

test("an imported account of a paused supplier takes notes", async () => {
  const { run } = await world();
  const words = ["notes", "create", "PAUSED", "PAUSED-0000001", "--body", "b"];
  expect((await run(words)).code).toBe(0);
});

test.each([
  [401, 3],
  [403, 3],
  [400, 4],
  [404, 5],
])("a service that answers %i ends the command with %i", async (status, expected) => {
  const { run } = await world({
    service: { writes: [{ status, body: { detail: "no", code: "nope" } }] },
  });
  const result = await run(note("--body", "b", "--json"));
  expect(result.code).toBe(expected);
  expect(errorOf(result)).toMatchObject({ http_status: status, journal_id: 1 });
});

test("an error of a field is reported at its line in the file", async () => {
  const { run, file } = await world({
    service: {
      writes: [
        {
          status: 400,
          body: {
            detail: "failed",
            code: "account_failed_validation",
            errors: [{ detail: "Too long.", code: "max_length", attr: "notes.1.body" }],
          },
        },
      ],
    },
  });
  await file("notes.json", '[\n  {"body": "a"},\n  {"body": "b"}\n]');
  const { code, stderr } = await run(note("--from", "notes.json"));
  expect(code).toBe(4);
  expect(stderr).toMatch(/^ {2}notes\.json:3:\d+: notes\.1\.body: Too long\. \(max_length\)$/m);
});

test("a connection reset after the effect ends as confirmed, with one effect", async () => {
  const { run, json, service } = await world({ service: { faults: ["reset-after@notesx1"] } });
  const { code, stdout, stderr } = await run(note("--body", "once", "--settle", "0s"));
  expect(code).toBe(0);
  expect(stdout).toMatch(/already exists.*once/);
  expect(stdout).toContain("perhaps from an earlier attempt of this entry");
  expect(stderr).toMatch(/Attempt 1:.*\n.*Waiting.*\n.*Attempt 2: sending the same bytes again/);
  expect(service.ledger()).toHaveLength(1);
  const detail = await json(["activity", "show", "1"]);
  expect(detail).toMatchObject({ outcome: "confirmed", attempts: [{ n: 1 }, { n: 2 }] });
});

test("--quiet hides the progress and never the outcome", async () => {
  const { run } = await world({ service: { faults: ["reset-after@notesx1"] } });
  const { stdout, stderr } = await run(note("--body", "b", "--settle", "0s", "--quiet"));
  expect(stdout).toContain("Confirmed");
  expect(stderr).toBe("");
});

test("a service that cannot be reached: 6, and it is said that nothing was sent", async () => {
  const { run } = await world({ service: { writes: [] } });
  const env = { SUPPLYLINE_BASE_URL: "http://127.0.0.1:9" };
  const result = await run(note("--body", "b", "--settle", "0s", "--json"), { env });
  expect(result.code).toBe(6);
  expect(errorOf(result)).toMatchObject({ kind: "unreachable", journal_id: 1 });
  expect(errorOf(result).message).toMatch(/^It was not sent/);
});

test("a note with documents alone is not sent again: its outcome is unknown, 7", async () => {
  const { run, json, service } = await world({ service: { writes: ["reset"] } });
  const result = await run(note("--document", "a.pdf", "--settle", "0s"));
  expect(result.code).toBe(7);
  expect(result.stdout).toBe("");
  expect(result.stderr).toMatch(
    /The outcome is unknown\. .*might have taken effect\. Journal entry 1/,
  );
  expect(service.writes()).toHaveLength(1);
  const later = await run(note("--document", "b.pdf", "--settle", "0s"));
  expect(later.stderr).toMatch(/^supplyline: 1 earlier entry ended with an unknown outcome/);
  expect(await json(["activity", "list", "--outcome", "unknown"])).toHaveLength(2);
});

test("Ctrl-C while it is being sent: 7, and the outcome is reported and recorded", async () => {
  const { start, json, service } = await world({ service: { writes: ["hang"] } });
  const arrived = Promise.withResolvers<void>();
  service.onRequest = () => arrived.resolve();
  const cli = await start(note("--body", "b"));
  await arrived.promise;
  cli.kill("SIGINT");
  const result = await cli.result;
  expect(result.code).toBe(7);
  expect(result.stderr).toMatch(/outcome is unknown\. It was interrupted after it was sent/);
  expect(result.stderr).toContain("activity verify 1");
  expect(await json(["activity", "list"])).toMatchObject([{ outcome: "unknown" }]);
});

test.each<[string[], RegExp]>([
  [[], /Notes create needs a note.*--body.*--from/],
  [["--body", "b", "--from", "x.json"], /--from and --body exclude each other/],
  [["--pin"], /notes\.0\.body: One of these is needed: body, document_paths/],
  [["--body", "b", "--created-at", "soon"], /--created-at: notes\.0\.created_at: Write a time/],
  [
    ["--document", "../x"],
    /--document: notes\.0\.document_paths\.0\.document_path: .*no \.\. in it/,
  ],
  [["--from", "missing.json"], /Cannot read missing\.json: there is no such file/],
  [["--body", "b", "--settle", "soon"], /--settle.*0s, 10s or 1m/],
])("%j ends with 2, says what is wrong, and nothing is sent", async (words, expected) => {
  const { run, service } = await world({ service: { writes: [{ status: 201 }] } });
  const { code, stdout, stderr } = await run(note(...words));
  expect(stderr.replaceAll("\n", " ")).toMatch(expected);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(service.received).toEqual([]);
});

test("a journal that others can read is refused before anything is sent: 2", async () => {
  const { run, folders, service } = await world({ service: { writes: [{ status: 500 }] } });
  await mkdir(folders.state, { recursive: true });
  await chmod(folders.state, 0o755);
  const result = await run(note("--body", "b", "--json"));
  expect(result.code).toBe(2);
  expect(errorOf(result)).toMatchObject({ kind: "journal-exposed" });
  expect(errorOf(result).message).toMatch(/Nothing was sent\. To fix it: chmod/);
  expect(service.received).toEqual([]);
});

test("a state folder that cannot be used: the write is refused before it is sent", async () => {
  const { run, file, folders, service } = await world({ service: { writes: [{ status: 500 }] } });
  await file("taken", "not a folder");
  const env = { SUPPLYLINE_STATE_DIR: join(folders.home, "taken") };
  const { code, stderr } = await run(note("--body", "b"), { env });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^supplyline: .*Nothing was sent/);
  expect(service.received).toEqual([]);
});

test("control characters from the service never reach the terminal", async () => {
  const { run } = await world({
    service: {
      writes: [
        {
          status: 400,
          body: {
            errors: [{ detail: "\u001b]52;c;x\u0007\u202e", code: "c\u001b[2J", attr: "notes.0" }],
          },
        },
      ],
    },
  });
  const { code, stderr } = await run(note("--body", "b"));
  expect(code).toBe(4);
  expect(stderr).not.toMatch(/[\u001b\u0007\u202e]/);
});

test("--json prints a warning as an object after the confirmed items", async () => {
  const { run } = await world();
  const words = note("--body", "b", "--unpin-at", "2026-12-24T18:00:00Z", "--json");
  const sent = await run(words);
  expect(JSON.parse(sent.stdout)).toMatchObject({ outcome: "confirmed" });
  expect(JSON.parse(sent.stderr)).toEqual({
    warning: { message: expect.stringContaining("notes.0.unpin_at: The note is not pinned") },
  });
  const dry = await run([...words, "--dry-run"]);
  expect(JSON.parse(dry.stderr).warning.message).toContain("The note is not pinned");
  expect((await run([...words, "--quiet"])).stderr).toBe("");
});

test("with --json an error stands alone, whatever was odd about the note", async () => {
  const { run } = await world({ service: { writes: [{ status: 400 }] } });
  const sent = await run(note("--body", "b", "--unpin-at", "2026-12-24T18:00:00Z", "--json"));
  expect(errorOf(sent)).toMatchObject({ http_status: 400 });
});

test("with --json a full disk below the output is one error object, which names the confirmed entry", async () => {
  const { env, folders, service } = await world();
  const words = [...note("--body", "landed"), "--json"];
  const { stderr } = await runProcess(
    ["/bin/sh", "-c", 'exec "$0" "$@" > /dev/full', ...programWords(), ...words],
    { env: programEnvironment(folders, env) },
  );
  expect(JSON.parse(stderr)).toEqual({
    error: {
      kind: "output",
      message: expect.stringMatching(
        /^The results cannot be written: there is no space left on the disk\. The entry is confirmed all the same: 1 in the journal\.$/,
      ),
    },
  });
  expect(service.ledger()).toHaveLength(1);
});

test("a reader that has closed the pipe does not hide the outcome", async () => {
  const { spawn, service } = await world();
  const cli = await spawn([...note("--body", "landed"), "--json"]);
  cli.closeReader("stdout");
  const { stderr } = await cli.result;
  expect(stderr).toContain("The write is confirmed, as journal entry 1.");
  expect(service.ledger()).toHaveLength(1);
});
