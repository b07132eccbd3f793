import { ServiceError } from "../../src/api/errors.ts";
import type { ListBody, Service } from "../../src/api/service.ts";
import { createCommandLog, maxLogEntries } from "../../src/session/command-log.ts";
import { loggedService, logTasks } from "../../src/session/logged-work.ts";
import { createSessionTasks, startEntry } from "../../src/session/tasks.ts";
import { fakeClock } from "../helpers/clock.ts";
import { HOSTILE } from "../text/hostile.ts";

const ok = { text: "200", tone: "ok" } as const;

function log() {
  const clock = fakeClock();
  const created = createCommandLog(clock);
  const lines = () =>
    created.entries
      .get()
      .map(({ line, end, times }) => `${end?.text ?? "running"} ${times} ${line}`);
  return { clock, created, lines };
}

describe("the command log", () => {
  test("has each line with its time, how long it took and how it ended", async () => {
    const { clock, created } = log();
    const startedAt = clock.now();
    const end = created.begin("read", "a");
    expect(created.entries.get()).toMatchObject([{ line: "a", tookMs: null, end: null }]);
    await clock.advance(120);
    end(ok);
    expect(created.entries.get()).toMatchObject([{ line: "a", startedAt, tookMs: 120, end: ok }]);
  });

  test("has the reason that a resend was confirmed with", async () => {
    const { clock, created, lines } = log();
    const tasks = createSessionTasks(clock);
    logTasks(tasks, created, { profile: "acme", entryOf: async () => null });
    const end = async () => ({ outcome: "confirmed", results: [] }) as const;
    await startEntry(tasks, 7, "Sending again", end, "not at the vendor");
    await startEntry(tasks, 8, "Sending again", end);
    await startEntry(tasks, 9, "Verifying", end);
    expect(lines()).toEqual([
      "confirmed 1 supplyline activity resend 7 --reason 'not at the vendor' --profile acme --again",
      "confirmed 1 supplyline activity resend 8 --profile acme",
      "confirmed 1 supplyline activity verify 9 --profile acme",
    ]);
  });

  test("counts up a read that ends as before, unless something was sent in between", () => {
    const { created, lines } = log();
    const done = (kind: "read" | "write", line: string, end: { text: string } = ok) =>
      created.begin(kind, line)({ tone: "ok", ...end });
    done("read", "a");
    done("read", "b");
    done("read", "a");
    done("read", "a", { text: "404" });
    expect(lines()).toEqual(["200 1 b", "200 2 a", "404 1 a"]);
    done("write", "w");
    done("write", "w");
    done("read", "a");
    expect(lines()).toEqual(["200 1 b", "200 2 a", "404 1 a", "200 1 w", "200 1 w", "200 1 a"]);
  });

  test("stays within its bound, and lets reads go before what was sent", () => {
    const { created, lines } = log();
    created.begin("write", "kept")(ok);
    for (let at = 0; at < maxLogEntries + 5; at++) created.begin("read", `read ${at}`)(ok);
    expect(lines()).toHaveLength(maxLogEntries);
    expect(lines().slice(0, 2)).toEqual(["200 1 kept", "200 1 read 6"]);
  });

  test("an end that comes after its line has left is dropped", () => {
    const { created, lines } = log();
    const late = created.begin("read", "late");
    for (let at = 0; at < maxLogEntries; at++) created.begin("write", "w")(ok);
    late(ok);
    expect(lines()).not.toContain("200 1 late");
  });
});

describe("the service with a log", () => {
  const list = (chunks: ListBody["chunks"]) => ({ chunks, wireBytes: () => 2_500 }) as ListBody;
  const fake = (parts: { readonly [part in "accounts" | "post"]?: unknown }) =>
    parts as unknown as Service;

  test("a status is the command that asks for it, with what was answered", async () => {
    const { created, lines } = log();
    const answers: (() => Promise<unknown>)[] = [
      async () => ({ httpStatus: 200 }),
      async () => Promise.reject(new ServiceError("not-found", "", { httpStatus: 404 })),
      async () => Promise.reject(new ServiceError("unavailable", "", { httpStatus: 503 })),
      async () => Promise.reject(new ServiceError("timeout", "")),
      async () => Promise.reject(new ServiceError("cancelled", "")),
    ];
    const service = loggedService(
      fake({ accounts: { status: () => answers.shift()?.() } }),
      created,
      "test",
    );
    while (answers.length > 0) await service.accounts.status("ACME", "EXT 1").catch(() => {});
    const line = "supplyline accounts status ACME 'EXT 1' --profile test";
    expect(lines()).toEqual(
      ["200", "404", "503", "timeout", "canceled"].map((end) => `${end} 1 ${line}`),
    );
  });

  test("a list ends with its last byte, where it breaks off, or where no one reads on", async () => {
    const { created, lines } = log();
    const bodies = [
      async function* () {
        yield new Uint8Array(1);
      },
      // biome-ignore lint/correctness/useYield: it breaks off before its first chunk
      async function* () {
        throw new ServiceError("unreadable", "", { httpStatus: 200 });
      },
      async function* () {
        yield new Uint8Array(1);
        yield new Uint8Array(1);
      },
    ];
    const service = loggedService(
      fake({ accounts: { list: async () => list(bodies.shift()?.() as ListBody["chunks"]) } }),
      created,
      null,
    );
    const begun = await service.accounts.list("ACME", "pending");
    expect(lines()).toEqual(["running 1 supplyline accounts list ACME --state pending"]);
    for await (const _ of begun.chunks);
    const broken = await service.accounts.list("ACME", "all");
    await expect(broken.chunks.next()).rejects.toThrow();
    const left = await service.accounts.list("ACME", "imported");
    for await (const _ of left.chunks) break;
    expect(lines()).toEqual([
      "2.5 kB 1 supplyline accounts list ACME --state pending",
      "unreadable 1 supplyline accounts list ACME",
      "canceled 1 supplyline accounts list ACME --state imported",
    ]);
  });

  test("what no argument can be is a request, and nothing hostile is in a line as it is", async () => {
    const { created } = log();
    const service = loggedService(
      fake({ accounts: { status: async () => ({ httpStatus: 200 }) } }),
      created,
      "sandbox",
    );
    const numbers = [...Object.values(HOSTILE), "half \ud800 pair", "nul \0 byte"];
    for (const number of numbers) await service.accounts.status("ACME", number);
    for (const { line } of created.entries.get()) {
      expect(line).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}\p{Cs}]/u);
    }
    const lines = created.entries.get().map(({ line }) => line);
    expect(lines.at(-1)).toBe("GET /v1/data-import/account-transfer-status/ACME/nul%20%00%20byte/");
  });

  test("a body is in no line", async () => {
    const { created, lines } = log();
    const service = loggedService(fake({ post: async () => ({ httpStatus: 200 }) }), created, null);
    const body = new TextEncoder().encode("private");
    const options = { signal: AbortSignal.any([]), timeoutMs: 1, onHeadersSent: () => {} };
    for (const path of ["/v2/data-import/supply-points/validate/", "/v1/other/"])
      await service.post({ path, query: {}, body }, options);
    expect(lines()).toEqual(["200 1 supplyline supply-points validate -", "200 1 POST /v1/other/"]);
  });
});
