import { isDeepStrictEqual } from "node:util";
import { type AccountBatch, AccountFlag } from "../../../src/accounts/ingest/batch.ts";
import { AccountRowReader } from "../../../src/accounts/ingest/reader.ts";
import * as fc from "../../helpers/fast-check.ts";

interface Row {
  readonly external: string;
  readonly service: string | null;
  readonly created: string | null;
  readonly createdAt: number;
  readonly extras: string | null;
  readonly flags?: number;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function rowsOf(batch: AccountBatch | null): Row[] {
  if (!batch) return [];
  expect(batch.ends.length).toBe(batch.count * 3);
  expect(batch.text.length).toBe(batch.ends[batch.count * 3 - 1]);
  return Array.from({ length: batch.count }, (_, row) => {
    const end = (column: number) => batch.ends[row * 3 + column] ?? 0;
    const text = (from: number, to: number) => decoder.decode(batch.text.subarray(from, to));
    const flags = batch.flags[row] ?? 0;
    expect((flags & AccountFlag.extras) !== 0).toBe(batch.extras.has(row));
    expect(flags & AccountFlag.extras && flags & AccountFlag.unstoredExtras).toBe(0);
    return {
      external: text(row === 0 ? 0 : (batch.ends[row * 3 - 1] ?? 0), end(0)),
      service: flags & AccountFlag.serviceNull ? null : text(end(0), end(1)),
      created: flags & AccountFlag.createdNull ? null : text(end(1), end(2)),
      createdAt: batch.createdAt[row] ?? 0,
      extras: batch.extras.get(row) ?? null,
      flags,
    };
  });
}

function read(
  body: string | Uint8Array,
  chunk = Number.POSITIVE_INFINITY,
  options?: { brand?: string; batchRows?: number },
) {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const reader = new AccountRowReader(options);
  const rows: Row[] = [];
  const size = Math.min(chunk, Math.max(1, bytes.length));
  for (let at = 0; at < bytes.length; at += size) {
    rows.push(...rowsOf(reader.push(bytes.subarray(at, at + size))));
  }
  const end = reader.end();
  rows.push(...rowsOf(end.batch));
  expect(end.rows).toBe(rows.length);
  return { rows, unreadableRows: end.unreadableRows, problem: end.problem };
}

const numbers = (rows: readonly Row[]) => rows.map((row) => row.external);

/** Returns the rows, read with JSON.parse. */
function expected(body: string, brand = "service") {
  const parsed = JSON.parse(body) as unknown;
  const items = Array.isArray(parsed)
    ? parsed
    : (Object.values(parsed as object).find((value) => Array.isArray(value) && value.length > 0) ??
      []);
  const rows: Omit<Row, "createdAt" | "extras">[] = [];
  let unreadableRows = 0;
  for (const item of items as unknown[]) {
    const own = typeof item === "object" && item !== null && !Array.isArray(item) ? item : {};
    const fields = new Map<string, unknown>(Object.entries(own));
    const text = (name: string) => {
      const value = fields.get(name) ?? null;
      if (value === null) return null;
      return typeof value === "string" ? value : JSON.stringify(value);
    };
    const external = fields.get("external_account_number");
    const columns = ["external_account_number", "account_created_at"].map((name) =>
      fields.get(name),
    );
    if (external === "" || (typeof external !== "string" && typeof external !== "number")) {
      unreadableRows += 1;
      continue;
    }
    const others = [...fields.keys()].filter(
      (name) => name.endsWith("_account_number") && name !== "external_account_number",
    );
    const mine = `${brand}_account_number`;
    const service = fields.has(mine) ? mine : others.length === 1 ? others[0] : undefined;
    columns.push(service === undefined ? null : fields.get(service));
    if (columns.some((value) => typeof value === "string" && !value.isWellFormed())) {
      unreadableRows += 1;
      continue;
    }
    rows.push({
      external: text("external_account_number") ?? "",
      service: service === undefined ? null : text(service),
      created: text("account_created_at"),
    });
  }
  return { rows, unreadableRows };
}

const ordinary = `[{"external_account_number":"EXT-1","service_account_number":"A-1","account_created_at":"2026-01-02T03:04:05Z"},
 {"external_account_number":"EXT-2","service_account_number":null,"account_created_at":null}]`;

describe("the list as documented", () => {
  test("the reader returns the same rows for any chunk size", () => {
    for (let size = 1; size <= ordinary.length; size++) {
      const { rows, problem, unreadableRows } = read(ordinary, size);
      expect(problem).toBeNull();
      expect(unreadableRows).toBe(0);
      expect(rows.map(({ flags: _, ...row }) => row)).toEqual([
        {
          external: "EXT-1",
          service: "A-1",
          created: "2026-01-02T03:04:05Z",
          createdAt: Date.UTC(2026, 0, 2, 3, 4, 5),
          extras: null,
        },
        { external: "EXT-2", service: null, created: null, createdAt: Number.NaN, extras: null },
      ]);
    }
  });

  test("an empty list is whole and has no rows", () => {
    expect(read(" [ ] \n")).toEqual({ rows: [], unreadableRows: 0, problem: null });
  });

  test("a byte order mark and white space around everything are passed over", () => {
    const spaced = ordinary.replaceAll(/([{}[\]:,])(?!\d)/g, "\r\n\t $1 ");
    for (const size of [1, 2, 3, 7, 1000]) {
      const { rows, problem } = read(`\ufeff${spaced}`, size);
      expect(problem).toBeNull();
      expect(numbers(rows)).toEqual(["EXT-1", "EXT-2"]);
    }
  });

  test("the first rows come with the first bytes that complete one, later ones in larger batches", () => {
    const reader = new AccountRowReader({ batchRows: 100 });
    const row = (at: number) => `{"external_account_number":"E${at}"}`;
    expect(reader.push(Buffer.from('[{"external_acc'))).toBeNull();
    expect(reader.push(Buffer.from('ount_number":"E0"},'))?.count).toBe(1);
    const sizes: number[] = [];
    for (let at = 1; at < 5000; at++) {
      const batch = reader.push(Buffer.from(`${row(at)},`));
      if (batch) sizes.push(batch.count);
    }
    expect(sizes.at(-1)).toBe(100);
    expect(Math.max(...sizes)).toBe(100);
    expect(reader.flush()?.count ?? 0).toBeLessThan(100);
    reader.push(Buffer.from(`${row(5000)}]`));
    expect(reader.end().rows).toBe(5001);
  });
});

describe("rows that are not of the common shape", () => {
  test("an unknown field keeps the row's JSON for the raw view", () => {
    const row = `{"external_account_number":"E1","stage":{"name":"a]}\\"b","steps":[1,{"x":null}]},"service_account_number":null}`;
    const { rows } = read(`[${row}]`, 5);
    expect(rows[0]).toMatchObject({ external: "E1", service: null, extras: row });
  });

  test("an unknown plain field does so too", () => {
    const row = `{"stage":"done","external_account_number":"E1","steps":12,"hot":true,"cold":null  }`;
    expect(read(`[${row}]`).rows[0]).toMatchObject({ external: "E1", extras: row });
    expect(read(`[${row}]`, 3).rows[0]).toMatchObject({ external: "E1", extras: row });
  });

  test("a long number keeps every digit as it was written", () => {
    const body = `[{"external_account_number":12345678901234567890123,"service_account_number":1.50,"account_created_at":7}]`;
    expect(read(body).rows[0]).toMatchObject({
      external: "12345678901234567890123",
      service: "1.50",
      created: "7",
      createdAt: Number.NaN,
      extras: body.slice(1, -1),
    });
  });

  test("the last value of a repeated field is used", () => {
    const body = `[{"external_account_number":"no","service_account_number":"x","external_account_number":"E1","service_account_number":null}]`;
    expect(read(body).rows[0]).toMatchObject({ external: "E1", service: null });
  });

  test("__proto__ and constructor are fields like any other", () => {
    const body = `[{"__proto__":{"external_account_number":"evil"},"constructor":1},{"__proto__":{"service_account_number":"evil"},"external_account_number":"E1"}]`;
    const { rows, unreadableRows } = read(body);
    expect(unreadableRows).toBe(1);
    expect(rows[0]).toMatchObject({ external: "E1", service: null });
    expect(({} as Record<string, unknown>).service_account_number).toBeUndefined();
  });

  test("escapes and surrogate pairs are read", () => {
    const row = String.raw`{"external\u005faccount_number":"E\u00e9\ud83d\ude00"}`;
    for (const size of [1, 9, 1000]) expect(numbers(read(`[${row}]`, size).rows)).toEqual(["Eé😀"]);
  });

  test.each(["external_account_number", "service_account_number", "account_created_at"])(
    "a row with half a surrogate pair in %s is unreadable, never changed",
    (field) => {
      const good = '{"external_account_number":"E1"}';
      const bad = `{"external_account_number":"E2","${field}":"X-\\ud800"}`;
      for (const size of [1, 9, 1000]) {
        const { rows, unreadableRows } = read(`[${good},${bad}]`, size);
        expect(numbers(rows)).toEqual(["E1"]);
        expect(unreadableRows).toBe(1);
      }
    },
  );

  test("half a surrogate pair in an unknown field leaves the row readable", () => {
    const row = String.raw`{"external_account_number":"E1","more":"\udc00"}`;
    expect(read(`[${row}]`).rows[0]).toMatchObject({ external: "E1", extras: row });
  });

  test.each([
    ["Latin-1", [0xe9]],
    ["a cut sequence", [0xc3, 0x28]],
    ["a surrogate in UTF-8", [0xed, 0xa0, 0x80]],
    ["an overlong form", [0xc0, 0xaf]],
  ])("a row whose bytes are not UTF-8 is unreadable: %s", (_, bytes) => {
    for (const field of ["external_account_number", "service_account_number", "more"]) {
      const body = Buffer.concat([
        Buffer.from(
          `[{"external_account_number":"E1"},{"external_account_number":"E2","${field}":"X-`,
        ),
        Buffer.from(bytes),
        Buffer.from('"}]'),
      ]);
      for (const size of [1, 7, 1000]) {
        const { rows, unreadableRows } = read(body, size);
        expect(numbers(rows)).toEqual(["E1"]);
        expect(unreadableRows).toBe(1);
      }
    }
  });

  test("elements without an account number are counted and are not rows", () => {
    const body = `[{}, {"external_account_number":""}, {"external_account_number":null}, {"external_account_number":{"a":1}}, 5, -1.5e3, null, true, [], "", {"external_account_number":"E1"}]`;
    for (const size of [1, 4, 1000]) {
      const { rows, unreadableRows, problem } = read(body, size);
      expect(problem).toBeNull();
      expect(unreadableRows).toBe(10);
      expect(numbers(rows)).toEqual(["E1"]);
    }
  });

  test("the kept JSON of unusual rows is bounded, the rows are not", () => {
    const row = `{"external_account_number":"E","more":"${"x".repeat(1000)}"}`;
    const { rows } = read(`[${Array.from({ length: 12_000 }, () => row).join()}]`, 65_536);
    const kept = rows.filter((one) => one.extras !== null);
    const left = rows.filter((one) => ((one.flags ?? 0) & AccountFlag.unstoredExtras) !== 0);
    expect(kept.length + left.length).toBe(rows.length);
    expect(rows.length).toBe(12_000);
    expect(kept.length).toBeGreaterThan(1000);
    expect(kept.length * row.length).toBeLessThanOrEqual(8 * 1024 * 1024);
  });
});

describe("the brand word", () => {
  const row = (field: string) =>
    `{"external_account_number":"E1","${field}":"A-1","account_created_at":null}`;

  test("names the service account number", () => {
    const { rows } = read(`[${row("acme_account_number")}]`, 1000, { brand: "acme" });
    expect(rows[0]).toMatchObject({ service: "A-1", extras: null });
  });

  test("when it is another, the only other account number is taken and the raw row is stored", () => {
    const { rows } = read(`[${row("acme_account_number")},${row("acme_account_number")}]`);
    expect(rows.map((one) => one.service)).toEqual(["A-1", "A-1"]);
    expect(rows[1]?.extras).toBe(row("acme_account_number"));
  });

  test("the reader does not choose between two candidate account numbers", () => {
    const two = `{"external_account_number":"E1","a_account_number":"1","b_account_number":"2"}`;
    expect(read(`[${row("a_account_number")},${two}]`).rows[1]?.service).toBeNull();
  });
});

describe("shapes INTERFACE 4.11 leaves open", () => {
  test("an object whose one list holds the items", () => {
    const body = `{"count": 2, "meta": {"a": [1, "x"], "b": {"c": "d"}}, "errors": [], "results": ${ordinary}, "next": null}`;
    for (const size of [1, 2, 13, 1000]) {
      const { rows, problem, unreadableRows } = read(body, size);
      expect(problem).toBeNull();
      expect(unreadableRows).toBe(0);
      expect(numbers(rows)).toEqual(["EXT-1", "EXT-2"]);
    }
  });

  test("two lists with items: the rows of the first stay and the doubt is reported", () => {
    const row = (number: string) => `{"external_account_number":"${number}"}`;
    const { rows, problem } = read(`{"a": [${row("E1")}], "b": [${row("E2")}]}`);
    expect(numbers(rows)).toEqual(["E1"]);
    expect(problem).toContain("a second list begins");
    expect(problem).toContain("byte 48");
  });

  test("a text, HTML and nothing at all are not empty lists", () => {
    expect(read('  "E1"').problem).toContain("at byte 2, with a quotation mark");
    expect(read("<html></html>").problem).toContain('with "<"');
    expect(read("").problem).toBe("The body is empty.");
    expect(read(" \n").problem).toContain("without any JSON");
    expect(read(Buffer.from([0xef, 0xbb, 0x5b, 0x5d])).problem).toContain("byte 0xef");
  });
});

describe("bad bodies", () => {
  test("a body cut off anywhere keeps the whole rows and says where it ends", () => {
    for (let length = 1; length < ordinary.length; length++) {
      const { rows, problem } = read(ordinary.slice(0, length), 11);
      expect(problem).toContain(`it ends at byte ${length}`);
      expect(rows.length).toBe(
        length >= ordinary.length - 1 ? 2 : length > ordinary.indexOf("}") ? 1 : 0,
      );
    }
  });

  test("a fault is reported with its byte", () => {
    const good = '[{"external_account_number":"E1"}';
    for (const [rest, at] of [
      [',{"external_account_number":E2}]', 28],
      [",]", 1],
      ["]]", 1],
      ["] x", 2],
      [" {}]", 1],
      [',{"a":01}]', 7],
      [',{"a":1.}]', 8],
      [',{"a":-}]', 7],
      [',{"a":tru}]', 9],
      [',{"a":"\n"}]', 7],
      [',{"a":"\\x"}]', 8],
      [',{"a":"\\u12g4"}]', 11],
      [',{"a" 1}]', 6],
      [',{"a":1,}]', 8],
      [",{,}]", 2],
      [",[1}]", 3],
    ] as const) {
      for (const size of [1, 5, 1000]) {
        const { rows, problem } = read(good + rest, size);
        expect(numbers(rows)).toEqual(["E1"]);
        expect(problem, rest).toContain(`byte ${good.length + at} `);
      }
    }
  });

  test("nothing is read after a fault", () => {
    const reader = new AccountRowReader();
    reader.push(Buffer.from('[{"external_account_number":"E1"} x'));
    expect(reader.push(Buffer.from(', {"external_account_number":"E2"}]'))).toBeNull();
    expect(reader.end()).toMatchObject({ rows: 1 });
  });

  test("64 levels are read, 65 are refused", () => {
    const nested = (levels: number) =>
      `[{"external_account_number":"E1","x":${"[".repeat(levels - 2)}${"]".repeat(levels - 2)}}]`;
    expect(numbers(read(nested(64), 10).rows)).toEqual(["E1"]);
    expect(read(nested(65), 10).problem).toContain("64 deep");
  });

  test("a row without end does not fill the memory", () => {
    const reader = new AccountRowReader();
    reader.push(Buffer.from('["'));
    const chunk = Buffer.alloc(1 << 20, 0x61);
    for (let at = 0; at < 6; at++) reader.push(chunk);
    expect(reader.problem).toContain("more than 4 MiB");
  });
});

describe("creation times", () => {
  const at = (text: string) =>
    read(JSON.stringify([{ external_account_number: "E", account_created_at: text }])).rows[0]
      ?.createdAt;

  test("datetimes with an offset are instants", () => {
    const noon = Date.UTC(2024, 1, 29, 12);
    expect(at("2024-02-29T12:00:00Z")).toBe(noon);
    expect(at("2024-02-29t12:00:00.123456z")).toBe(noon + 123);
    expect(at("2024-02-29T14:30:00+02:30")).toBe(noon);
    expect(at("2024-02-29T07:00:00-0500")).toBe(noon);
    expect(at("2024-02-29 13:00+01")).toBe(noon);
  });

  test("anything else is no instant, and stays as text", () => {
    for (const text of [
      "2023-02-29T12:00:00Z",
      "2024-13-01T00:00:00Z",
      "2024-02-29T24:00:00Z",
      "2024-02-29T12:00:60Z",
      "2024-02-29T12:00:00",
      "2024-02-29T12:00:00.Z",
      "2024-02-29T12:00:00+1:00",
      "2024-02-29",
      "yesterday, at about noon",
      "",
    ]) {
      expect(at(text), text).toBeNaN();
    }
  });

  test("agree with Date over the whole range of years", () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date("0000-01-01T00:00:00Z"),
          max: new Date("9999-12-31T23:59:59Z"),
          noInvalidDate: true,
        }),
        (date) => {
          expect(at(date.toISOString())).toBe(date.getTime());
        },
      ),
    );
  });
});

describe("against JSON.parse", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 12 }),
    fc.constantFrom("EXT-1", "", "}", "]", '",', "\\", "\ud800", "2026-01-01T00:00:00Z", "\ufeff"),
  );
  const value = fc.oneof(
    { weight: 4, arbitrary: text },
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  );
  const name = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom(
        "external_account_number",
        "service_account_number",
        "account_created_at",
      ),
    },
    {
      weight: 1,
      arbitrary: fc.oneof(
        fc.constantFrom("__proto__", "acme_account_number", "b_account_number", "status"),
        fc.string({ unit: "binary", maxLength: 6 }),
      ),
    },
  );
  const space = fc.constantFrom("", "", "", " ", "\n", "\t\r\n ");
  /** Text as JSON, some of its characters escaped though they need not be. */
  const written = (raw: string, escaped: boolean) =>
    escaped && raw.isWellFormed()
      ? `"${Array.from({ length: raw.length }, (_, at) => `\\u${raw.charCodeAt(at).toString(16).padStart(4, "0")}`).join("")}"`
      : JSON.stringify(raw);
  const member = fc
    .tuple(name, value, fc.boolean(), space, space)
    .map(
      ([key, held, escaped, before, after]) =>
        `${before}${written(key, escaped && key.length % 3 === 0)}${after}:${before}${
          typeof held === "string" ? written(held, escaped) : JSON.stringify(held)
        }${after}`,
    );
  const element = fc.oneof(
    { weight: 8, arbitrary: fc.array(member, { maxLength: 6 }).map((all) => `{${all.join()}}`) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }).map((one) => JSON.stringify(one)) },
  );
  const list = fc
    .tuple(fc.array(element, { maxLength: 8 }), space)
    .map(([all, gap]) => `[${gap}${all.join(`${gap},${gap}`)}${gap}]`);
  const body = fc.oneof(
    { weight: 4, arbitrary: list },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          list,
          fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer()), { maxKeys: 3 }),
        )
        .map(
          ([one, rest]) =>
            `${JSON.stringify(rest).slice(0, -1)}${Object.keys(rest).length ? "," : ""}"the list":${one}}`,
        ),
    },
  );

  test("any legal body, chunked at any size, gives the same rows", () => {
    fc.assert(
      fc.property(body, fc.integer({ min: 1, max: 40 }), (json, size) => {
        const wanted = expected(json);
        for (const chunk of [1, size, Number.POSITIVE_INFINITY]) {
          const { rows, unreadableRows, problem } = read(json, chunk, { batchRows: 3 });
          const isList = json.startsWith("{")
            ? wanted.rows.length > 0
            : wanted.rows.length > 0 || wanted.unreadableRows === 0;
          expect(problem === null).toBe(isList);
          expect(unreadableRows).toBe(wanted.unreadableRows);
          expect(
            rows.map(({ external, service, created }) => ({ external, service, created })),
          ).toEqual(wanted.rows);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("any legal body, chunked at every size and at random, gives the same rows", () => {
    fc.assert(
      fc.property(
        body,
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 50 }),
        (json, sizes) => {
          const bytes = Buffer.from(json);
          const whole = read(bytes).rows;
          const sizesOfChunks = Array.from({ length: bytes.length }, (_, at) => at + 1);
          const isOther = (size: number) => !isDeepStrictEqual(read(bytes, size).rows, whole);
          expect(sizesOfChunks.filter(isOther)).toEqual([]);
          const reader = new AccountRowReader();
          const rows: Row[] = [];
          for (let at = 0, turn = 0; at < bytes.length; turn++) {
            const size = sizes[turn % sizes.length] ?? 1;
            rows.push(...rowsOf(reader.push(bytes.subarray(at, at + size))));
            if (turn % 3 === 0) rows.push(...rowsOf(reader.flush()));
            expect(reader.unbatchedRows).toBeLessThanOrEqual(whole.length - rows.length);
            at += size;
          }
          rows.push(...rowsOf(reader.end().batch));
          expect(rows).toEqual(whole);
        },
      ),
      { numRuns: 6 },
    );
  });

  test("a body cut off at any byte keeps every row that came whole, and says so", () => {
    fc.assert(
      fc.property(
        fc.array(element, { minLength: 1, maxLength: 6 }),
        fc.nat(),
        (elements, place) => {
          const bytes = Buffer.from(`[${elements.join()}]`);
          const length = 1 + (place % (bytes.length - 1));
          let end = 1;
          let whole = 0;
          for (const one of elements) {
            end += Buffer.byteLength(one);
            if (end > length) break;
            whole += 1;
            end += 1;
          }
          const certain = expected(`[${elements.slice(0, whole).join()}]`).rows;
          const { rows, problem } = read(bytes.subarray(0, length), 7);
          expect(problem).toContain(`it ends at byte ${length}`);
          expect(
            rows.map(({ external, service, created }) => ({ external, service, created })),
          ).toEqual(certain);
        },
      ),
      { numRuns: 400 },
    );
  });

  test("a damaged body is refused exactly when JSON.parse refuses it", () => {
    const damage = fc.record({
      at: fc.nat(),
      cut: fc.nat({ max: 3 }),
      insert: fc.constantFrom(
        "",
        "",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        '"',
        "\\",
        "1",
        "e",
        "-",
        "\n",
        "n",
      ),
    });
    fc.assert(
      fc.property(
        list,
        damage,
        fc.integer({ min: 1, max: 30 }),
        (json, { at, cut, insert }, size) => {
          const place = at % json.length;
          const damaged = json.slice(0, place) + insert + json.slice(place + cut);
          let legal = true;
          try {
            const { rows, unreadableRows } = expected(damaged);
            legal = Array.isArray(JSON.parse(damaged)) && (rows.length > 0 || unreadableRows === 0);
          } catch {
            legal = false;
          }
          for (const chunk of [1, size, Number.POSITIVE_INFINITY]) {
            expect(read(damaged, chunk).problem === null, damaged).toBe(legal);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("a list inside an object that says there is more", () => {
  const row = '{"external_account_number":"EXT-1"}';
  test.each([
    `{"next":"http://service.example/?page=2","results":[${row}]}`,
    `{"results":[${row}],"next":"http://service.example/?page=2"}`,
    `{"count":2,"results":[${row}]}`,
    `{"results":[${row}],"has_more":true}`,
    `{"results":[${row}],"pageInfo":{"hasNextPage":true}}`,
    `{"links":{"next":"/?page=2"},"results":[${row}]}`,
  ])("is not taken for the whole list: %s", (body) => {
    for (const chunk of [1, 7, 1000]) {
      const { rows, problem } = read(body, chunk);
      expect(numbers(rows)).toEqual(["EXT-1"]);
      expect(problem).toMatch(/^The response contains only part of the list \(/);
    }
  });

  test.each([
    `{"count":1,"next":null,"previous":null,"results":[${row}]}`,
    `{"results":[${row}],"has_more":false,"note":{"next":"x"}}`,
    `{"next":"","results":[${row}]}`,
  ])("but is where nothing says so: %s", (body) => {
    expect(read(body)).toMatchObject({ problem: null });
  });
});
