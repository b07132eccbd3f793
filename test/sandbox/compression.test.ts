import { request } from "node:http";
import { gunzipSync } from "node:zlib";
import { acceptsGzip } from "../../src/sandbox/faults/fault-middleware.ts";
import { type Client, opened, paths } from "./client.ts";

const all = paths.list("all", "PAUSED");

interface Raw {
  readonly encoding: string | undefined;
  readonly body: Buffer;
  readonly isWhole: boolean;
}

/** An answer with its raw bytes; fetch would unpack them. */
function raw({ sandbox, token }: Client, path: string, accept = "gzip"): Promise<Raw> {
  const headers = { authorization: `Token ${token}`, "accept-encoding": accept };
  return new Promise((resolve, reject) => {
    request(sandbox.baseUrl + path, { headers }, (answer) => {
      const chunks: Buffer[] = [];
      const encoding = answer.headers["content-encoding"];
      const done = () =>
        resolve({ encoding, body: Buffer.concat(chunks), isWhole: answer.complete });
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", () => {});
      answer.on("close", done);
    })
      .on("error", reject)
      .end();
  });
}

const plain = async (client: Client, path: string) => (await client.get(path)).text();

describe("gzip", () => {
  test("is given for lists where it is asked for", async () => {
    const client = await opened({ accounts: 3000 });
    for (const path of [all, paths.list("pending"), paths.list("imported")]) {
      const { encoding, body, isWhole } = await raw(client, path);
      expect({ encoding, isWhole }).toEqual({ encoding: "gzip", isWhole: true });
      expect(gunzipSync(body).toString()).toBe(await plain(client, path));
    }
    expect((await raw(client, all, "identity")).encoding).toBeUndefined();
  });

  test("is not given for bodies that would only grow", async () => {
    const client = await opened();
    const { encoding, body } = await raw(client, paths.account("EXT-0000001"));
    expect(encoding).toBeUndefined();
    expect(body.toString()).toBe(await plain(client, paths.account("EXT-0000001")));
  });

  test.each([
    ["gzip", true],
    ["br, GZIP;q=0.5", true],
    ["*", true],
    ["deflate, br", false],
    ["gzip;q=0, *", false],
    ["identity", false],
    ["", false],
    [undefined, false],
  ])("is asked for by %j: %j", (header, expected) => {
    expect(acceptsGzip(header)).toBe(expected);
  });
});

describe("faults of compressed lists", () => {
  test("cut and cut-close count compressed bytes", async () => {
    const client = await opened();
    const { body: whole } = await raw(client, all);
    for (const bytes of [0, 1, 12, whole.length - 1]) {
      client.sandbox.setFaults([`cut=${bytes}@all`]);
      expect(await raw(client, all)).toMatchObject({
        encoding: "gzip",
        isWhole: false,
        body: whole.subarray(0, bytes),
      });
      client.sandbox.setFaults([`cut-close=${bytes}@all`]);
      expect((await raw(client, all)).body).toEqual(whole.subarray(0, bytes));
    }
  });

  test("truncate halves them, and a valid prefix of a list is compressed whole", async () => {
    const client = await opened();
    const { body: whole } = await raw(client, all);
    for (const way of ["length", "chunked", "close"]) {
      client.sandbox.setFaults([`truncate=${way}@all`]);
      const { encoding, body } = await raw(client, all);
      expect(encoding).toBe("gzip");
      expect(body).toEqual(whole.subarray(0, Math.floor(whole.length / 2)));
    }
    client.sandbox.setFaults(["truncate=prefix@all"]);
    const { body } = await raw(client, all);
    expect(JSON.parse(gunzipSync(body).toString())).toHaveLength(20);
  });

  test("other content comes compressed in one piece", async () => {
    const client = await opened();
    const content = async (fault: string) => {
      client.sandbox.setFaults([fault]);
      return gunzipSync((await raw(client, all)).body).toString();
    };
    expect(JSON.parse(await content("rows=4@all"))).toHaveLength(4);
    expect(JSON.parse(await content("shape=wrapped@all")).results).toHaveLength(40);
    expect(await content("malformed@all")).toMatch(/\}\{"$/);
    expect(JSON.parse(await content("drip=4000/1ms@all"))).toHaveLength(40);
  });
});
