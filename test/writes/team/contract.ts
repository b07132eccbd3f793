/** The contract of the ledger's port, for every implementation of it. */
import type { TookEffect } from "../../../src/writes/journal/entry.ts";
import {
  type ClaimAnswer,
  claimGoodMs,
  noFolder,
  type OutcomeState,
  type Page,
  type TeamFilter,
} from "../../../src/writes/team/ledger.ts";
import type { LedgerOverride } from "../../../src/writes/team/ledger-override.ts";
import type { DoneFilter } from "../../../src/writes/team/ledger-views.ts";
import { Machine, outcomeOf, type TeamWorld } from "./world.ts";

const [one, two] = [{ key: "item 1" }, { key: "item 2" }];
const leaseMs = 3 * 60_000;
const dayMs = 24 * 60 * 60_000;

const kindOf = (answer: ClaimAnswer) => (answer.kind === "barred" ? answer.why : answer.kind);

/** Returns an override of everything that barred a claim. */
function passing(answer: ClaimAnswer, keys: readonly string[]): LedgerOverride {
  if (answer.kind !== "barred") throw new Error(`The claim was ${answer.kind}.`);
  const passes = answer.findings.flatMap(({ kind, position, earlier }) =>
    kind === "reported"
      ? []
      : [{ key: keys[position] ?? "", kind, entry: { of: "ledger" as const, id: earlier.id } }],
  );
  return { reason: "the vendor asked for it", passes };
}

/** Reads every page after a watermark. */
async function changesAfter({ ledger }: Machine, watermark: string | null) {
  const entries: Page["entries"][number][] = [];
  for (let mark = watermark; ; ) {
    const page = await ledger.since(mark);
    entries.push(...page.entries);
    mark = page.watermark;
    if (!page.hasMore) return { entries, watermark: mark };
  }
}

export function ledgerContract(open: () => Promise<TeamWorld>): void {
  const pair = async () => {
    const world = await open();
    return { world, a: await world.machine("a"), b: await world.machine("b") };
  };
  /** Machine a has sent item 1 and published the outcome. */
  const sent = async (state: OutcomeState, states?: Parameters<Machine["publish"]>[2]) => {
    const { world, a, b } = await pair();
    const request = a.request([one]);
    const claimed = await a.claim(request);
    expect(claimed).toMatchObject({ kind: "claimed", findings: [] });
    expect(await a.publish(request, state, states)).toEqual([]);
    return { world, a, b, request, id: claimed.kind === "claimed" ? claimed.id : 0 };
  };

  test("the owner of an entry reads who closed it, and why", async () => {
    const { a, b, id } = await sent("unknown");
    expect(await a.ledger.closings([1, 2])).toEqual([]);
    const closing = { reason: "seen at the vendor", tookEffect: "yes" } as const;
    await b.ledger.closeEntry(id, closing, "verified");
    const closings = await a.ledger.closings([1, 2]);
    expect(closings).toMatchObject([
      { localId: 1, tookEffect: "yes", act: "verified", reason: "seen at the vendor" },
    ]);
    expect(closings[0]?.author).toMatchObject({ person: "person of b", machine: "b" });
    expect(await b.ledger.closings([1])).toEqual([]);
    expect(await a.ledger.acts(id)).toMatchObject([
      { kind: "verified", machine: "b", reason: "seen at the vendor" },
    ]);
  });

  test("a run of another folder has its requests and its entries by outcome", async () => {
    const { a, b } = await pair();
    const facts = { run: "r1", runRequests: 3 };
    const first = a.request([one], facts);
    const second = a.request([two], { ...facts, account: "account 2" });
    await a.claim(first);
    await a.publish(first, "confirmed");
    await a.claim(second);
    await a.claim(a.request([{ key: "item 3" }], { account: "account 3" }));
    const [run, ...more] = await b.ledger.runs(10);
    expect(more).toEqual([]);
    expect(run).toMatchObject({
      ...{ run: "r1", machine: "a", requests: 3, operation: "payment-instructions create" },
      counts: { confirmed: 1, sending: 1 },
    });
    expect(run?.lastAt).toBeGreaterThanOrEqual(run?.firstAt ?? Number.NaN);
    expect(await a.ledger.runs(10)).toEqual([]);
    const all = { limit: 10 };
    expect(await b.ledger.list({ ...all, isOfRun: true })).toHaveLength(2);
    expect(await b.ledger.list({ ...all, isOfRun: false })).toHaveLength(1);
  });

  test("the open work of others is counted by person, machine and supplier", async () => {
    const { world, a, b } = await sent("unknown");
    const retryable = a.request([two], { account: "account 2", importSupplier: "OTHER" });
    await a.claim(retryable);
    await a.publish(retryable, "retryable");
    const sending = a.request([{ key: "item 3" }], { account: "account 3" });
    await a.claim(sending);
    const counts = async () =>
      (await b.ledger.openWork()).people.map(({ machine, importSupplier, unknown, retryable }) => [
        ...[machine, importSupplier, unknown, retryable],
      ]);
    expect(await counts()).toEqual([
      ["a", "ACME", 1, 0],
      ["a", "OTHER", 0, 1],
    ]);
    await world.pass(leaseMs + 1);
    expect((await counts())[0]).toEqual(["a", "ACME", 2, 0]);
    expect(await a.ledger.openWork()).toEqual({ people: [], fourEyes: "none" });
  });

  test("the sums of others have their rows by outcome and effect", async () => {
    const { a, b } = await sent("confirmed");
    const request = a.request([two, { key: "item 3" }], { account: "account 2", run: "r1" });
    await a.claim(request);
    await a.publish(request, "rejected", [null, "confirmed"]);
    const sums = async (filter: DoneFilter) =>
      (await b.ledger.done(filter))
        .map(({ outcome, tookEffect, entries, rows }) => [outcome, tookEffect, entries, rows])
        .toSorted();
    expect(await sums({})).toEqual([
      ["confirmed", "yes", 2, 2],
      ["rejected", "no", 1, 1],
    ]);
    expect(await sums({ run: "r1" })).toEqual([
      ["confirmed", "yes", 1, 1],
      ["rejected", "no", 1, 1],
    ]);
    expect(await sums({ importSupplier: "OTHER" })).toEqual([]);
    expect(await a.ledger.done({})).toEqual([]);
  });

  test("a machine that left the team is an event", async () => {
    const { world, a } = await pair();
    await a.ledger.leave(1_700_000_000_000);
    expect(await world.events()).toMatchObject([{ kind: "left" }]);
    expect(await world.left()).toEqual(["a"]);
  });

  test("a machine that left is back when it joins again, and when it claims", async () => {
    const { world, a } = await pair();
    await a.ledger.leave(1_700_000_000_000);
    await a.ledger.rejoin();
    expect(await world.left()).toEqual([]);
    await a.ledger.leave(1_700_000_000_000);
    await a.claim(a.request([one]));
    expect(await world.left()).toEqual([]);
  });

  test("a list has the newest claims first, and an entry past its lease as unknown", async () => {
    const { world, a, b } = await sent("confirmed");
    await b.claim(b.request([two], { account: "account 2", importSupplier: "OTHER", run: "r1" }));
    const all: TeamFilter = { limit: 10 };
    const listed = async (filter: Partial<TeamFilter>) =>
      (await a.ledger.list({ ...all, ...filter })).map(({ machine }) => machine);
    expect(await listed({})).toEqual(["b", "a"]);
    const [newest] = await a.ledger.list(all);
    const below = newest?.id ?? 0;
    expect(newest).toMatchObject({ state: "sending", run: "r1", importSupplier: "OTHER" });
    const filters: readonly (readonly [Partial<TeamFilter>, readonly string[]])[] = [
      [{ limit: 1 }, ["b"]],
      [{ below }, ["a"]],
      [{ id: below }, ["b"]],
      [{ exceptFolder: a.folder.journal }, ["b"]],
      [{ outcomes: ["confirmed"] }, ["a"]],
      [{ outcomes: ["unknown"] }, []],
      [{ outcomes: ["sending", "confirmed"] }, ["b", "a"]],
      [{ importSupplier: "OTHER" }, ["b"]],
      [{ externalAccountNumber: "EXT-1", machine: "a" }, ["a"]],
      [{ externalIdentifier: "none" }, []],
      [{ profile: "live" }, ["b", "a"]],
      [{ run: "r1" }, ["b"]],
      [{ since: (newest?.at ?? 0) + 60_000 }, []],
      [{ before: (newest?.at ?? 0) + 60_000 }, ["b", "a"]],
      [{ person: "person of b" }, ["b"]],
    ];
    for (const [filter, machines] of filters)
      expect([filter, await listed(filter)]).toEqual([filter, machines]);
    await world.pass(leaseMs + 1);
    expect(await listed({ outcomes: ["unknown"] })).toEqual(["b"]);
    expect(await listed({ outcomes: ["sending"] })).toEqual([]);
  });

  test("a question is answered with the findings of a claim, and claims nothing", async () => {
    const { a, b, request } = await sent("confirmed");
    const question = { service: request.service, localId: null };
    const items = [two, one].map(({ key }) => ({ key, name: null, isRecognized: false }));
    const ask = (machine: Machine, localId: number | null = null) =>
      machine.ledger.ask([
        { ...question, items, localId },
        { ...question, items: items.slice(0, 1), localId: null },
      ]);
    const finding = { position: 1, kind: "sent-before", state: "confirmed", isPassed: false };
    expect(await ask(b)).toMatchObject([[finding], []]);
    expect((await ask(b))[0]?.[0]?.earlier.machine).toBe("a");
    expect(await ask(a)).toMatchObject([[finding], []]);
    expect(await ask(a, request.localId)).toEqual([[], []]);
    expect((await b.claim(b.request([two]))).kind).toBe("claimed");
  });

  test.each<[OutcomeState, Parameters<Machine["publish"]>[2], string]>([
    ["confirmed", ["confirmed"], "sent-before"],
    ["unknown", ["unknown"], "sent-before"],
    ["retryable", ["retryable"], "sent-before"],
    ["retryable", [null], "claimed"],
    ["closed", ["closed"], "sent-before"],
    ["closed", ["confirmed"], "sent-before"],
    ["closed", [null], "claimed"],
    ["rejected", [null], "claimed"],
    ["rejected", ["rejected"], "sent-before"],
    ["rejected", ["blocked"], "refused-before"],
    ["unsent", [null], "claimed"],
  ])(
    "after an entry that is %s with %j, an equal item of a colleague is %s",
    async (state, states, expected) => {
      const { b } = await sent(state, states);
      const answer = await b.claim(b.request([one]));
      expect(kindOf(answer)).toBe(expected);
      if (answer.kind !== "barred") return;
      expect(answer.findings).toMatchObject([
        { position: 0, state: states?.[0] === "blocked" ? null : states?.[0] },
      ]);
      expect(answer.findings[0]?.earlier).toMatchObject({
        machine: "a",
        person: "person of a",
        state,
      });
    },
  );

  test("an item that the service recognizes is claimed, and the earlier entry is reported", async () => {
    const { b, id } = await sent("confirmed");
    const answer = await b.claim(b.request([{ ...one, isRecognized: true }]));
    expect(answer).toMatchObject({
      kind: "claimed",
      findings: [{ kind: "reported", state: "confirmed", earlier: { id } }],
    });
  });

  test("an item is barred while a colleague sends it, before and after its lease, and is never busy", async () => {
    const { world, a, b } = await pair();
    await a.claim(a.request([one]));
    const now = await b.claim(b.request([one]));
    expect(now).toMatchObject({ kind: "barred", findings: [{ earlier: { isLeaseOver: false } }] });
    await world.pass(leaseMs + 1);
    const later = await b.claim(b.request([one]));
    expect(later).toMatchObject({ kind: "barred", findings: [{ earlier: { isLeaseOver: true } }] });
  });

  test("the most severe finding comes first: an effect before a refusal, doubt before certainty", async () => {
    const { a, b } = await pair();
    for (const [item, state, states] of [
      [one, "rejected", ["blocked"]],
      [two, "confirmed", undefined],
      [{ key: "item 3" }, "unknown", undefined],
    ] as const) {
      const request = a.request([item]);
      await a.claim(request);
      await a.publish(request, state, states);
    }
    const answer = await b.claim(b.request([one, two, { key: "item 3" }]));
    expect(answer).toMatchObject({
      why: "sent-before",
      findings: [
        { position: 2, state: "unknown" },
        { position: 1, state: "confirmed" },
        { position: 0, kind: "refused-before" },
      ],
    });
  });

  test("an item of another service is another item", async () => {
    const { b } = await sent("confirmed");
    const request = b.request([one], { service: "https://other.example" });
    expect(await b.claim(request)).toMatchObject({ kind: "claimed", findings: [] });
  });

  test("an override passes the findings that it names, and is an event with its reason", async () => {
    const { world, b } = await sent("confirmed");
    const override = passing(await b.claim(b.request([one])), ["item 1"]);
    expect(await b.claim(b.request([one], { override }))).toMatchObject({ kind: "claimed" });
    expect(await world.events()).toEqual([{ kind: "override", reason: override.reason }]);
  });

  test.each<[string, (override: LedgerOverride) => LedgerOverride["passes"]]>([
    ["another item", ({ passes }) => passes.map((pass) => ({ ...pass, key: "item 2" }))],
    ["another kind", ({ passes }) => passes.map((pass) => ({ ...pass, kind: "refused-before" }))],
    [
      "another entry",
      ({ passes }) => passes.map((pass) => ({ ...pass, entry: { of: "ledger", id: 999 } })),
    ],
    [
      "an entry of the other machine's journal",
      ({ passes }) => passes.map((pass) => ({ ...pass, entry: { of: "journal", id: 1 } })),
    ],
    ["nothing", () => []],
  ])("an override of %s does not pass a finding", async (_, change) => {
    const { world, b } = await sent("unknown");
    const override = passing(await b.claim(b.request([one])), ["item 1"]);
    const request = b.request([one], { override: { ...override, passes: change(override) } });
    expect(kindOf(await b.claim(request))).toBe("sent-before");
    expect(await world.events()).toEqual([]);
  });

  test("an override does not pass an entry that arises after it", async () => {
    const { world, a, b } = await sent("unknown");
    const c = await world.machine("c");
    const override = passing(await b.claim(b.request([one])), ["item 1"]);
    const again = passing(await a.claim(a.request([one])), ["item 1"]);
    const other = a.request([one], { override: again });
    await a.claim(other);
    await a.publish(other, "confirmed");
    const late = await c.claim(c.request([one], { override }));
    expect(late).toMatchObject({ why: "sent-before" });
    expect(late.kind === "barred" && late.findings.map(({ isPassed }) => isPassed)).toEqual([
      false,
      true,
    ]);
  });

  test("an override names an entry of this machine by its ID in the journal", async () => {
    const { a, request } = await sent("confirmed");
    const passes = [
      { key: "item 1", kind: "sent-before", entry: { of: "journal", id: request.localId } },
    ] as const;
    const again = a.request([one], { override: { reason: "again", passes } });
    expect(await a.claim(again)).toMatchObject({ kind: "claimed", findings: [{ isPassed: true }] });
  });

  test("an account is busy while an entry is sent to it, until its outcome or its lease ends", async () => {
    const { world, a, b } = await pair();
    const [first, second, third] = [a.request([one]), b.request([two]), a.request([{ key: "3" }])];
    await a.claim(first);
    expect(await b.claim(second)).toMatchObject({ kind: "busy", entry: { machine: "a" } });
    await a.publish(first, "confirmed");
    expect(kindOf(await b.claim(second))).toBe("claimed");
    expect(kindOf(await a.claim(third))).toBe("busy");
    await world.pass(leaseMs + 1);
    expect(kindOf(await a.claim(third))).toBe("claimed");
    expect(kindOf(await b.claim(b.request([{ key: "4" }], { account: "account 2" })))).toBe(
      "claimed",
    );
  });

  test("of claims for one account in one call, the first is granted, and the others see it", async () => {
    const { a } = await pair();
    const [first, equal, other] = [a.request([one]), a.request([one]), a.request([two])];
    const elsewhere = a.request([{ key: "3" }], { account: "account 2" });
    const answers = await Promise.all(
      [first, equal, other, elsewhere].map((each) => a.claim(each)),
    );
    expect(answers.map(kindOf)).toEqual(["claimed", "sent-before", "busy", "claimed"]);
  });

  test("of outcomes in one call, one with the item of another is stored as sent twice", async () => {
    const { world, a } = await pair();
    const [first, second] = [a.request([one]), a.request([one])];
    const published = [first, second].map((each) => outcomeOf(each, "confirmed", ["confirmed"]));
    expect(await a.ledger.publish(published)).toEqual([]);
    expect((await world.events()).map(({ kind }) => kind)).toEqual(["twice"]);
    expect(kindOf(await a.claim(a.request([one])))).toBe("sent-before");
  });

  test("a renewed claim keeps its account, and one that lost it is not renewed", async () => {
    const { world, a, b } = await pair();
    const request = a.request([one]);
    const { localId, token } = request;
    const renewal = { journal: a.folder.journal, localId, token, attempts: 1 };
    await a.claim(request);
    await world.pass(leaseMs - 1_000);
    expect(await a.ledger.renew([renewal])).toEqual(new Set([request.token]));
    await world.pass(leaseMs - 1_000);
    expect(kindOf(await b.claim(b.request([two])))).toBe("busy");
    await world.pass(2_000);
    expect(kindOf(await b.claim(b.request([two])))).toBe("claimed");
    expect(await a.ledger.renew([renewal])).toEqual(new Set());
  });

  test("a claim whose answer was lost is found by its token, while it is good", async () => {
    const { world, a } = await pair();
    const request = a.request([one]);
    const first = await a.claim(request);
    const second = await a.claim(request);
    expect(first.kind === "claimed" && second.kind === "claimed" && second.id === first.id).toBe(
      true,
    );
    await world.pass(claimGoodMs + 1);
    expect(kindOf(await a.claim(request))).toBe("given-up");
  });

  test("a claim that arrives after it was given up does nothing", async () => {
    const { a, b } = await pair();
    const request = a.request([one]);
    expect(await a.publish(request, "unsent")).toEqual([]);
    expect(kindOf(await a.claim(request))).toBe("given-up");
    expect(kindOf(await b.claim(b.request([one])))).toBe("claimed");
  });

  test("an entry that was given up can be claimed again", async () => {
    const { a } = await pair();
    const request = a.request([one]);
    await a.claim(request);
    await a.publish(request, "unsent");
    const { localId, recordedAt } = request;
    expect(kindOf(await a.claim(a.request([one], { localId, recordedAt })))).toBe("claimed");
  });

  test.each<OutcomeState>(["unsent", "rejected", "retryable", "unknown", "closed"])(
    "confirmed never becomes %s",
    async (state) => {
      const { a, b, request } = await sent("confirmed");
      expect(await a.publish(request, state)).toEqual([request.localId]);
      expect(await changesAfter(b, null)).toMatchObject({ entries: [{ state: "confirmed" }] });
      expect(kindOf(await b.claim(b.request([one])))).toBe("sent-before");
    },
  );

  test("an item that was confirmed stays confirmed when its entry is claimed again and fails", async () => {
    const { a, b } = await pair();
    const request = a.request([one, two]);
    await a.claim(request);
    await a.publish(request, "retryable", ["confirmed", null]);
    const again = a.request([one, two], { ...request, token: crypto.randomUUID(), attempts: 1 });
    expect(kindOf(await a.claim(again))).toBe("claimed");
    await a.publish(again, "rejected", [null, null]);
    expect(kindOf(await b.claim(b.request([one])))).toBe("sent-before");
    expect(kindOf(await b.claim(b.request([two])))).toBe("claimed");
  });

  test.each<[OutcomeState, number, string]>([
    ["confirmed", 1, "recorded"],
    ["closed", 1, "recorded"],
    ["unknown", 0, "recorded"],
    ["retryable", 0, "recorded"],
    ["rejected", 0, "recorded"],
    ["unknown", 1, "claimed"],
    ["rejected", 1, "claimed"],
    ["unsent", 0, "claimed"],
  ])(
    "a state folder that has %s entries and knows %i attempts gets the answer %s",
    async (state, attempts, expected) => {
      const { a, request } = await sent(state);
      const { localId, recordedAt } = request;
      const again = a.request([one], { localId, recordedAt, attempts });
      expect(kindOf(await a.claim(again))).toBe(expected);
    },
  );

  test("a restored state folder does not send an entry that it claimed and forgot", async () => {
    const { world, a } = await pair();
    const request = a.request([one]);
    await a.claim(request);
    const { localId, recordedAt } = request;
    for (const ms of [0, leaseMs + 1]) {
      await world.pass(ms);
      const again = a.request([one], { localId, recordedAt });
      expect(await a.claim(again)).toMatchObject({ why: "recorded", entry: { state: "sending" } });
    }
  });

  test("a copied state folder is refused when it uses an ID for another entry", async () => {
    const { a, request } = await sent("rejected");
    const other = a.request([two], { localId: request.localId });
    expect(kindOf(await a.claim(other))).toBe("copied");
  });

  test("unsent is not taken from a state folder that is older than its own claims", async () => {
    const { a, b } = await pair();
    const request = a.request([one]);
    await a.claim(request);
    a.folder.seq -= 1;
    expect(await a.publish(request, "unsent")).toEqual([request.localId]);
    expect(kindOf(await b.claim(b.request([one])))).toBe("sent-before");
  });

  test("an attempt that was never sent frees its items", async () => {
    const { a, b } = await pair();
    const request = a.request([one]);
    await a.claim(request);
    expect(await a.publish(request, "unsent", [null], { attempts: 1 })).toEqual([]);
    expect(kindOf(await b.claim(b.request([one])))).toBe("claimed");
  });

  test("unsent is not taken from a state folder that is older than its attempts", async () => {
    const { a, b } = await pair();
    const request = a.request([one]);
    const { localId, token } = request;
    await a.claim(request);
    await a.ledger.renew([{ journal: a.folder.journal, localId, token, attempts: 1 }]);
    for (const attempts of [0, 1]) {
      a.folder.seq -= attempts;
      expect(await a.publish(request, "unsent", [null], { attempts })).toEqual([localId]);
    }
    expect(kindOf(await b.claim(b.request([one])))).toBe("sent-before");
  });

  test.each<OutcomeState>(["unsent", "rejected"])(
    "%s after a later claim that did not arrive is taken, and the claim does nothing",
    async (state) => {
      const { a, b } = await pair();
      const first = a.request([one]);
      await a.claim(first);
      await a.publish(first, "unsent");
      const { localId, recordedAt } = first;
      const later = a.request([one], { localId, recordedAt });
      expect(await a.publish(later, state, [null], { attempts: 0 })).toEqual([]);
      expect(kindOf(await a.claim(later))).toBe("given-up");
      expect(await a.publish(first, "retryable")).toEqual([localId]);
      expect(await changesAfter(b, null)).toMatchObject({ entries: [{ state }] });
    },
  );

  test.each<OutcomeState>(["rejected", "retryable"])(
    "a state folder that was restored in mid-attempt does not replace %s by its doubt",
    async (state) => {
      const { a, b, request } = await sent(state);
      expect(await a.publish(request, "unknown")).toEqual([request.localId]);
      expect(await changesAfter(b, null)).toMatchObject({ entries: [{ state }] });
      expect(await a.publish(request, "unknown", ["unknown"], { attempts: 2 })).toEqual([]);
    },
  );

  test("an outcome is taken only with the token and the login of its claim", async () => {
    const { world, a, b } = await pair();
    const request = a.request([one]);
    await a.claim(request);
    const guessed = { ...request, token: crypto.randomUUID() };
    expect(await a.publish(guessed, "unsent")).toEqual([request.localId]);
    const stranger = new Machine(a.folder, world.ledgerFor("b", a.folder));
    expect(await stranger.publish(request, "unsent")).toEqual([request.localId]);
    expect(kindOf(await b.claim(b.request([one])))).toBe("sent-before");
  });

  test.each<[TookEffect, string]>([
    ["unknown", "sent-before"],
    ["yes", "sent-before"],
    ["no", "claimed"],
  ])("after a colleague closed an entry with %s, its item is %s", async (tookEffect, expected) => {
    const { world, b, id } = await sent("unknown");
    expect(await b.ledger.closeEntry(id, { reason: "seen", tookEffect }, "closed")).toEqual({
      kind: "closed",
    });
    expect(await world.events()).toEqual([{ kind: "closed", reason: "seen" }]);
    expect(kindOf(await b.claim(b.request([one])))).toBe(expected);
  });

  test("only an entry whose outcome is open can be closed", async () => {
    const { world, a, b, id } = await sent("confirmed");
    const closing = { reason: "seen", tookEffect: "no" } as const;
    expect(await b.ledger.closeEntry(id, closing, "closed")).toMatchObject({ kind: "not-open" });
    expect(await b.ledger.closeEntry(999, closing, "closed")).toEqual({ kind: "not-found" });
    const sending = await a.claim(a.request([two]));
    const sendingId = sending.kind === "claimed" ? sending.id : 0;
    expect(await b.ledger.closeEntry(sendingId, closing, "closed")).toMatchObject({
      kind: "not-open",
    });
    await world.pass(leaseMs + 1);
    expect(await b.ledger.closeEntry(sendingId, closing, "closed")).toEqual({ kind: "closed" });
  });

  test("a machine that knows the outcome corrects a closed entry, and doubt does not", async () => {
    const { world, a, b, request, id } = await sent("unknown");
    await b.ledger.closeEntry(id, { reason: "seen", tookEffect: "no" }, "closed");
    expect(await a.publish(request, "unknown")).toEqual([request.localId]);
    const other = b.request([one]);
    expect(kindOf(await b.claim(other))).toBe("claimed");
    await b.publish(other, "confirmed");
    expect(await a.publish(request, "confirmed")).toEqual([]);
    const kinds = (await world.events()).map(({ kind }) => kind);
    expect(kinds).toEqual(["closed", "twice"]);
  });

  test("a reader gets every change after its watermark", async () => {
    const { a, b, request } = await sent("unknown");
    const first = await changesAfter(b, null);
    expect(first.entries).toMatchObject([{ state: "unknown", machine: "a", attempts: 1 }]);
    const other = b.request([two], { account: "account 2" });
    await b.claim(other);
    await a.publish(request, "confirmed");
    const second = await changesAfter(b, first.watermark);
    const changed = second.entries.map(({ machine, state }) => `${machine} ${state}`);
    expect(changed).toEqual(expect.arrayContaining(["a confirmed", "b sending"]));
    expect(kindOf(await b.claim(b.request([one])))).toBe("sent-before");
  });

  test("a ledger that was restored bars until every machine has reported back", async () => {
    const { world, a, b, request } = await sent("confirmed");
    expect(kindOf(await b.claim(b.request([two], { account: "2" })))).toBe("claimed");
    const before = await changesAfter(b, null);
    await world.restoreBefore(1);
    const requests = [a.request([{ key: "5" }]), b.request([one])] as const;
    expect(kindOf(await a.claim(requests[0]))).toBe("restored");
    expect(kindOf(await b.claim(requests[1]))).toBe("restored");
    const recognized = b.request([{ key: "6", isRecognized: true }], { account: "3" });
    expect(kindOf(await b.claim(recognized))).toBe("claimed");
    a.folder.isComplete = true;
    expect(await a.publish(request, "confirmed")).toEqual([]);
    expect(kindOf(await b.claim(requests[1]))).toBe("restored");
    b.folder.isComplete = true;
    await b.ledger.publish([]);
    expect(kindOf(await b.claim(requests[1]))).toBe("sent-before");
    expect((await world.events()).map(({ kind }) => kind)).toEqual(["restored", "repaired"]);
    const after = await changesAfter(b, before.watermark);
    expect(after.entries.map(({ machine }) => machine)).toContain("a");
  });

  test("a machine that has not seen the restore does not report back with its next outcome", async () => {
    const { world, a, b, request } = await sent("confirmed");
    await world.restoreBefore(1);
    expect(await world.repair("restored from Monday")).toEqual(["a"]);
    a.folder.isComplete = true;
    await a.ledger.publish([]);
    expect(kindOf(await b.claim(b.request([one])))).toBe("restored");
    expect(await a.publish(request, "confirmed")).toEqual([]);
    expect(kindOf(await b.claim(b.request([one])))).toBe("sent-before");
  });

  test("a machine without a journal that closes an entry is not waited for", async () => {
    const { world, id } = await sent("unknown");
    const reader = world.ledgerFor("b", {
      ...{ journal: noFolder, machine: "c", person: "c" },
      position: () => ({ seq: 0, state: null, isComplete: false }),
      seen() {},
    });
    const closing = { reason: "it did not arrive", tookEffect: "no" } as const;
    expect(await reader.closeEntry(id, closing, "closed")).toMatchObject({ kind: "closed" });
    expect(await world.repair("restored from Monday")).toEqual(["a"]);
  });

  test("a machine that cannot report back is dismissed by name", async () => {
    const { world, b } = await sent("confirmed");
    await b.claim(b.request([two]));
    expect(await world.repair("restored from Monday")).toEqual(["a", "b"]);
    expect(await world.repair("the laptop is lost", "a")).toEqual(["b"]);
    expect(kindOf(await b.claim(b.request([{ key: "7" }])))).toBe("restored");
    b.folder.isComplete = true;
    await b.ledger.publish([]);
    expect(kindOf(await b.claim(b.request([{ key: "7" }], { account: "2" })))).toBe("claimed");
  });

  test("retention removes old entries, and an item of money is barred for ever", async () => {
    const { world, a, b, id } = await sent("confirmed");
    const note = a.request([two], { movesMoney: false });
    await a.claim(note);
    await a.publish(note, "confirmed");
    const open = a.request([{ key: "8" }]);
    await a.claim(open);
    await a.publish(open, "unknown");
    await world.pass(731 * dayMs);
    expect(await world.retain()).toBe(2);
    expect(await world.retain()).toBe(0);
    const answer = await b.claim(b.request([one]));
    expect(answer).toMatchObject({ findings: [{ earlier: { id, isRemoved: true } }] });
    expect(kindOf(await b.claim(b.request([two])))).toBe("claimed");
    const { entries } = await changesAfter(b, null);
    expect(entries.find((entry) => entry.id === id)).toMatchObject({ externalAccountNumber: null });
    expect(entries.filter(({ state }) => state === "unknown")).toHaveLength(1);
  });
}
