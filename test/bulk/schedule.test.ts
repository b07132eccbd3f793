import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCircuit } from "../../src/bulk/schedule/circuit.ts";
import { createLanes } from "../../src/bulk/schedule/lanes.ts";
import { adaptiveLimit } from "../../src/bulk/schedule/limit.ts";

describe("how many may be under way", () => {
  const warm = (ceiling: number, answers: number, ms = 10) => {
    const limit = adaptiveLimit(ceiling);
    for (let n = 0; n < answers; n++) {
      limit.leaves();
      limit.answered(ms, true);
    }
    return limit;
  };

  it("starts low, grows while answers come fast, and stays under the ceiling", () => {
    expect(adaptiveLimit(16).current()).toBe(2);
    expect(adaptiveLimit(1).current()).toBe(1);
    expect(warm(16, 6).current()).toBe(8);
    expect(warm(16, 500).current()).toBe(16);
  });

  it("does not grow on answers that came while there was room", () => {
    const limit = adaptiveLimit(16);
    for (let n = 0; n < 50; n++) limit.answered(10, false);
    expect(limit.current()).toBe(2);
  });

  it("halves once for all requests that were under way together, then climbs back slowly", () => {
    const limit = warm(16, 100);
    const together = Array.from({ length: 16 }, () => limit.leaves());
    for (const number of together) limit.strained(number);
    expect(limit.current()).toBe(8);
    limit.strained(limit.leaves());
    expect(limit.current()).toBe(4);
    limit.answered(10, true);
    expect(limit.current()).toBe(4);
    for (let n = 0; n < 200; n++) limit.answered(10, true);
    expect(limit.current()).toBe(16);
  });

  it("never falls below one", () => {
    const limit = warm(16, 100);
    for (let n = 0; n < 20; n++) limit.strained(limit.leaves());
    expect(limit.current()).toBe(1);
  });

  it("eases off when answers take much longer than they did, and recovers with them", () => {
    const limit = warm(16, 100, 20);
    for (let n = 0; n < 60; n++) {
      limit.leaves();
      limit.answered(900, true);
    }
    expect(limit.current()).toBeLessThan(12);
    for (let n = 0; n < 300; n++) {
      limit.leaves();
      limit.answered(20, true);
    }
    expect(limit.current()).toBe(16);
  });

  it("is not frightened by answers that are slow by a few milliseconds", () => {
    const limit = warm(16, 100, 2);
    for (let n = 0; n < 100; n++) {
      limit.leaves();
      limit.answered(40, true);
    }
    expect(limit.current()).toBe(16);
  });
});

describe("whether the service is there", () => {
  const lost = (line: number) => ({ line, neverSent: false, why: "it fails" });

  it("takes a few failures in a row, of more than one row, to say that it is not", () => {
    let now = 0;
    const circuit = createCircuit(() => now);
    for (let n = 0; n < 10; n++) circuit.bad(lost(2));
    expect(circuit.phase().kind).toBe("flowing");
    circuit.good();
    for (const line of [2, 3, 2]) circuit.bad(lost(line));
    expect(circuit.phase().kind).toBe("flowing");
    now = 500;
    circuit.bad(lost(3));
    expect(circuit.phase()).toEqual({ kind: "down", since: 0, until: 1500, why: "it fails" });
  });

  it("takes two that never left", () => {
    const circuit = createCircuit(() => 0);
    circuit.bad({ ...lost(2), neverSent: true });
    circuit.bad({ ...lost(2), neverSent: true });
    expect(circuit.phase().kind).toBe("down");
  });

  it("looks after 1, 2, 4 … 30 seconds, and begins anew after a good answer", () => {
    let now = 0;
    const circuit = createCircuit(() => now);
    for (let n = 0; n < 2; n++) circuit.bad({ ...lost(2), neverSent: true });
    const waits: number[] = [];
    for (let n = 0; n < 7; n++) {
      const phase = circuit.phase();
      if (phase.kind !== "down") throw new Error(phase.kind);
      waits.push(phase.until - now);
      now = phase.until;
      circuit.lookFailed("still down");
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    circuit.goOn();
    expect(circuit.phase().kind).toBe("trying");
    circuit.good();
    expect(circuit.phase().kind).toBe("flowing");
    expect(circuit.troubledSince()).toBeNull();
  });

  it("a row that fails after a look was answered is a longer wait, not a new beginning", () => {
    let now = 0;
    const circuit = createCircuit(() => now);
    for (let n = 0; n < 2; n++) circuit.bad({ ...lost(2), neverSent: true });
    now = 1000;
    circuit.goOn();
    circuit.bad(lost(2));
    expect(circuit.phase()).toMatchObject({ kind: "down", since: 0, until: 3000 });
    expect(circuit.triedInVain()).toBe(1);
  });

  it("being asked to wait is no failure, and the longest wait counts", () => {
    const circuit = createCircuit(() => 0);
    circuit.asked(5000, "asked");
    circuit.asked(2000, "asked");
    expect(circuit.phase()).toMatchObject({ kind: "held", until: 5000 });
    circuit.good();
    expect(circuit.phase().kind).toBe("held");
    circuit.goOn();
    expect(circuit.phase().kind).toBe("flowing");
  });
});

describe("rows in lanes", () => {
  interface Item {
    readonly n: number;
    readonly lane: string;
    notBefore: number;
  }

  it("gives every row out once, in order within its lane, whatever comes back", () => {
    const lane = fc.integer({ min: 0, max: 4 });
    const turn = fc.record({ again: fc.boolean(), wait: fc.integer({ min: 0, max: 3 }) });
    fc.assert(
      fc.property(fc.array(lane, { maxLength: 60 }), fc.array(turn), (names, turns) => {
        const lanes = createLanes<Item>();
        for (const [n, name] of names.entries()) {
          lanes.add({ n, lane: String(name), notBefore: 0 });
        }
        const out: Item[] = [];
        const under: Item[] = [];
        let now = 0;
        let at = 0;
        for (;;) {
          const taken = lanes.take(now);
          if (taken !== null) {
            // Never two of a lane at once.
            expect(under.map((item) => item.lane)).not.toContain(taken.lane);
            expect(taken.notBefore).toBeLessThanOrEqual(now);
            under.push(taken);
            if (under.length < 3) continue;
          }
          const job = under.shift();
          if (job === undefined) {
            const due = lanes.nextDue();
            if (due === null) break;
            now = due;
            continue;
          }
          const what = turns[at++];
          if (what?.again) {
            job.notBefore = what.wait === 0 ? 0 : now + what.wait;
            lanes.putBack(job);
          } else {
            out.push(job);
            lanes.release(job);
          }
        }
        expect(lanes.size()).toBe(0);
        expect(out).toHaveLength(names.length);
        for (const name of new Set(names)) {
          const mine = out.filter((item) => item.lane === String(name)).map(({ n }) => n);
          expect(mine).toEqual(mine.toSorted((one, other) => one - other));
        }
      }),
    );
  });

  it("side by side for different accounts, one at a time for the same", () => {
    const lanes = createLanes<Item>();
    for (const [n, lane] of ["a", "a", "b", "c"].entries()) lanes.add({ n, lane, notBefore: 0 });
    const taken = [lanes.take(0), lanes.take(0), lanes.take(0), lanes.take(0)];
    expect(taken.map((item) => item?.n ?? null)).toEqual([0, 2, 3, null]);
  });
});
