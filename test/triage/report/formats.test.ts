/** Tests foreign text in the formats of a report. */
import { htmlOf, markdownOf } from "../../../src/triage/report/blocks.ts";
import { describeReport, reportTitle } from "../../../src/triage/report/describe-report.ts";
import type { Report } from "../../../src/triage/report/report.ts";
import { reportJson } from "../../../src/triage/report/report-json.ts";
import { attacks, hostile, misfits } from "../../security/attacks.ts";

const at = Date.parse("2026-11-22T14:00:00Z");
const hour = 3_600_000;

/** A report in which every text from outside is `text`. */
function reportOf(text: string): Report {
  return {
    at,
    since: at - 8 * hour,
    team: null,
    profile: "live",
    environment: "production",
    baseUrl: "https://api.example.com",
    suppliers: [
      {
        supplier: text,
        cohort: null,
        problem: text,
        rate: null,
        finish: null,
        now: { at, imported: 3, pending: 2, total: 5 },
        before: { at: at - 9 * hour, imported: 1, pending: 4 },
        changes: { staged: 0, imported: 2, gone: 1, returned: 0, renumbered: 0, removed: 0 },
        oldest: [{ external: text, since: at - 30 * hour }],
        pendingOverADay: 1,
        gone: { count: 1, atLeast: false, accounts: [text] },
        heldBack: { before: 300, now: 2 },
      },
    ],
    cohorts: [{ name: text, supplier: text, accounts: 4, imported: 1, pending: 2, unlisted: 1 }],
    work: {
      done: [
        {
          operation: text,
          importSupplier: text,
          outcome: "confirmed",
          tookEffect: "yes",
          entries: 1,
          rows: 2,
          sum: null,
        },
      ],
      closed: [
        {
          journal_id: 6,
          created_at: "2026-11-22T09:00:00.000Z",
          profile: "live",
          operation: "notes create",
          import_supplier: text,
          external_account_number: text,
          outcome: "closed",
          http_status: null,
          code: null,
          attempts: 1,
          run: null,
          took_effect: "no",
          closing_reason: text,
        },
      ],
      causes: [
        {
          key: "notes-create:400:x",
          operation: "notes create",
          httpStatus: 400,
          code: text,
          errorCodes: [text],
          count: 2,
          retryable: 0,
          inDoubt: 0,
          message: text,
          sample: [1, 2],
          runs: [text],
        },
      ],
      entries: [
        {
          journal_id: 7,
          created_at: "2026-11-22T10:00:00.000Z",
          profile: "live",
          operation: "notes create",
          import_supplier: text,
          external_account_number: text,
          outcome: "unknown",
          http_status: 500,
          code: text,
          attempts: 1,
          run: null,
          might_have_taken_effect: true,
        },
      ],
      rejectedRows: [{ run: text, profile: "live", supplier: text, rows: 3 }],
      runs: [],
    },
    watched: [
      {
        kind: "account",
        supplier: text,
        number: text,
        state: text,
        since: at - hour,
        words: text,
        times: [text],
        finality: "open",
        end: "open",
        progress: null,
        cohort: text,
      },
    ],
    open: {
      entries: { unknown: 1, rejected: 0, retryable: 0, unsent: 0 },
      rejectedRows: 3,
      runs: 0,
      watched: { open: 1, openItems: 1, failed: 0, unchecked: 0 },
      lists: [{ supplier: text, gone: null, isHeldBack: true, hasFailed: true }],
      cohorts: [{ name: text, supplier: text, unlisted: 1 }],
    },
    problems: [text],
  };
}

const page =
  "<script>alert(1)</script><img src=http://evil.example/x onerror=alert(1)>\"'`&amp;<!-- ]]>";
const markdown =
  "# x\n```\n| a | [b](http://evil.example) ![c](http://evil.example) <b> **d** ``` &#x202e;";
const texts = { ...attacks, ...misfits, page, markdown, "a fence": "```\n````sh\n", dash: "-rf" };

const way = {
  profile: "live",
  profilesOfService: ["live"],
  reconnectHint: null,
  storedIn: "desk in /state",
};

test.each(Object.entries(texts))("%s is harmless on a page", (what, payload) => {
  const report = reportOf(hostile(what, payload));
  const html = htmlOf(reportTitle(report), describeReport(report, way));
  const body = html.slice(html.indexOf("<body>"));
  const tags = [...body.matchAll(/<[^>]*>?/g)].map(([tag]) => tag);
  for (const tag of tags)
    expect(tag).toMatch(/^<\/?(?:body|html|h[123]|p|table|tr|th|td|pre|code)>$/);
  expect(html).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  expect(html.slice(0, html.indexOf("<body>"))).not.toMatch(/<script|<link|<img|src=|href=|url\(/);
  expect(html).toContain("default-src 'none'");
});

test.each(Object.entries(texts))("%s is harmless in Markdown", (what, payload) => {
  const report = reportOf(hostile(what, payload));
  const text = markdownOf(describeReport(report, way));
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  const outside = withoutFences(text);
  // Nothing but what stands behind a backslash is a sign of Markdown.
  expect(outside.replace(/\\[\\|<>&~*_`[\]#+-]/g, "")).not.toMatch(/[`<*[\]]/);
  for (const line of outside.split("\n").filter((one) => one.startsWith("|")))
    expect(line).toMatch(/ \|$|^\|( --- \|)+$/);
});

/** The text outside of code, which every fence that begins also ends. */
function withoutFences(text: string): string {
  let left = "";
  let fence: string | null = null;
  for (const line of text.split("\n")) {
    const [ticks] = /^`{3,}/.exec(line) ?? [];
    if (fence === null && ticks !== undefined) fence = ticks;
    else if (fence !== null && line === fence) fence = null;
    else if (fence === null) left += `${line}\n`;
  }
  expect(fence).toBeNull();
  return left;
}

test("every open item has its command in each format", () => {
  const report = reportOf("ACME");
  const blocks = describeReport(report, way);
  const commands = blocks.flatMap((block) => (block.kind === "commands" ? block.commands : []));
  expect(commands).toEqual([
    "supplyline suppliers show ACME --profile live",
    "supplyline changes ACME --since 2026-11-22T06:00:00Z --profile live",
    "supplyline accounts list --ages ACME --state pending --filter 'age:>24h' --profile live",
    "supplyline accounts list --ages ACME --filter is:gone --profile live",
    "supplyline observations confirm ACME --profile live",
    "supplyline reconcile ACME --cohort ACME --profile live",
    "supplyline bulk rejected ACME --cause notes-create:400:x",
    "supplyline activity verify 7 --profile live",
    "supplyline bulk rejected ACME",
    "supplyline open --run ACME --profile live",
    "supplyline accounts watch ACME ACME --profile live",
  ]);
  const json = reportJson(report, way);
  expect(json.entries?.[0]).toMatchObject({ journal_id: 7, commands: [commands[7]] });
  expect(json.suppliers[0]?.commands).toEqual(commands.slice(0, 5));
  expect(json.watched?.[0]?.commands).toEqual([commands[10]]);
  const figures = { done: 2, open: 3, failed: 1 };
  const watched = (report.watched ?? []).map((item) => ({ ...item, progress: figures }));
  expect(reportJson({ ...report, watched }, way).watched).toMatchObject([{ progress: figures }]);
  expect(markdownOf(blocks)).toContain(
    "Open: 1 entry unknown, 1 of ACME on no list, list of ACME held back, 3 rows rejected, watching 1. Not everything is known: 1 list not loaded.",
  );
});

test.each(["retryable", "unsent", "rejected"] as const)(
  "the row of a %s entry that might have taken effect says so",
  (outcome) => {
    const report = reportOf("ACME");
    const [entry] = report.work?.entries ?? [];
    if (!report.work || !entry) throw new Error("the report has no entry");
    const rowWith = (isInDoubt: boolean) => {
      const entries = [{ ...entry, outcome, might_have_taken_effect: isInDoubt }];
      const text = markdownOf(
        describeReport({ ...report, work: { ...report.work, entries } } as Report, way),
      );
      return text.split("\n").find((line) => line.includes("| 7 |"));
    };
    expect(rowWith(true)).toContain("might have taken effect");
    expect(rowWith(false)).not.toContain("might have taken effect");
  },
);

test("failures that might have taken effect are verified, and not offered as rows to run again", () => {
  const report = reportOf("ACME");
  const [cause] = report.work?.causes ?? [];
  if (!report.work || !cause) throw new Error("the report has no cause");
  const commandsWith = (inDoubt: number) => {
    const work = { ...report.work, causes: [{ ...cause, inDoubt }] } as Report["work"];
    return markdownOf(describeReport({ ...report, work }, way));
  };
  expect(commandsWith(1)).toContain("bulk rejected ACME --cause notes-create:400:x");
  expect(commandsWith(2)).not.toContain("--cause");
  expect(commandsWith(2)).toContain("activity verify 7");
});
