/** A list whose answer says that it is one page: its rows come, and it never counts as the list. */
import { openService } from "../helpers/service.ts";
import { connected, listed } from "./connected.ts";

const rows = [1, 2].map((n) => ({
  external_account_number: `EXT-${n}`,
  service_account_number: null,
  account_created_at: null,
}));

async function answered(headers: Readonly<Record<string, string | readonly string[]>>) {
  const { baseUrl } = await openService((_, response) => {
    response.writeHead(200, { "content-type": "application/json", ...(headers as object) });
    response.end(JSON.stringify(rows));
  });
  return listed(connected(baseUrl).service, "ACME", "all", { retries: 0 });
}

test.each([
  [{ link: '<https://a.test/?page=2>; rel="next"' }, "Link"],
  [{ link: "</?page=2>;rel=next" }, "Link"],
  [{ link: '</?page=1>; rel="prev", </?page=3>; title="a, b"; REL="last NEXT"' }, "Link"],
  [{ link: ["</?page=1>; rel=first", "</?page=2>; rel=next"] }, "Link"],
  [{ "content-range": "items 0-1/3" }, "Content-Range"],
  [{ "content-range": "items 2-3/4" }, "Content-Range"],
  [{ "content-range": "items 0-1/*" }, "Content-Range"],
  [{ "content-range": "items */5" }, "Content-Range"],
  [{ "content-range": "items 0-4/5" }, "Content-Range"],
  [{ "content-range": "something else" }, "Content-Range"],
  [{ "x-total-count": "3" }, "X-Total-Count"],
  [{ "X-Total-Count": " 1000000 " }, "X-Total-Count"],
])("%j", async (headers, named) => {
  const { rows: read, end, error } = await answered(headers);
  expect(read).toHaveLength(2);
  expect(end).toBeNull();
  expect(error).toMatchObject({ kind: "unreadable" });
  expect((error as Error).message).toMatch(/^The response contains only part of the list \(/);
  expect((error as Error).message).toContain(named);
});

test.each([
  [{}],
  [{ link: '<https://a.test/;rel=next>; rel="last"' }],
  [{ link: '</a>; rel="prev"; title="; rel=next"' }],
  [{ link: "</style.css>; rel=preload" }],
  [{ link: "<" }],
  [{ "content-range": "items 0-1/2" }],
  [{ "content-range": "bytes 0-199/200" }],
  [{ "x-total-count": "2" }],
  [{ "x-total-count": "1" }],
  [{ "x-total-count": "many" }],
])("%j is the whole list", async (headers) => {
  const { rows: read, end, error } = await answered(headers);
  expect({ read: read.length, rows: end?.rows, error }).toEqual({ read: 2, rows: 2, error: null });
});
