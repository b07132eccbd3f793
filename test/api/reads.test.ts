import { isServiceError } from "../../src/api/errors.ts";
import type { ListState } from "../../src/api/service.ts";
import type { SandboxOptions } from "../../src/sandbox/index.ts";
import { openSandbox, openService, reply } from "../helpers/service.ts";
import { connected, errorFrom, type Given, listed } from "./connected.ts";

/** A sandbox whose processes stand still, and a service with its key. */
async function sandboxed(options: SandboxOptions = {}, given: Given = {}) {
  const sandbox = await openSandbox(options);
  return { sandbox, ...connected(sandbox.baseUrl, { apiKey: sandbox.apiKey, ...given }) };
}

describe("the status of an account import (INTERFACE 4.8)", () => {
  test("reports COMPLETED with the account number, the raw body and the moment", async () => {
    const { service } = await sandboxed();
    const answer = await service.accounts.status("ACME", "EXT-0000001");
    expect(answer.value.status).toBe("COMPLETED");
    expect(answer.value.service_account_number).not.toBe("");
    expect(JSON.parse(answer.raw)).toEqual(answer.value);
    expect(answer.httpStatus).toBe(200);
    expect(answer.receivedAt).toBe(Date.parse("2026-01-15T09:00:00Z"));
  });

  test("reports IN_PROGRESS, and UNKNOWN for a staged account, with no account number", async () => {
    const { service } = await sandboxed();
    const moving = await service.accounts.status("ACME", "EXT-0000006");
    expect(moving.value).toEqual({ status: "IN_PROGRESS", service_account_number: "" });
    const staged = await service.accounts.status("ACME", "EXT-0000004");
    expect(staged.value).toEqual({ status: "UNKNOWN", service_account_number: "" });
  });

  test("an account never staged is not found, which is not UNKNOWN", async () => {
    const { service, waits } = await sandboxed();
    const error = await errorFrom(service.accounts.status("ACME", "NOBODY"));
    expect(error.kind).toBe("not-found");
    expect(error.facts).toMatchObject({ httpStatus: 404, sent: true, method: "GET" });
    expect(error.facts.url).toContain("/v1/data-import/account-transfer-status/ACME/NOBODY/");
    expect(waits).toEqual([]);
  });

  test.each([
    ["bytes that are not UTF-8", Buffer.from("A-\u00e9", "latin1")],
    ["half a surrogate pair", Buffer.from(String.raw`A-\ud800`)],
  ])("is unreadable with %s in its number, and the text is still shown", async (_, number) => {
    const body = [Buffer.from('{"status":"COMPLETED","service_account_number":"'), number];
    const { baseUrl } = await openService((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(Buffer.concat([...body, Buffer.from('"}')]));
    });
    const { service } = connected(baseUrl);
    const error = await errorFrom(service.accounts.status("ACME", "EXT-1", { retries: 0 }));
    expect(error.kind).toBe("unreadable");
    expect(error.facts.body).toContain("COMPLETED");
    const raw = await service.read("/v1/data-import/account-transfer-status/ACME/EXT-1/", {});
    expect(raw.body).toContain("COMPLETED");
  });

  test.each([
    "EXT 0000010",
    "EXT/0000011",
    "EXT%0000012",
    "EXT-Ωé-0000013",
    "EXT-日本-0000014",
    "EXT#?&+=0000015",
    "EXT%2F0000016",
  ])("finds %j, awkward as it is in a path", async (account) => {
    const { service } = await sandboxed();
    const answer = await service.accounts.status("ACME", account);
    expect(answer.value.status).toBe("COMPLETED");
  });

  test("a deployment's brand word is read, configured or not, and the raw text keeps it", async () => {
    for (const brand of ["acme", "service"]) {
      const { service } = await sandboxed({ brand: "acme" }, { brand });
      const answer = await service.accounts.status("ACME", "EXT-0000001");
      expect(answer.value.service_account_number).not.toBe("");
      expect(answer.raw).toContain('"acme_account_number"');
    }
  });

  test("an account number written as a number keeps all its digits", async () => {
    const { baseUrl } = await openService((_request, response) =>
      reply(response, 200, '{"status":"COMPLETED","service_account_number":12345678901234567890}'),
    );
    const answer = await connected(baseUrl).service.accounts.status("ACME", "EXT-1");
    expect(answer.value.service_account_number).toBe("12345678901234567890");
  });

  test("an unknown status and unknown fields are passed on unchanged", async () => {
    const { service } = await sandboxed({ faults: ["shape=unknown-status"] });
    const odd = await service.accounts.status("ACME", "EXT-0000001");
    expect(odd.value.status).toBe("AWAITING_REVIEW");
    const more = await sandboxed({ faults: ["shape=extra"] });
    const answer = await more.service.accounts.status("ACME", "EXT-0000001");
    expect(answer.value.status).toBe("COMPLETED");
    expect(answer.raw).toContain("unheard_of");
  });

  test.each(["wrapped", "null", "text", "missing", "types"])(
    "an answer of another shape (%s) is unreadable, with its text kept",
    async (shape) => {
      const { service } = await sandboxed({ faults: [`shape=${shape}`] });
      const error = await errorFrom(service.accounts.status("ACME", "EXT-0000001", { retries: 0 }));
      expect(error.kind).toBe("unreadable");
      expect(error.facts.httpStatus).toBe(200);
      expect(error.facts.body).toMatch(/./);
    },
  );
});

describe("the status of a supply point import (INTERFACE 4.7)", () => {
  test.each([
    "IN_PROGRESS",
    "PENDING",
    "CANCELLED",
    "DRY_RUN_SUCCEEDED",
    "PROCESSED",
    "ERRORED",
    "DRY_RUN_ERRORED",
  ])("reports %s, with an identifier or an error only where there is one", async (status) => {
    const { service } = await sandboxed();
    const { value } = await service.supplyPoints.status(
      "ACME",
      `SP-${status.replaceAll("_", "-")}`,
    );
    expect(value.status).toBe(status);
    expect(value.service_identifier !== null).toBe(status === "PROCESSED");
    expect(Date.parse(value.created_at ?? "")).not.toBeNaN();
    expect(Date.parse(value.modified_at ?? "")).not.toBeNaN();
    if (status.endsWith("ERRORED")) {
      expect(value.latest_error?.code).toMatch(/./);
      expect(value.latest_error?.detail).toMatch(/./);
      expect(value.latest_error?.domain).toMatch(/./);
    } else {
      expect(value.latest_error).toBeNull();
    }
  });

  test("an identifier written as a number keeps all its digits", async () => {
    const { baseUrl } = await openService((_request, response) =>
      reply(response, 200, '{"status":"PROCESSED","service_identifier":1234567890123456789012}'),
    );
    const { value } = await connected(baseUrl).service.supplyPoints.status("ACME", "SP-1");
    expect(value.service_identifier).toBe("1234567890123456789012");
  });

  test("one without a process is not found, with the service's code", async () => {
    const { service } = await sandboxed();
    const error = await errorFrom(service.supplyPoints.status("ACME", "SP-NOBODY"));
    expect(error.kind).toBe("not-found");
    expect(error.facts.code).toBe("not_found");
    expect(error.facts.detail).toMatch(/./);
  });

  test("an awkward identifier and another brand word are read", async () => {
    const { service } = await sandboxed({ brand: "acme" });
    const { value, raw } = await service.supplyPoints.status("ACME", "SP/100% Ω");
    expect(value.status).toBe("PROCESSED");
    expect(value.service_identifier).toMatch(/./);
    expect(raw).toContain('"acme_identifier"');
  });

  test.each(["wrapped", "null", "text", "missing", "types"])(
    "an answer of another shape (%s) is unreadable, with its text kept",
    async (shape) => {
      const { service } = await sandboxed({ faults: [`shape=${shape}@supply-point-status`] });
      const call = service.supplyPoints.status("ACME", "SP-PROCESSED", { retries: 0 });
      const error = await errorFrom(call);
      expect(error.kind).toBe("unreadable");
      expect(error.facts.body).toMatch(/./);
    },
  );
});

describe("the lists of account imports (INTERFACE 4.9 to 4.11)", () => {
  test("all is pending and imported together, and pending rows hold nulls", async () => {
    const { service } = await sandboxed({ accounts: 300 });
    const [all, pending, imported] = await Promise.all(
      (["all", "pending", "imported"] as const).map((state) => listed(service, "ACME", state)),
    );
    expect(all?.end?.rows).toBe(300);
    expect(all?.rows).toHaveLength(300);
    const numbers = (list: typeof all) => list?.rows.map((row) => row.external_account_number);
    expect([...(numbers(pending) ?? []), ...(numbers(imported) ?? [])].sort()).toEqual(
      numbers(all)?.sort(),
    );
    expect(pending?.rows.every((row) => row.service_account_number === null)).toBe(true);
    expect(pending?.rows.every((row) => row.account_created_at === null)).toBe(true);
    expect(imported?.rows.every((row) => row.service_account_number !== null)).toBe(true);
  });

  const states: readonly ListState[] = ["all", "pending", "imported"];

  test.each(states)("%s: nothing to list is an empty list", async (state) => {
    const { service } = await sandboxed({
      suppliers: [{ code: "EMPTY", status: "Ongoing", imported: 0, staged: 0 }],
    });
    expect(await listed(service, "EMPTY", state)).toMatchObject({
      rows: [],
      end: { rows: 0, unreadableRows: 0 },
    });
  });

  test.each(states)("%s: an unknown supplier is not found", async (state) => {
    const { service } = await sandboxed();
    const { error, rows } = await listed(service, "NOBODY", state);
    expect(isServiceError(error, "not-found")).toBe(true);
    expect(rows).toEqual([]);
  });

  test("another brand word in the rows is read", async () => {
    const { service } = await sandboxed({ brand: "acme" });
    const { rows } = await listed(service, "DONE", "imported");
    expect(rows).toHaveLength(35);
    expect(rows.every((row) => row.service_account_number)).toBe(true);
  });

  test.each(["length", "chunked", "close"])(
    "cut short (%s): the rows that came are handed over, then it is unreadable",
    async (way) => {
      const { service } = await sandboxed({ faults: [`truncate=${way}@all`] });
      const { rows, error } = await listed(service, "ACME", "all");
      expect(isServiceError(error, "unreadable")).toBe(true);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.length).toBeLessThan(120);
      expect(rows[0]?.external_account_number).toBe("EXT-0000001");
    },
  );

  test.each(["null", "text", "empty"])(
    "a body that is no list (%s) is unreadable",
    async (shape) => {
      const { service } = await sandboxed({ faults: [`shape=${shape}@all`] });
      const { rows, error } = await listed(service, "ACME", "all");
      expect(isServiceError(error, "unreadable")).toBe(true);
      expect(rows).toEqual([]);
    },
  );

  test("a page of HTML in place of a list is unreadable", async () => {
    const { service } = await sandboxed({ faults: ["html@all"] });
    const { error } = await listed(service, "ACME", "all");
    expect(isServiceError(error, "unreadable")).toBe(true);
  });

  test("rows inside an object are found, and a list of other rows is unreadable", async () => {
    const wrapped = await sandboxed({ faults: ["shape=wrapped@all"] });
    expect((await listed(wrapped.service, "ACME", "all")).end?.rows).toBe(120);
    const missing = await sandboxed({ faults: ["shape=missing@all"] });
    const { error } = await listed(missing.service, "ACME", "all");
    expect(error).toMatchObject({ kind: "unreadable" });
  });
});

describe("a status the endpoints do not list", () => {
  test.each([
    ["401", "unauthorized"],
    ["403", "forbidden"],
    ["429=1s", "rate-limited"],
    ["500", "unavailable"],
    ["502", "unavailable"],
    ["503", "unavailable"],
    ["504", "unavailable"],
    ["302", "redirect"],
  ])("%s ends every read as %s", async (fault, kind) => {
    const { service } = await sandboxed({ faults: [`${fault}@reads`] });
    const none = { retries: 0 };
    const calls = [
      errorFrom(service.accounts.status("ACME", "EXT-0000001", none)),
      errorFrom(service.supplyPoints.status("ACME", "SP-PROCESSED", none)),
      ...(["all", "pending", "imported"] as const).map(
        async (state) => (await listed(service, "ACME", state, none)).error,
      ),
    ];
    for (const error of await Promise.all(calls)) {
      expect(error).toMatchObject({
        kind,
        facts: { httpStatus: Number(fault.slice(0, 3)), sent: true },
      });
    }
  });
});
