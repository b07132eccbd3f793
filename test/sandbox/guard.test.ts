import { request } from "node:http";
import { networkInterfaces } from "node:os";
import { json, opened, paths } from "./client.ts";

/** A request with headers that fetch would not let through. */
const raw = (url: string, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    request(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });

describe("who may talk to the sandbox", () => {
  test("only requests for this machine's own names", async () => {
    const { sandbox, token } = await opened();
    const url = sandbox.baseUrl + paths.account("EXT-0000001");
    const { port } = new URL(sandbox.baseUrl);
    const authorization = `Token ${token}`;
    const hosts = {
      [`127.0.0.1:${port}`]: 200,
      [`localhost:${port}`]: 200,
      [`[::1]:${port}`]: 200,
      "127.0.0.1:1": 403,
      "evil.example": 403,
      [`evil.example:${port}`]: 403,
    };
    for (const [host, status] of Object.entries(hosts)) {
      expect([host, await raw(url, { host, authorization })]).toEqual([host, status]);
    }
  });

  test("no web page", async () => {
    const { sandbox, token } = await opened();
    const url = sandbox.baseUrl + paths.account("EXT-0000001");
    const headers = { origin: "https://evil.example", authorization: `Token ${token}` };
    expect(await raw(url, headers)).toBe(403);
  });

  test("nothing that comes by another address", async () => {
    const { sandbox } = await opened();
    const { port } = new URL(sandbox.baseUrl);
    const outside = Object.values(networkInterfaces())
      .flat()
      .flatMap((at) => (at?.family === "IPv4" && !at.internal ? [at.address] : []));
    for (const address of [...outside, "127.0.0.2"]) {
      await expect(raw(`http://${address}:${port}/`, {})).rejects.toThrow("ECONNREFUSED");
    }
  });
});

describe("requests that are not what the interface asks for", () => {
  test("another method is 405, another address 404, a missing slash too", async () => {
    const client = await opened();
    const wrong = await client.get(paths.notes);
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST"]);
    expect((await client.post(paths.list("all"), {})).status).toBe(405);
    expect((await client.get("/v3/anything/")).status).toBe(404);
    expect((await client.get(paths.list("all").slice(0, -1))).status).toBe(404);
  });

  test("a body that is no JSON, of another type, too large or of no stated length is refused", async () => {
    const client = await opened();
    const broken = await client.post(paths.notes, '{"notes": [');
    expect([broken.status, (await json(broken)).code]).toEqual([400, "parse_error"]);
    const deep = await client.post(paths.notes, "[".repeat(1_000_000));
    expect([deep.status, (await json(deep)).code]).toEqual([400, "parse_error"]);
    const large = await client.post(paths.notes, " ".repeat(11 * 1024 * 1024));
    expect([large.status, (await json(large)).code]).toEqual([413, "payload_too_large"]);
    const form = await fetch(client.sandbox.baseUrl + paths.notes, {
      method: "POST",
      headers: { authorization: `Token ${client.token}`, "content-type": "text/plain" },
      body: "{}",
    });
    expect(form.status).toBe(415);
    const streamed = await fetch(client.sandbox.baseUrl + paths.notes, {
      method: "POST",
      headers: { authorization: `Token ${client.token}`, "content-type": "application/json" },
      body: new Blob(["{}"]).stream(),
      duplex: "half",
    } as RequestInit);
    expect([streamed.status, (await json(streamed)).code]).toEqual([411, "length_required"]);
  });
});
