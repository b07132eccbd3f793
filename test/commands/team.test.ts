/** The commands of a team while its database answers in every wrong way. */
import { readdir } from "node:fs/promises";
import { runCommand, startCommand } from "../helpers/command.ts";
import { errorOf as errorIn, note, notesCsv, runIn } from "../helpers/desk.ts";
import { openSocketService } from "../helpers/service.ts";
import { world } from "../helpers/world.ts";

const service = { SUPPLYLINE_BASE_URL: "http://127.0.0.1:1", SUPPLYLINE_TOKEN: "t" };

/** Returns a message of PostgreSQL's protocol: its type, its length and its content. */
function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), length, content]);
}

/** The message of an error with an SQLSTATE. */
const errorOf = (code: string) =>
  message("E", Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mtext of the database\0\0`));

const whole = (n: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(n);
  return bytes;
};
const asksForPassword = message("R", whole(3));

/** Runs `team status` with a database that answers each connection with these bytes. */
async function status(answer: Buffer | "cut" | null, extra: Record<string, string> = {}) {
  const { port } = await openSocketService((socket) => {
    if (answer === "cut") socket.destroy();
    else if (answer !== null) socket.write(answer);
  });
  const env = {
    ...service,
    SUPPLYLINE_TEAM: `postgresql://op1@127.0.0.1:${port}/ledger`,
    ...extra,
  };
  const { code, stdout, stderr } = await runCommand(
    ["team", "status", "--json", "--timeout", "300ms"],
    { env },
  );
  expect(stdout).toBe("");
  return { code, ...(JSON.parse(stderr) as { error: { kind: string; message: string } }).error };
}

test.each([
  ["28P01", 3, "team-credentials"],
  ["28000", 3, "team-credentials"],
  ["3D000", 2, "team-not-set-up"],
  ["42501", 2, "team-not-set-up"],
  ["3F000", 2, "team-not-set-up"],
  ["53300", 6, "team-unavailable"],
  ["57P03", 6, "team-unavailable"],
  ["25006", 6, "team-unavailable"],
  ["XX000", 6, "team-unavailable"],
])(
  "a database that refuses with %s ends with %i and %s, without its text",
  async (state, exit, kind) => {
    const { message: words, ...rest } = await status(errorOf(state));
    expect(rest).toMatchObject({ code: exit, kind });
    expect(words).not.toContain("text of the database");
  },
);

test.each([
  ["does not answer", null],
  ["ends the connection", "cut"],
  ["is no database", Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n")],
] as const)("a server that %s ends with 6", async (_, answer) => {
  expect(await status(answer)).toMatchObject({ code: 6, kind: "team-unavailable" });
});

test("a database that is not there ends with 6, and its message has the host and the cause", async () => {
  const env = { ...service, SUPPLYLINE_TEAM: "postgresql://127.0.0.1:1/ledger" };
  const { code, stderr } = await runCommand(["team", "status"], { env });
  expect(code).toBe(6);
  expect(stderr).toMatch(/127\.0\.0\.1 .*ECONNREFUSED/);
});

test("a server without TLS gets no login if the address asks for TLS", async () => {
  const seen: string[] = [];
  const { port } = await openSocketService((socket, bytes) => {
    seen.push(bytes);
    socket.write("N");
    socket.on("data", (more) => seen.push(String(more)));
  });
  const team = `postgresql://op1@127.0.0.1:${port}/ledger?sslmode=verify-full`;
  const env = { ...service, SUPPLYLINE_TEAM: team, PGPASSWORD: "s3cret" };
  const { code, stderr } = await runCommand(["team", "status"], { env });
  expect(code).toBe(6);
  expect(stderr).toMatch(/TLS/);
  expect(seen.join("")).not.toMatch(/op1|s3cret/);
});

test("a password that is missing ends with 3, and names its sources", async () => {
  const { message: words, ...rest } = await status(asksForPassword);
  expect(rest).toMatchObject({ code: 3, kind: "team-credentials" });
  expect(words).toMatch(/PGPASSFILE/);
});

test("the variables of the driver change nothing", async () => {
  const seen: string[] = [];
  const { port } = await openSocketService((socket, bytes) => {
    seen.push(bytes);
    socket.end(errorOf("28P01"));
  });
  const env = { ...service, SUPPLYLINE_TEAM: `postgresql://op1@127.0.0.1:${port}/ledger` };
  const variables = { PGOPTIONS: "-csynchronous_commit=off", PGUSER: "x1", PGDATABASE: "x2" };
  Object.assign(process.env, variables);
  try {
    await runCommand(["team", "status"], { env });
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name];
  }
  expect(seen).toHaveLength(1);
  expect(seen[0]).toContain("op1");
  expect(seen[0]).not.toMatch(/synchronous_commit|x1|x2/);
});

test("Ctrl-C ends a command that waits for the database with 130", async () => {
  const connected = Promise.withResolvers<void>();
  const { port } = await openSocketService(() => connected.resolve());
  const env = { ...service, SUPPLYLINE_TEAM: `postgresql://op1@127.0.0.1:${port}/ledger` };
  const command = await startCommand(["team", "status"], { env });
  await connected.promise;
  command.kill("SIGINT");
  expect((await command.result).code).toBe(130);
});

test("without a team, the commands end with 2 and name the setting", async () => {
  for (const verb of ["status", "init"]) {
    const { code, stderr } = await runCommand(["team", verb], { env: service });
    expect(code).toBe(2);
    expect(stderr).toContain("--team URL");
  }
});

test("an address with a password is refused in the environment and in a profile, unquoted", async () => {
  const team = "postgresql://op1:s3cret@127.0.0.1/ledger";
  const adHoc = await runCommand(["team", "status"], {
    env: { ...service, SUPPLYLINE_TEAM: team },
  });
  const url = "https://api.example.com";
  const stored = await runCommand(["profiles", "add", "live", "--base-url", url, "--team", team]);
  for (const { code, stderr } of [adHoc, stored]) {
    expect(code).toBe(2);
    expect(stderr).toContain("password");
    expect(stderr).not.toContain("s3cret");
  }
});

test("team init --print prints the SQL for the schema of the address, and connects to nothing", async () => {
  const env = { ...service, SUPPLYLINE_TEAM: "postgresql://127.0.0.1:1/ledger?schema=north" };
  const { code, stdout } = await runCommand(["team", "init", "--print"], { env });
  expect(code).toBe(0);
  expect(stdout).toContain('CREATE SCHEMA "north"');
  expect(stdout).toContain('CREATE ROLE "north_ci"');
  expect(stdout).not.toContain("supplyline.");
});

test("doctor checks the team of a profile, and says nothing of a team without one", async () => {
  const checksOf = async (env: Record<string, string>) => {
    const { stdout } = await runCommand(["doctor", "--json", "--timeout", "300ms"], { env });
    return (JSON.parse(stdout) as { check: string; result: string }[]).filter(({ check }) =>
      check.startsWith("team"),
    );
  };
  expect(await checksOf(service)).toEqual([]);
  const env = { ...service, SUPPLYLINE_TEAM: "postgresql://127.0.0.1:1/ledger" };
  expect(await checksOf(env)).toMatchObject([
    { check: "team database", result: "fail" },
    { check: "team clock", result: "skipped" },
    { check: "team entries", result: "skipped" },
  ]);
});

const withTeam = { SUPPLYLINE_TEAM: "postgresql://op1@127.0.0.1:1/ledger" };

const writing: Readonly<Record<string, (given: Given) => readonly string[]>> = {
  "a single write": () => note("--body", "two", "--yes"),
  "a resend": ({ entry }) => ["activity", "resend", entry, "--again", "--reason", "r", "--yes"],
  "a verification that sends again": ({ entry }) => ["activity", "verify", entry, "--yes"],
  "a new run": () => ["bulk", "run", "notes", "--from", "more.csv", "--yes"],
  "a resumed run": ({ run }) => ["bulk", "resume", run, "--yes"],
};

/** The number of an unknown entry, and the ID of a run. */
interface Given {
  readonly entry: string;
  readonly run: string;
}

test.each(Object.entries(writing))(
  "%s of a machine that has not joined its team ends with 2, records nothing and sends nothing",
  async (_, words) => {
    const { service, run, json, file, folders } = await world({
      service: { writes: [...Array(9).fill("reset")] },
    });
    await run(note("--body", "one", "--yes"));
    await file("notes.csv", notesCsv(1));
    await file("more.csv", notesCsv(2));
    const given = {
      entry: "1",
      run: runIn(await run(["bulk", "run", "notes", "--from", "notes.csv", "--yes"])),
    };
    const before = [await json(["activity", "list"]), await json(["bulk", "list"])];
    const sent = service.writes().length;
    const files = await readdir(folders.home);
    const ended = await run([...words(given), "--json"], { env: withTeam });
    expect(ended.code).toBe(2);
    expect(errorIn(ended)).toMatchObject({ kind: "team-not-set-up" });
    expect(service.writes()).toHaveLength(sent);
    expect([await json(["activity", "list"]), await json(["bulk", "list"])]).toEqual(before);
    expect(await readdir(folders.home)).toEqual(files);
  },
);
