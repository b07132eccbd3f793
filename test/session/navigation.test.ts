import { createNavigation } from "../../src/session/navigation.ts";
import { isSamePlace } from "../../src/session/place-words.ts";
import type { Place } from "../../src/session/places.ts";

const suppliers: Place = { kind: "suppliers" };
const overview: Place = { kind: "overview", supplier: "ACME" };
const account: Place = { kind: "account", supplier: "ACME", account: "EXT-1" };
const everything: Place = { kind: "activity", supplier: null, account: null };
const form: Place = { kind: "compose", draft: "1" };

test("moves that follow each other without a frame in between all count", () => {
  const navigation = createNavigation([suppliers]);
  navigation.push(overview);
  navigation.push(account);
  navigation.push(form);
  navigation.back();
  navigation.back();
  expect(navigation.stops.get().map(({ place }) => place)).toEqual([suppliers, overview]);
  navigation.back();
  navigation.back();
  expect(navigation.here()).toEqual(suppliers);
});

test("the last place is the one before, and a form is no place to return to", () => {
  const navigation = createNavigation([suppliers]);
  expect(navigation.last()).toBeNull();
  navigation.push(account);
  navigation.push(form);
  navigation.back();
  expect(navigation.last()).toEqual(suppliers);
  navigation.toLast();
  expect(navigation.here()).toEqual(suppliers);
  navigation.toLast();
  expect(navigation.here()).toEqual(account);
});

test("a covered screen keeps its place on the stack, and a replaced one as well", () => {
  const navigation = createNavigation([suppliers]);
  const [bottom] = navigation.stops.get();
  navigation.replace(overview);
  navigation.push(account);
  expect(navigation.stops.get()[0]).toEqual({ id: bottom?.id, place: overview });
  navigation.reset([suppliers]);
  expect(navigation.stops.get()[0]?.id).not.toBe(bottom?.id);
});

test("a long way closes the oldest screens, and still ends at the outermost one", () => {
  const navigation = createNavigation([suppliers]);
  for (let at = 0; at < 100; at++) {
    navigation.push({ kind: "account", supplier: "ACME", account: `EXT-${at}` });
  }
  const places = navigation.stops.get().map(({ place }) => place);
  expect(places.length).toBeLessThan(30);
  expect(places[0]).toEqual(suppliers);
  expect(places.at(-2)).toEqual({ kind: "account", supplier: "ACME", account: "EXT-98" });
});

test("two tabs are one place, two forms and two classes are not", () => {
  const list: Place = { kind: "accounts", supplier: "ACME", tab: "all" };
  expect(isSamePlace(list, { tab: "pending", supplier: "ACME", kind: "accounts" })).toBe(true);
  expect(isSamePlace({ kind: "review", draft: "1" }, { kind: "review", draft: "2" })).toBe(false);
  const rows: Place = { kind: "reconciled-rows", supplier: "ACME", class: "absent" };
  expect(isSamePlace(rows, { ...rows, class: "extra" })).toBe(false);
  expect(isSamePlace(everything, { ...everything, account: "EXT-1" })).toBe(false);
});
