import { dropPlaces, dropUse, readUses, recentlyUsed, storeUse } from "../../src/state/used.ts";
import { memoryState } from "../helpers/state.ts";

const file = (value: string) => ({ list: "file", owner: "", value }) as const;

test("a list has the fifty newest values, each once, the newest first", () => {
  const state = memoryState();
  state.commit((rows) => {
    for (let n = 0; n < 60; n++) storeUse(rows, file(`/${n}.csv`));
    storeUse(rows, file("/20.csv"));
    storeUse(rows, file("x".repeat(2_001)));
  });
  const files = recentlyUsed(readUses(state), "file");
  expect(files).toHaveLength(50);
  expect(files.slice(0, 3)).toEqual(["/20.csv", "/59.csv", "/58.csv"]);
});

test("the tour has one step", () => {
  const state = memoryState();
  state.commit((rows) => {
    for (const value of ["1", "2"]) storeUse(rows, { list: "tour", owner: "", value });
  });
  expect(recentlyUsed(readUses(state), "tour")).toEqual(["2"]);
});

test("one use is dropped by its value, places by their profile", () => {
  const state = memoryState();
  const place = (owner: string) => ({ list: "place", owner, value: "ACME" }) as const;
  state.commit((rows) => {
    for (const owner of ['["a","s"]', '["b","s"]', "no JSON"]) storeUse(rows, place(owner));
    for (const value of ["/a.csv", "/b.csv"]) storeUse(rows, file(value));
    dropUse(rows, file("/b.csv"));
    expect(dropPlaces(rows, "a")).toBe(1);
  });
  const uses = readUses(state);
  expect(recentlyUsed(uses, "file")).toEqual(["/a.csv"]);
  expect(recentlyUsed(uses, "place", '["a","s"]')).toEqual([]);
  expect(recentlyUsed(uses, "place", '["b","s"]')).toEqual(["ACME"]);
});
