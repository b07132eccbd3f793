import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import { isServiceError } from "../../src/api/errors.ts";
import { decoded } from "../../src/api/gunzip.ts";

const text = JSON.stringify(
  Array.from({ length: 40 }, (_, at) => ({
    external_account_number: `EXT-${at}`,
    service_account_number: `A-${(at * 7919).toString(16)}`,
    account_created_at: null,
  })),
);
const member = gzipSync(text);

interface Unpacked {
  readonly text: string;
  /** The words of the error behind it. */
  readonly problem: string | null;
}

async function* pieces(body: Uint8Array, length: number): AsyncGenerator<Uint8Array, void, void> {
  for (let at = 0; at < body.length; at += length) yield body.subarray(at, at + length);
}

async function unpacked(
  body: Uint8Array,
  { encoding = "gzip", length = body.length }: { encoding?: string; length?: number } = {},
): Promise<Unpacked> {
  const parts: Uint8Array[] = [];
  try {
    for await (const part of decoded(pieces(body, Math.max(1, length)), encoding, "gzip"))
      parts.push(part);
  } catch (error) {
    if (!isServiceError(error, "unreadable")) throw error;
    return { text: Buffer.concat(parts).toString(), problem: error.message };
  }
  return { text: Buffer.concat(parts).toString(), problem: null };
}

function changed(body: Uint8Array, at: number): Uint8Array {
  const copy = Uint8Array.from(body);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

/** A member by RFC 1952, 2.3, with all its optional fields. */
function withFields(): Buffer {
  const name = Buffer.from("list.json\0a remark\0");
  const extra = Buffer.from([4, 0, 0x41, 0x70, 0, 0]);
  const fixed = Buffer.from([0x1f, 0x8b, 8, 0x1e, 0, 0, 0, 0, 0, 3]);
  const header = Buffer.concat([fixed, extra, name]);
  const check = Buffer.alloc(2);
  check.writeUInt16LE(crc32(header) & 0xffff);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(text), 0);
  trailer.writeUInt32LE(text.length, 4);
  return Buffer.concat([header, check, deflateRawSync(text), trailer]);
}

describe("one gzip member", () => {
  test.each([1, 2, 3, 7, 8, 9, 10, 11, 64, 1000])(
    "is unpacked when it comes in pieces of %d bytes",
    async (length) => {
      expect(await unpacked(member, { length })).toEqual({ text, problem: null });
      expect(await unpacked(withFields(), { length })).toEqual({ text, problem: null });
    },
  );

  test("can be empty, stored or of any level, and is named in any case", async () => {
    expect(await unpacked(gzipSync(""))).toEqual({ text: "", problem: null });
    for (const level of [0, 1, 9]) {
      const body = gzipSync(text, { level });
      expect(await unpacked(body, { encoding: " GZip" })).toEqual({ text, problem: null });
    }
    expect(await unpacked(member, { encoding: "x-gzip" })).toEqual({ text, problem: null });
  });

  test("of several megabytes comes whole", async () => {
    const long = text.repeat(1000);
    expect(await unpacked(gzipSync(long), { length: 16_384 })).toEqual({
      text: long,
      problem: null,
    });
  });
});

describe("a body that is not whole", () => {
  test.each([member, withFields()])("is cut short at every place", async (body) => {
    for (let cut = 0; cut < body.length; cut++) {
      const { text: before, problem } = await unpacked(body.subarray(0, cut));
      expect(problem).toBe("The response was cut short.");
      expect(text.startsWith(before)).toBe(true);
    }
  });

  test("says so behind all that could be unpacked of it", async () => {
    expect((await unpacked(member.subarray(0, -1))).text).toBe(text);
  });
});

describe("a body that is damaged", () => {
  test("is unreadable wherever one bit of it is another", async () => {
    // The hint that it is text, the time, the level and the system carry no meaning.
    const free = [3, 4, 5, 6, 7, 8, 9];
    for (let at = 0; at < member.length; at++) {
      const { problem } = await unpacked(changed(member, at));
      if (free.includes(at)) expect(problem).toBeNull();
      else expect(problem, `byte ${at}`).not.toBeNull();
    }
  });

  test("is so by its checksum, its length and the checksum of its header", async () => {
    const problemAt = async (body: Uint8Array, at: number) =>
      (await unpacked(changed(body, at))).problem;
    expect(await problemAt(member, member.length - 8)).toMatch(/damaged: its checksum/);
    expect(await problemAt(member, member.length - 1)).toMatch(/damaged: its length/);
    expect(await problemAt(withFields(), 20)).toMatch(/damaged: its header/);
  });

  test("is so when its header has no end", async () => {
    const endless = Buffer.alloc(70_000, "a");
    endless.set([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]);
    expect((await unpacked(endless, { length: 4096 })).problem).toMatch(/header is too long/);
  });
});

describe("a body with something behind its member", () => {
  test.each([
    ["a second member", member],
    ["an empty member", gzipSync("")],
    ["zeros", Buffer.alloc(1)],
    ["text", Buffer.from("\n")],
  ])("%s", async (_what, more) => {
    const body = Buffer.concat([member, more]);
    for (const length of [1, 8, member.length - 8, member.length, body.length]) {
      const { problem } = await unpacked(body, { length });
      expect(problem).toBe("The response continues behind its compressed body.");
    }
  });
});

describe("a body that expands beyond all measure", () => {
  test("is given up soon", async () => {
    const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024, "["), { level: 9 });
    const { text: before, problem } = await unpacked(bomb, { length: 4096 });
    expect(problem).toBe("The response expands to more than 200 times its size.");
    expect(before.length).toBeLessThan(8 * 1024 * 1024);
  });

  test("is not the most regular list of accounts", async () => {
    const rows = Array.from({ length: 50_000 }, (_, at) => ({
      external_account_number: `A-${at}`.padEnd(200, "-"),
      service_account_number: null,
      account_created_at: null,
    }));
    const list = JSON.stringify(rows, null, 2);
    const { problem } = await unpacked(gzipSync(list, { level: 9 }), { length: 4096 });
    expect(problem).toBeNull();
  });
});

describe("an encoding", () => {
  test("that says gzip for a plain body is unreadable", async () => {
    expect((await unpacked(Buffer.from(text))).problem).toMatch(/damaged/);
    expect((await unpacked(Buffer.from(""))).problem).toBe("The response was cut short.");
  });

  test.each(["deflate", "br", "zstd", "compress", "gzip, gzip", "identity, gzip"])(
    "of %s was not asked for",
    async (encoding) => {
      await expect(async () => decoded(pieces(member, 10), encoding, "gzip")).rejects.toThrow(
        /has an encoding that was not asked for/,
      );
    },
  );

  test("of identity or none at all leaves the body as it is", async () => {
    for (const encoding of ["identity", ""]) {
      expect(await unpacked(Buffer.from(text), { encoding })).toEqual({ text, problem: null });
    }
  });
});

test("a reader that leaves ends the unpacking, whatever is still to come", async () => {
  const left = Promise.withResolvers<void>();
  async function* endless(): AsyncGenerator<Uint8Array, void, void> {
    try {
      yield member.subarray(0, member.length - 20);
      for (;;) yield Buffer.alloc(10);
    } finally {
      left.resolve();
    }
  }
  const body = decoded(endless(), "gzip", "gzip");
  expect((await body.next()).done).toBe(false);
  await body.return();
  await left.promise;
});
