import { subjectsIn } from "../../src/session/watch-subjects.ts";

const account = (supplier: string, number: string) => ({ kind: "account", supplier, number });
const supplyPoint = (supplier: string, number: string) => ({
  kind: "supply-point",
  supplier,
  number,
});

test.each([
  ["ACME/EXT-1", [account("ACME", "EXT-1")]],
  ["sp ACME/SP-1", [supplyPoint("ACME", "SP-1")]],
  ["ACME/EXT-1 ACME/EXT-2", [account("ACME", "EXT-1"), account("ACME", "EXT-2")]],
  [
    "ACME/EXT-1, NORTH/N-2;NORTH/N-3",
    [account("ACME", "EXT-1"), account("NORTH", "N-2"), account("NORTH", "N-3")],
  ],
  [
    "sp  ACME/SP-1 ACME/EXT-2 sp ACME/SP-3",
    [supplyPoint("ACME", "SP-1"), account("ACME", "EXT-2"), supplyPoint("ACME", "SP-3")],
  ],
  // Of a supplier that no profile has, the first alone says that it is one.
  ["OTHER/1 OTHER/2", [account("OTHER", "1"), account("OTHER", "2")]],
])("%s names what to watch", (text, subjects) => {
  expect(subjectsIn(text, ["ACME", "NORTH"])).toEqual(subjects);
});

test.each(["ACME/EXT 0000010", "ACME/EXT/0000011", "ACME/A 1, B/2", "ACME/EXT-日本-14"])(
  "%s is one account, whatever its number holds",
  (text) => {
    expect(subjectsIn(text, ["ACME", "NORTH"])).toEqual([account("ACME", text.slice(5))]);
  },
);

test.each(["", "EXT-1", "EXT-1 EXT-2", "EXT-1 ACME/EXT-2", "ACME/", "sp SP-1"])(
  "%j names nothing to watch",
  (text) => {
    expect(subjectsIn(text, ["ACME"])).toBeNull();
  },
);
