/**
 * Writes of several machines through one ledger in memory: what is sent, what each journal says, and
 * what the ledger has of it.
 */
import { serviceKey } from "../../../src/api/url.ts";
import { AppError } from "../../../src/errors/app-error.ts";
import { listActivity } from "../../../src/writes/activity.ts";
import { type ProcessLife, processLife } from "../../../src/writes/owner.ts";
import { recover } from "../../../src/writes/recover.ts";
import { resend } from "../../../src/writes/resend.ts";
import { whileRenewed } from "../../../src/writes/send/claim.ts";
import {
  type CommitPoint,
  commitPoints,
  type WriteContext,
} from "../../../src/writes/send/events.ts";
import { entryOf, submit } from "../../../src/writes/submit.ts";
import { claimGoodMs, type Ledger, type Team } from "../../../src/writes/team/ledger.ts";
import { openTeam } from "../../../src/writes/team/team.ts";
import { eventWords } from "../../../src/writes/words/events.ts";
import { fakeClock, hurriedClock } from "../../helpers/clock.ts";
import { journalFolder } from "../../helpers/folders.ts";
import { type Act, closedPort, openService } from "../../helpers/service.ts";
import { contextFor, hurried, instruction, noted, notes } from "../writing.ts";
import { memoryWorld } from "./memory-ledger.ts";

const made = (reference: string): Act => ({
  status: 201,
  body: { service_account_number: "A", reference },
});

interface Machine {
  readonly context: WriteContext;
  readonly team: Team;
  readonly folder: string;
}

interface MachineOptions {
  readonly folder?: string;
  readonly process?: ProcessLife;
  /** The address of the service. Default: that of the world. */
  readonly baseUrl?: string;
  readonly change?: (ledger: Ledger) => Partial<Ledger>;
}

/** A service and a ledger, with machines that can lose their connection to it. */
async function openWorld(acts: readonly Act[] = [made("R-1")]) {
  const server = await openService({ writes: acts });
  const world = memoryWorld();
  const reader = await world.machine("reader");
  let isAway = false;
  /** Milliseconds by which the clocks of the permits are ahead. */
  let aheadMs = 0;
  const unavailable = () => new AppError("team", "team-unavailable", "away");
  const machine = async (name: string, options: MachineOptions = {}): Promise<Machine> => {
    const { folder = journalFolder(), process = processLife(globalThis.process.pid) } = options;
    const { baseUrl = server.baseUrl } = options;
    const alone = await contextFor(baseUrl, { folder, process, clock: hurriedClock() });
    const now = () => alone.clock.now() + aheadMs;
    const team = openTeam({
      journal: alone.journal,
      place: { service: serviceKey(baseUrl), address: "db/ledger" },
      names: { machine: name, person: `person of ${name}` },
      clock: { ...alone.clock, now },
      steady: now,
      every: () => () => {},
      open: (user) => {
        const real = world.ledgerFor(name, user);
        const ledger: Ledger = {
          ...real,
          claim: async (...given) => {
            if (isAway) return { kind: "away", error: unavailable() };
            const askedAt = { wall: now(), steady: now() };
            const answer = await real.claim(...given);
            return answer.kind === "claimed" ? { ...answer, askedAt } : answer;
          },
          renew: (...given) => (isAway ? Promise.reject(unavailable()) : real.renew(...given)),
          publish: (...given) => (isAway ? Promise.reject(unavailable()) : real.publish(...given)),
        };
        return { ...ledger, ...options.change?.(ledger) };
      },
    });
    onTestFinished(async () => void (await team.close().catch(() => {})));
    return { context: { ...alone, team }, team, folder };
  };
  return {
    server,
    world,
    machine,
    /** The machine and the state of each entry of the ledger. */
    entries: async () =>
      (await reader.ledger.since(null)).entries.map((one) => `${one.machine} ${one.state}`),
    setAway: (next: boolean) => {
      isAway = next;
    },
    wait: (ms: number) => {
      aheadMs += ms;
    },
  };
}

const pay = ({ context }: Machine, options: Parameters<typeof hurried>[0] = {}) =>
  submit(context, instruction(), hurried(options).options);

test("a request that cannot leave bars neither a colleague nor the next try", async () => {
  const { machine, entries } = await openWorld();
  const baseUrl = `http://127.0.0.1:${await closedPort()}`;
  const [one, other] = [await machine("m1", { baseUrl }), await machine("m2", { baseUrl })];
  const neverSent = { outcome: "unsent", reason: "never-sent", attempts: 4 };
  const first = await pay(one);
  expect(first).toMatchObject(neverSent);
  await one.team.publish();
  expect(await entries()).toEqual(["m1 unsent"]);
  expect(await pay(other)).toMatchObject(neverSent);
  await other.team.publish();
  const again = await resend(one.context, first.journalId, hurried().options);
  expect(again).toMatchObject({ ...neverSent, attempts: 8 });
});

test("of two machines with one payment, one sends it, and the other names the first", async () => {
  const { server, machine, entries } = await openWorld();
  const [one, other] = [await machine("m1"), await machine("m2")];
  const results = await Promise.all([pay(one), pay(other)]);
  expect(server.writes()).toHaveLength(1);
  const [sent, barred] = results.toSorted((a, b) => a.outcome.localeCompare(b.outcome));
  expect(sent).toMatchObject({ outcome: "confirmed", refusal: null });
  expect(barred).toMatchObject({ outcome: "unsent", reason: "sent-before", attempts: 0 });
  const { refusal } = barred ?? {};
  expect(refusal?.kind === "barred" ? refusal.findings[0]?.earlier.machine : null).toMatch(
    /^m[12]$/,
  );
  await Promise.all([one.team.publish(), other.team.publish()]);
  expect((await entries()).toSorted().map((entry) => entry.split(" ")[1])).toEqual(
    expect.arrayContaining(["confirmed", "unsent"]),
  );
});

test("nothing is sent while the ledger is away, and a later contact frees the item", async () => {
  const { server, machine, setAway, entries } = await openWorld();
  const [one, other] = [await machine("m1"), await machine("m2")];
  setAway(true);
  expect(await pay(one)).toMatchObject({ outcome: "unsent", reason: "team-away", attempts: 0 });
  expect(await one.team.publish()).toBe(1);
  expect(server.writes()).toEqual([]);
  setAway(false);
  expect(await one.team.publish()).toBe(0);
  expect(await entries()).toEqual(["m1 unsent"]);
  expect((await pay(other)).outcome).toBe("confirmed");
});

test("an outcome that could not be published bars a colleague, and the next process publishes it", async () => {
  const { server, machine, setAway, entries } = await openWorld();
  const [one, other] = [await machine("m1"), await machine("m2")];
  const lost = await pay(one, { atPoint: (point) => setAway(point !== "claiming") });
  expect(lost.outcome).toBe("confirmed");
  expect(await one.team.publish()).toBe(1);
  setAway(false);
  expect(await entries()).toEqual(["m1 sending"]);
  expect((await pay(other)).reason).toBe("sent-before");
  const next = await machine("m1", { folder: one.folder });
  await next.team.ready;
  expect(await entries()).toContain("m1 confirmed");
  expect((await pay(other)).reason).toBe("sent-before");
  expect(server.writes()).toHaveLength(1);
});

test("an entry is not sent again before its last outcome is published", async () => {
  const { server, machine, setAway } = await openWorld();
  const one = await machine("m1");
  setAway(true);
  const { journalId } = await pay(one);
  const again = () => resend(one.context, journalId, hurried().options);
  await expect(again()).rejects.toMatchObject({ kind: "team-unavailable" });
  expect(server.writes()).toEqual([]);
  setAway(false);
  expect((await again()).outcome).toBe("confirmed");
  expect(server.writes()).toHaveLength(1);
});

test("a permission that is too old at the commit of the attempt sends nothing", async () => {
  const { server, machine, wait } = await openWorld();
  const one = await machine("m1");
  const atPoint = (point: CommitPoint) => {
    if (point === "claimed") wait(claimGoodMs);
  };
  const result = await pay(one, { atPoint });
  expect(server.writes()).toEqual([]);
  expect(result).toMatchObject({ outcome: "unsent", reason: "deadline", attempts: 0 });
});

test("bytes that would leave too late stay, and the next attempt has a permission of its own", async () => {
  const { server, machine, wait } = await openWorld();
  const one = await machine("m1");
  let attempts = 0;
  const sentAt: number[] = [];
  const atPoint = (point: CommitPoint) => {
    if (point === "attempt-committed" && ++attempts === 1) wait(claimGoodMs);
    if (point === "answered") sentAt.push(server.writes().length);
  };
  const result = await pay(one, { atPoint });
  expect(sentAt).toEqual([0, 1]);
  expect(result).toMatchObject({ outcome: "confirmed", attempts: 2 });
});

test("a second attempt needs the claim, and a claim that is lost ends the write as it is", async () => {
  const renewals: boolean[] = [];
  const { server, machine } = await openWorld([{ status: 503 }, { status: 503 }, noted("one")]);
  const answers = [true, false];
  const one = await machine("m1", {
    change: ({ renew }) => ({
      renew: async (claims) => {
        const isOurs = answers.shift() === true;
        renewals.push(isOurs);
        return isOurs ? renew(claims) : new Set<string>();
      },
    }),
  });
  const result = await submit(one.context, notes("one"), hurried().options);
  expect(renewals).toEqual([true, false]);
  expect(server.writes()).toHaveLength(2);
  expect(result).toMatchObject({ outcome: "unknown", reason: "team-refused", attempts: 2 });
});

test("an unsent outcome that was refused because of another process of the folder is published again", async () => {
  const { machine, setAway, entries } = await openWorld();
  let refusals = 0;
  const one: Machine = await machine("m1", {
    change: ({ publish }) => ({
      publish: async (outcomes) => {
        if (refusals++ > 0) return publish(outcomes);
        await one.context.journal.commit((rows) => rows.run("UPDATE team_self SET seq = seq + 1"));
        return outcomes.map(({ localId }) => localId);
      },
    }),
  });
  setAway(true);
  expect((await pay(one)).reason).toBe("team-away");
  setAway(false);
  expect(await one.team.publish()).toBe(0);
  expect(await entries()).toEqual(["m1 unsent"]);
});

test("a claim is renewed every minute while its entry waits, and no longer", async () => {
  const { machine } = await openWorld();
  const renewed: string[] = [];
  const one = await machine("m1", {
    change: () => ({
      renew: (claims) => {
        for (const { token } of claims) renewed.push(token);
        return Promise.reject(new AppError("team", "team-unavailable", "away"));
      },
    }),
  });
  const { journalId: id } = await pay(one);
  const clock = fakeClock();
  const context = { ...one.context, clock };
  const entry = entryOf(context, id);
  const first = whileRenewed(context, { made: 0, entry }, () => clock.sleep(600_000));
  await clock.advance(600_000);
  await first;
  expect(renewed).toEqual([]);
  const waiting = whileRenewed(context, { made: 1, entry }, () => clock.sleep(185_000));
  await clock.advance(185_000);
  await waiting;
  await clock.advance(600_000);
  expect(renewed).toHaveLength(3);
  expect(new Set(renewed).size).toBe(1);
});

test("a colleague's entry to the same account is waited for, and then the entry is sent", async () => {
  const { server, world, machine } = await openWorld(["hang", made("R-2")]);
  const [one, other] = [await machine("m1"), await machine("m2")];
  const stopped = new AbortController();
  const first = pay(one, { signal: stopped.signal });
  await expect.poll(() => server.writes().length).toBe(1);
  const waitedFor: string[] = [];
  const { options } = hurried({
    onEvent: (event) => {
      if (event.kind !== "waiting-for-colleague") return;
      waitedFor.push(event.entry.machine);
      expect(server.writes()).toHaveLength(1);
      void world.pass(200_000);
    },
  });
  const second = await submit(other.context, instruction("GOODPAY", "R-2"), options);
  expect(waitedFor).toEqual(["m1"]);
  expect(second.outcome).toBe("confirmed");
  stopped.abort();
  await first;
});

test("a note that a colleague sent is sent, too, and the colleague is named", async () => {
  const { server, machine } = await openWorld([noted("one"), noted("one"), noted("one")]);
  const [one, other] = [await machine("m1"), await machine("m2")];
  const said = async ({ context }: Machine) => {
    const sentences: string[] = [];
    const { options } = hurried({
      onEvent: (event) => {
        if (event.kind === "sent-by-colleague") sentences.push(eventWords(event, null) ?? "");
      },
    });
    expect((await submit(context, notes("one"), options)).outcome).toBe("confirmed");
    return sentences;
  };
  expect(await said(one)).toEqual([]);
  await one.team.publish();
  const words =
    /^The same note was sent before and confirmed, as t1 by \S+ \(person of m1\) on m1 at \S+Z\. The service does not add it twice\.$/;
  expect(await said(other)).toEqual([expect.stringMatching(words)]);
  await other.team.publish();
  // Of entries of its own, the guard of the journal reports.
  expect(await said(other)).toHaveLength(1);
  expect(server.writes()).toHaveLength(3);
});

test("the next entry of a machine to an account publishes the one before, and waits for no colleague", async () => {
  const { promise: busy, resolve } = Promise.withResolvers<void>();
  const { server, machine } = await openWorld([noted("one"), noted("two")]);
  const one = await machine("m1", {
    change: ({ claim, publish }) => ({
      claim: async (...given) => {
        const answer = await claim(...given);
        if (answer.kind === "busy") resolve();
        return answer;
      },
      publish: (outcomes) => busy.then(() => publish(outcomes)),
    }),
  });
  const events: string[] = [];
  const { options } = hurried({ onEvent: ({ kind }) => void events.push(kind) });
  for (const text of ["one", "two"])
    expect((await submit(one.context, notes(text), options)).outcome).toBe("confirmed");
  expect(server.writes()).toHaveLength(2);
  expect(events).not.toContain("waiting-for-colleague");
});

/** The possible answers to a colleague with the same payment after a kill at a point. */
const afterKill: Readonly<Record<CommitPoint, readonly [own: string, colleague: string]>> = {
  "before-intent": ["none", "confirmed"],
  "intent-committed": ["unsent", "confirmed"],
  "queued-reported": ["unsent", "confirmed"],
  "looked-up": ["not reached", ""],
  claiming: ["unsent", "confirmed"],
  claimed: ["unsent", "confirmed"],
  "attempt-committed": ["unknown", "unsent"],
  // No process can be held at this point in a test: a response may arrive meanwhile.
  "headers-sent": ["not reached", ""],
  answered: ["unknown", "unsent"],
  "attempt-recorded": ["not reached", ""],
  waiting: ["not reached", ""],
  "outcome-committed": ["confirmed", "unsent"],
  "outcome-reported": ["confirmed", "unsent"],
};

test.each(commitPoints.filter((point) => afterKill[point][0] !== "not reached"))(
  "a process that is killed at %s sends at most once, and a colleague is not misled",
  async (point) => {
    const { server, machine } = await openWorld();
    const { self } = processLife(globalThis.process.pid);
    const dying: ProcessLife = {
      self: { ...self, pid: 1, startedAt: "before" },
      lifeOf: () => "alive",
    };
    const { promise: reached, resolve } = Promise.withResolvers<void>();
    const killed = await machine("m1", {
      process: dying,
      // A killed process publishes nothing.
      change: () => ({ publish: () => new Promise(() => {}) }),
    });
    const atPoint = async (at: CommitPoint) => {
      if (at !== point) return;
      resolve();
      await new Promise(() => {});
    };
    void pay(killed, { atPoint });
    await reached;
    const next = await machine("m1", { folder: killed.folder });
    await recover(next.context.journal, { ...next.context.process, lifeOf: () => "dead" }, 1);
    await next.team.publish();
    const [own, colleague] = afterKill[point];
    expect(listActivity(next.context.journal).map(({ outcome }) => outcome)).toEqual(
      own === "none" ? [] : [own],
    );
    expect((await pay(await machine("m2"))).outcome).toBe(colleague);
    expect(server.writes().length).toBeLessThanOrEqual(1);
  },
);
