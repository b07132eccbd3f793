import { ServiceError, type ServiceErrorKind } from "../../src/api/errors.ts";
import { type Link, linkAfter } from "../../src/session/connection.ts";

const online: Link = { kind: "online" };
const write = { method: "POST", url: "http://a.test/v1/data-import/notes/create/" };
const error = (kind: ServiceErrorKind, facts = {}) => new ServiceError(kind, "no", facts);

test("a read that finds no connection turns the header offline, until the service answers", () => {
  const offline = linkAfter(online, error("unreachable", { method: "GET" }), 5);
  expect(offline).toEqual({ kind: "offline", since: 5 });
  expect(linkAfter(offline, error("tls"), 9)).toBe(offline);
  expect(linkAfter(offline, error("unavailable", { httpStatus: 503 }), 10)).toEqual(online);
  expect(linkAfter(offline, null, 10)).toEqual(online);
});

test("a read that is not answered in time says so, without saying that there is no connection", () => {
  expect(linkAfter(online, error("timeout", { method: "GET", sent: true }), 5)).toEqual({
    kind: "silent",
    since: 5,
  });
});

test("one write whose answer was lost does not turn the header offline", () => {
  expect(linkAfter(online, error("unreachable", { ...write, sent: true }), 5)).toBe(online);
  expect(linkAfter(online, error("timeout", { ...write, sent: true }), 5)).toBe(online);
});

test("a write that could not be sent at all does", () => {
  const refused = error("unreachable", { ...write, sent: false });
  expect(linkAfter(online, refused, 5)).toEqual({ kind: "offline", since: 5 });
});

test("the time of an outage is that of its first failure, also when it changes its kind", () => {
  const offline = linkAfter(online, error("unreachable"), 5);
  expect(linkAfter(offline, error("timeout"), 9)).toEqual({ kind: "silent", since: 5 });
  expect(linkAfter(offline, error("cancelled"), 9)).toBe(offline);
});
