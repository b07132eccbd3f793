import { type HeaderState, headerLine, openStates } from "../../src/components/header.tsx";
import { headerWords } from "../../src/components/overlays/board-help-words.ts";
import { trailOf } from "../../src/session/place-words.ts";
import { type Place, supplierOf } from "../../src/session/places.ts";
import { widthOf } from "../../src/text/width.ts";
import { type Open, openParts } from "../../src/triage/open/open.ts";

const nothing: Open = {
  entries: { unknown: 0, rejected: 0, retryable: 0, unsent: 0 },
  rejectedRows: 0,
  runs: 0,
  watched: { open: 0, openItems: 0, failed: 0, unchecked: 0 },
  lists: [],
  cohorts: [],
};
const everything: Open = {
  entries: { unknown: 2, rejected: 1, retryable: 1, unsent: 4 },
  rejectedRows: 7,
  runs: 1,
  watched: { open: 12, openItems: 12, failed: 3, unchecked: 2 },
  lists: [
    { supplier: "ACME", gone: { count: 2, atLeast: false }, isHeldBack: false, hasFailed: false },
    { supplier: "NORTH", gone: null, isHeldBack: true, hasFailed: false },
  ],
  cohorts: [{ name: "wave-3", supplier: "ACME", unlisted: 11 }],
};
const profile: readonly HeaderState[] = [
  { text: "acme-production-europe-west", tone: "bad", shorten: true },
  { text: " PROD ", tone: "danger" },
  { text: "read-only", tone: "waiting" },
  { text: "UTC-5", tone: "muted", drop: 7 },
];
const lineAt = (place: Place, open: Open, columns: number) =>
  headerLine(trailOf(place), supplierOf(place), [...openStates(open), ...profile], columns)
    .map(({ text }) => text)
    .join("");

const account = "EXT-0000181";
const supplierPlaces: readonly Place[] = [
  { kind: "overview", supplier: "ACME" },
  { kind: "cohort", supplier: "ACME", cohort: "wave-3" },
  { kind: "accounts", supplier: "ACME", tab: "gone" },
  { kind: "account", supplier: "ACME", account },
  { kind: "changes", supplier: "ACME" },
  { kind: "reconcile", supplier: "ACME" },
  { kind: "reconciled-rows", supplier: "ACME", class: "not-staged" },
  { kind: "supply-point", supplier: "ACME", identifier: account },
  { kind: "activity", supplier: "ACME", account: null },
  { kind: "activity", supplier: "ACME", account },
  { kind: "cause", run: null, supplier: "ACME", account: null, cause: "c" },
  { kind: "compose-marked", draft: "d", supplier: "ACME", list: "all" },
  { kind: "review-marked", draft: "d", supplier: "ACME", list: "all" },
];
const widths = Array.from({ length: 141 }, (_, n) => 60 + n);

describe("the header at any width", () => {
  test.each(supplierPlaces)("names supplier, last place and PROD at %j", (place) => {
    const last = trailOf(place).at(-1) ?? "";
    for (const columns of widths) {
      const line = lineAt(place, everything, columns);
      expect(widthOf(line), line).toBeLessThanOrEqual(columns);
      expect(line).toMatch(/\bACME\b/);
      expect(line).toContain(last);
      expect(line).toContain("acme");
      expect(line).toContain("PROD");
      expect(line).toContain("read-only");
    }
  });

  test("cuts a long account in the middle before it leaves out the supplier", () => {
    const long = `EXT-${"0".repeat(60)}-END`;
    for (const columns of widths) {
      const line = lineAt({ kind: "account", supplier: "ACME", account: long }, nothing, columns);
      expect(widthOf(line), line).toBeLessThanOrEqual(columns);
      expect(line).toMatch(/\bACME › EXT-|Accounts › EXT-/);
      expect(line).toMatch(/0-END /);
      expect(line).toContain("ACME");
    }
  });

  test("keeps the environment of a test profile", () => {
    const states: readonly HeaderState[] = [
      ...openStates(everything),
      { text: "night-shift", tone: "plain", shorten: true },
      { text: "test", tone: "plain" },
      { text: "UTC+12:45", tone: "muted", drop: 7 },
    ];
    for (const columns of widths) {
      const line = headerLine(["Suppliers", "ACME"], "ACME", states, columns).map(
        ({ text }) => text,
      );
      expect(line).toContain("test");
    }
  });
});

test("counts are shortened before one is left out, and the unknown ones stay longest", () => {
  const { entries } = nothing;
  const few: Open = {
    ...nothing,
    entries: entries && { ...entries, retryable: 1 },
    rejectedRows: 7,
    lists: everything.lists.slice(0, 1),
  };
  const place: Place = { kind: "account", supplier: "ACME", account };
  const wide = lineAt(place, few, 140);
  for (const { short } of openParts(few).filter(({ kind }) => kind !== "retryable"))
    expect(wide).toContain(short);
  const narrow = lineAt(place, few, 88);
  for (const { brief } of openParts(few)) expect(narrow).toContain(brief);
  expect(lineAt(place, everything, 60)).toContain("2?");
});

test("a count has the words of the wide header in the narrow one", () => {
  const wordsIn = (text: string) => text.match(/\p{L}+/gu) ?? [];
  const states = openStates(everything);
  expect(states).toHaveLength(12);
  for (const { text, brief = "" } of states)
    for (const word of wordsIn(brief)) expect(wordsIn(text)).toContain(word);
});

test("the help explains each word of open work that the header can show", () => {
  const unread: Open = {
    entries: null,
    rejectedRows: null,
    runs: null,
    watched: null,
    lists: [
      { supplier: "ACME", gone: null, isHeldBack: false, hasFailed: true },
      { supplier: "NORTH", gone: null, isHeldBack: false, hasFailed: false },
    ],
    cohorts: null,
  };
  const withoutNumber = (text: string) =>
    text.replace(/\d+ ?/g, "").replace(/(list|row|run)s\b/, "$1");
  const explained = headerWords.map(({ label }) => withoutNumber(label));
  const shown = [everything, unread].flatMap((open) =>
    openStates(open).map(({ text }) => withoutNumber(text)),
  );
  expect(shown.length).toBeGreaterThan(12);
  expect(shown.filter((text) => !explained.includes(text))).toEqual([]);
});
