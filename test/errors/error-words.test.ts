import {
  ServiceError,
  type ServiceErrorFacts,
  type ServiceErrorKind,
} from "../../src/api/errors.ts";
import { failureOf } from "../../src/commands/failure.ts";
import { AppError, type ErrorSubject } from "../../src/errors/app-error.ts";
import { errorLine, errorWord, errorWords, oneLine } from "../../src/errors/error-words.ts";
import { redact } from "../../src/text/service-words.ts";
import { FORBIDDEN, HOSTILE } from "../text/hostile.ts";

const KINDS: readonly ServiceErrorKind[] = [
  "rejected",
  "unauthorized",
  "forbidden",
  "not-found",
  "rate-limited",
  "unavailable",
  "redirect",
  "unexpected-status",
  "unreadable",
  "too-large",
  "unreachable",
  "tls",
  "timeout",
  "credentials",
  "cancelled",
  "invalid-request",
];

const doing = "reading the status of EXT-1";
const account = { kind: "account", supplier: "ACME", id: "EXT-1" } as const;

function words(kind: ServiceErrorKind, facts: ServiceErrorFacts = {}, more: object = {}) {
  return errorWords(new ServiceError(kind, "technical reason", facts), { doing, ...more });
}

describe("errors in words", () => {
  test("too many requests ends with 6, and says for how long the service asked to wait", () => {
    const error = new ServiceError("rate-limited", "technical reason", { retryAfterMs: 1_000 });
    expect(errorLine(error, { doing })).toMatch(/too many requests.*1 s/);
    expect(failureOf(error)).toMatchObject({ kind: "rate-limited", exitCode: 6 });
  });

  test.each(KINDS)("%s says what happened to what, and what to do next", (kind) => {
    const described = words(kind, {}, { profile: "test", subject: account });
    expect(described.sentence).toMatch(/^Reading the status of EXT-1/);
    expect(described.remedy).toMatch(/^.{11}/);
    expect(oneLine(described)).not.toMatch(/[\n\r]|undefined|null|\.\.(?!\.)/);
  });

  test.each(KINDS)("%s lets nothing hostile through", (kind) => {
    for (const text of Object.values(HOSTILE)) {
      const described = errorWords(
        new ServiceError(kind, text, {
          detail: text,
          code: text,
          systemCode: text,
          errors: [{ attr: text, code: text, detail: text }],
        }),
        {
          doing: `reading ${text}`,
          profile: text,
          baseUrl: text,
          subject: { kind: "account", supplier: text, id: text },
        },
      );
      expect(oneLine(described)).not.toMatch(FORBIDDEN);
      expect(oneLine(described)).not.toMatch(/[\t\n]/);
    }
  });

  test("a 404 is described by what was requested", () => {
    const facts = { httpStatus: 404 };
    expect(words("not-found", facts, { subject: account }).sentence).toBe(
      "Reading the status of EXT-1: the service has no account EXT-1 for supplier ACME (404).",
    );
    expect(words("not-found", facts, { subject: account, profile: "test" }).remedy).toContain(
      "supplyline accounts list ACME --filter ext:EXT-1 --profile test",
    );
    expect(
      words("not-found", facts, { subject: { kind: "supplier", supplier: "ACME" } }).sentence,
    ).toContain("no such supplier, or nothing to list: ACME");
    const point = { kind: "supply-point", supplier: "ACME", id: "SP-1" };
    expect(
      words("not-found", { ...facts, code: "not_found", detail: "Not found." }, { subject: point }),
    ).toEqual({
      sentence:
        "Reading the status of EXT-1: no import of a supply point SP-1 is known for supplier ACME (404, not_found).",
      why: "Not found.",
      remedy: expect.stringContaining("external identifier"),
      fix: null,
    });
    expect(words("not-found", facts).sentence).not.toContain("UNKNOWN");
  });

  test("a redirect names the address that sent it and the status", () => {
    const facts = { httpStatus: 302, url: "https://a.test/v1/data-import/accounts/" };
    expect(words("redirect", facts).sentence).toBe(
      "Reading the status of EXT-1: https://a.test answered with a redirect (302), which is never followed.",
    );
  });

  test("a rejection lists the service's complaints with their place and code", () => {
    const described = words("rejected", {
      httpStatus: 400,
      code: "account_failed_validation",
      detail: "Validation failed",
      errors: [
        { attr: "customers.0.landline", code: "invalid_phone_number", detail: "Not a number" },
        { attr: null, code: null, detail: "Something else" },
      ],
    });
    expect(described.sentence).toContain("(400, account_failed_validation)");
    expect(described.why).toBe(
      "Validation failed; customers.0.landline: Not a number (invalid_phone_number); Something else",
    );
  });

  test("many complaints and long texts are kept within bounds", () => {
    const errors = Array.from({ length: 1000 }, (_, at) => ({
      attr: `notes.${at}.body`,
      code: null,
      detail: "x".repeat(100_000),
    }));
    const { why } = words("rejected", { errors });
    expect(why).toContain("and 992 more");
    expect((why ?? "").length).toBeLessThan(6000);
  });

  test("connection and certificate failures have different words", () => {
    const context = { baseUrl: "https://service.example/api" };
    expect(words("unreachable", { systemCode: "ECONNREFUSED" }, context)).toMatchObject({
      sentence: "Reading the status of EXT-1: https://service.example could not be reached.",
      why: "Nothing accepts connections there (ECONNREFUSED)",
    });
    expect(words("unreachable", { systemCode: "EWHATEVER" }, context).why).toBe("Technical reason");
    expect(words("tls", { systemCode: "CERT_HAS_EXPIRED" }, context).why).toContain("has expired");
  });

  test.each([
    ["a 401", { httpStatus: 401 }],
    ["an error of GraphQL in a 200", { httpStatus: 200, detail: "The API key is not valid." }],
  ])("a key that the service refuses with %s comes before the missing token", (_, facts) => {
    const { sentence } = words("credentials", facts);
    expect(sentence).toContain("the service gave no token for the API key");
    expect(words("credentials").sentence).toContain("there is no token to use");
  });

  test("refused credentials say how to log in, with the profile", () => {
    expect(words("unauthorized", { httpStatus: 401 }, { profile: "my test" }).remedy).toContain(
      "supplyline login --api-key-stdin --profile 'my test'",
    );
  });

  test("for a place from the environment they name its variables, and no profile", () => {
    for (const kind of ["unauthorized", "credentials"] as const) {
      const { remedy } = words(kind, {}, { fromEnvironment: true });
      expect(remedy).toContain("SUPPLYLINE_API_KEY");
      expect(remedy).toContain("SUPPLYLINE_TOKEN");
      expect(remedy).not.toContain("login");
    }
  });

  test("a wait the service asks for is shown", () => {
    expect(words("rate-limited", { httpStatus: 429, retryAfterMs: 30_000 }).remedy).toContain(
      "in 30 s",
    );
  });

  test("the error of a write that might have taken effect says so", () => {
    const write = { method: "POST", url: "https://service.example/v1/data-import/notes/create/" };
    for (const kind of [
      "timeout",
      "unavailable",
      "unreachable",
      "unreadable",
      "cancelled",
    ] as const) {
      expect(words(kind, { ...write, sent: true }).remedy).toContain("unknown whether");
      expect(words(kind, { ...write, sent: false }).remedy).not.toContain("unknown whether");
      expect(words(kind, { method: "GET", url: write.url, sent: true }).remedy).not.toContain(
        "unknown whether",
      );
    }
  });

  test("a token answer that makes no sense points at the GraphQL address, not at a raw view", () => {
    const tokenCall = { method: "POST", url: "https://service.example/v1/graphql/", sent: false };
    const { remedy } = words("unreadable", { ...tokenCall, httpStatus: 200 });
    expect(remedy).toContain("GraphQL address");
    expect(remedy).toContain("supplyline doctor");
    expect(remedy).not.toContain("raw response");
  });

  test("an unexpected exception is reported as a fault of the program, with its message", () => {
    const described = errorWords(new TypeError("x is not a function"), { doing });
    expect(described.sentence).toContain("a fault of this program");
    expect(described.why).toBe("TypeError: x is not a function");
    expect(errorWords("boom", { doing }).why).toBe("boom");
    expect(errorWords(undefined, { doing }).why).toBe("[object Undefined]");
    expect(errorWords(Object.create(null), { doing }).why).toBe("[object Object]");
  });

  test("an abort from elsewhere is a cancellation", () => {
    const described = errorWords(AbortSignal.abort().reason, { doing });
    expect(described.sentence).toBe("Reading the status of EXT-1 was canceled.");
  });

  test("secrets in other people's messages are taken out", () => {
    const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefghijk";
    const leaks = [
      `Authorization: Token 0123456789abcdef0123`,
      `bad header Bearer ${jwt}`,
      `{"token":"${jwt}"}`,
      `{"APIKey": "sk_live_abcdefgh12345"}`,
      "https://user:hunter2hunter2@service.example/",
    ];
    for (const leak of leaks) {
      const shown = errorLine(new Error(leak), { doing });
      expect(shown).not.toMatch(/0123456789abcdef|eyJ|sk_live|hunter2/);
    }
    expect(redact("Token validation failed; token: missing")).toBe(
      "Token validation failed; token: missing",
    );
  });
});

test("an attr of the service is shown with the words of the form", () => {
  const errors = [{ attr: "transactions.0.amount", code: null, detail: "Wrong." }];
  const error = new ServiceError("rejected", "technical reason", { httpStatus: 400, errors });
  expect(errorWords(error, { doing: "adding" }).why).toBe("transactions.0.amount: Wrong.");
  const field = () => "Transaction 1 › Amount";
  expect(errorWords(error, { doing: "adding", field }).why).toBe("Transaction 1 › Amount: Wrong.");
});

describe("a write is sent again only after its effect was found out", () => {
  const facts = { method: "POST", url: "https://a.test/v1/data-import/notes/create/", sent: true };
  const next = (kind: ServiceErrorKind, httpStatus: number) =>
    errorWords(new ServiceError(kind, "No.", { ...facts, httpStatus }), { doing: "adding" }).remedy;
  const findOut = /Verify it before you send it again/;

  test.each([
    ["redirect", 303],
    ["unexpected-status", 408],
    ["unexpected-status", 409],
    ["unexpected-status", 423],
    ["unexpected-status", 460],
    ["other-item", 400],
    ["unreadable", 404],
  ] as const)("%s %i", (kind, status) => {
    expect(next(kind, status)).toMatch(findOut);
  });

  test("a rejected write can be sent again without verification", () => {
    expect(next("rejected", 400)).not.toMatch(findOut);
    expect(next("unexpected-status", 405)).not.toMatch(findOut);
  });
});

describe("an error of this program", () => {
  const full = new AppError("settings", "unwritable", "the cohort w9 could not be stored", {
    remedy: "Free some space",
    fix: "rm -r '/var/tmp/old lists'",
  });

  test("is a sentence, with what to do, and a command that is not reworded", () => {
    expect(errorWords(full, { doing })).toEqual({
      sentence: "The cohort w9 could not be stored.",
      why: null,
      remedy: "Free some space.",
      fix: "rm -r '/var/tmp/old lists'",
    });
    expect(errorLine(full, { doing })).toBe(
      "The cohort w9 could not be stored. Free some space. To fix it: rm -r '/var/tmp/old lists'",
    );
  });

  test("has the context of the call that it ended", () => {
    const call = new AppError("call", "fault", "listing", {
      cause: new ServiceError("timeout", "no answer"),
      context: { doing: "listing the accounts of ACME" },
    });
    expect(errorWords(call, { doing }).sentence).toMatch(/^Listing the accounts of ACME: /);
    expect(failureOf(call)).toMatchObject({ kind: "timeout", exitCode: 6 });
  });

  test.each([
    ["journal", "full", "journal-full", 1],
    ["journal", "corrupt", "journal-corrupt", 2],
    ["file", "busy", "file-busy", 1],
    ["cohort", "exists", "cohort-exists", 2],
    ["cohort", "unknown", "cohort-unknown", 2],
    ["run", "not-found", "not-found", 5],
    ["run", "in-use", "in-use", 6],
    ["write", "duplicate", "duplicate", 2],
    ["settings", "helper", "helper", 3],
    ["settings", "exposed", "exposed", 2],
    ["source", "usage", "usage", 2],
    ["command", "invalid-input", "invalid-input", 2],
    ["command", "output", "output", 1],
  ] as const)("%s %s is %s to a script, and ends with %i", (about, kind, word, exitCode) => {
    const error = new AppError<ErrorSubject>(about, kind, "it failed");
    expect(failureOf(error)).toMatchObject({ kind: word, exitCode });
  });

  test("lets no secret and nothing hostile through", () => {
    for (const text of Object.values(HOSTILE)) {
      const error = new AppError("write", "invalid", text, { remedy: text, fix: text });
      expect(errorLine(error, { doing })).not.toMatch(FORBIDDEN);
    }
    const leak = new AppError("settings", "helper", "it printed sk_live_abcdefgh12345");
    expect(errorLine(leak, { doing })).not.toContain("sk_live");
  });
});

test("the word for a cell has nothing that the service wrote", () => {
  for (const text of Object.values(HOSTILE))
    for (const kind of KINDS) {
      const error = new ServiceError(kind, text, { detail: text, code: text, httpStatus: 503 });
      expect(errorWord(error)).toBe("HTTP 503");
    }
  expect(errorWord(new AppError("journal", "full", "the disk is full"))).toBe("disk full");
  expect(KINDS.map((kind) => errorWord(new ServiceError(kind, "x")))).toEqual(
    expect.arrayContaining(["failed", "unreadable", "not reached", "TLS failed", "no answer"]),
  );
});
