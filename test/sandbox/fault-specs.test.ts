import { endpointNames } from "../../src/sandbox/endpoints.ts";
import { faults } from "../../src/sandbox/faults/faults.ts";
import { dripRate, durationMs, parseFault } from "../../src/sandbox/faults/specs.ts";
import { faultKinds, startSandbox } from "../../src/sandbox/index.ts";

describe("reading a fault spec", () => {
  test("all parts together, and the defaults of those left out", () => {
    expect(parseFault("429=2s@notesx3%12.5")).toMatchObject({
      kind: { name: "429" },
      value: "2s",
      endpoints: new Set(["notes"]),
      count: 3,
      probability: 0.125,
    });
    const plain = parseFault("reset-after");
    expect(plain).toMatchObject({ value: undefined, count: Infinity, probability: 1 });
    // Every endpoint but the call for a token.
    expect(plain.endpoints.size).toBe(endpointNames.length - 1);
    expect(plain.endpoints).not.toContain("token");
    expect(parseFault("hang@lists").endpoints).toEqual(new Set(["all", "pending", "imported"]));
    expect(parseFault("drip=16/50ms@allx2")).toMatchObject({ value: "16/50ms", count: 2 });
  });

  test.each([
    ["", "PROBABILITY] is expected"],
    ["500@notes@all", "PROBABILITY] is expected"],
    ["explode", '"explode" is not a kind of fault. Kinds: latency, 302'],
    ["500@kitchen", '"kitchen" is not an endpoint. Endpoints: notes,'],
    ["500@constructor", '"constructor" is not an endpoint. Endpoints: notes,'],
    ["500=2s", "500 takes no value"],
    ["latency", "latency needs a value: DURATION"],
    ["latency=soon", "a duration such as 300ms or 2s"],
    ["truncate=half", "Allowed: length|chunked|close|prefix"],
    ["drip=0/50ms", "Allowed: BYTES/a duration"],
    ["rate=400ms/", "Allowed: a duration"],
    ["cut=half", "Allowed: a whole number"],
    ["rows=-1", "Allowed: a whole number"],
    ["rows", "rows needs a value: COUNT"],
    ["shape=round", "Allowed: wrapped|null"],
    ["auth=basic", "Allowed: token|bare|both"],
    ["auth=bare@notes", "is a setting"],
    ["500%101", "from 0 to 100"],
  ])("%j is refused with what is allowed", (text, reason) => {
    expect(() => parseFault(text)).toThrow(reason);
    expect(() => parseFault(text)).toThrow(`Fault "${text}"`);
  });

  test("every kind that is listed can be asked for", () => {
    const examples: Record<string, string> = {
      DURATION: "2s",
      "DURATION|DURATION/DURATION": "400ms 400ms/1s",
      "BYTES/DURATION": "1/2ms",
      BYTES: "0 1234567",
      COUNT: "0 100",
    };
    for (const { name, value } of faultKinds) {
      const plain = value?.replace(/^\[|\]$/g, "") ?? "";
      const words = value === undefined ? [] : (examples[plain]?.split(" ") ?? plain.split("|"));
      for (const word of words) expect(parseFault(`${name}=${word}`).value).toBe(word);
      if (value === undefined || value.startsWith("[")) {
        expect(parseFault(name).kind.name).toBe(name);
      }
    }
  });

  test("durations and rates", () => {
    expect(["300ms", "1.5s", "2m", "5", "s", "-1s"].map(durationMs)).toEqual([
      300,
      1500,
      120_000,
      undefined,
      undefined,
      undefined,
    ]);
    expect(dripRate("8/1s")).toEqual({ bytes: 8, everyMs: 1000 });
    expect(dripRate("8/1s/2")).toBeUndefined();
  });

  test("a sandbox does not start with a bad one", async () => {
    await expect(startSandbox({ faults: ["500", "explode"] })).rejects.toThrow('Fault "explode"');
  });
});

describe("which fault is injected", () => {
  test("each as often as it may, the one before the effect ahead of the one after", () => {
    const armed = faults(["500-after@notesx1", "503@notesx2", "401@reads"], 1);
    const struck = (endpoint: "notes" | "all") => {
      const { before, after } = armed.plan(endpoint);
      return (before ?? after)?.kind.name;
    };
    expect([1, 2, 3, 4].map(() => struck("notes"))).toEqual(["503", "503", "500-after", undefined]);
    expect(struck("all")).toBe("401");
  });

  test("a rate accepts one request in its time, at all of its endpoints together", () => {
    let now = 0;
    const armed = faults(["rate=400ms@any"], 1, () => now);
    const refused = [0, 100, 399, 400, 401, 900].map((at, n) => {
      now = at;
      return armed.plan(n % 2 === 0 ? "notes" : "all").before?.kind.name;
    });
    expect(refused).toEqual([undefined, "rate", "rate", undefined, "rate", undefined]);
  });

  test("chance draws from the seed: the same every time, and about as often as was said", () => {
    const run = (seed: number) => {
      const armed = faults(["500%25"], seed);
      return Array.from({ length: 2000 }, () => armed.plan("notes").before !== undefined);
    };
    expect(run(7)).toEqual(run(7));
    expect(run(7)).not.toEqual(run(8));
    expect(run(7).filter(Boolean).length / 2000).toBeCloseTo(0.25, 1);
  });

  test("a bad spec leaves the faults in force as they were", () => {
    const armed = faults(["500"], 1);
    expect(() => armed.set(["401", "explode"])).toThrow();
    expect(armed.plan("notes").before?.kind.name).toBe("500");
  });
});
