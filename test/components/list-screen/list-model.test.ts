import { runToEnd } from "../../../src/accounts/slices.ts";
import { column } from "../../../src/components/list-screen/column.ts";
import { rowModel } from "../../../src/components/list-screen/list-model.ts";
import { arraySource, shownRows } from "../../../src/components/list-screen/row-source.ts";
import { createListMemory } from "../../../src/session/list-memory.ts";

interface Fruit {
  readonly name: string;
  readonly pieces: number | null;
}

const fruits: readonly Fruit[] = [
  { name: "Pear", pieces: 10 },
  { name: "apple", pieces: 9 },
  { name: "Quince", pieces: null },
  { name: "Plum", pieces: 9 },
];

const columns = [
  column<Fruit>("name", "Name", 10, ({ name }) => name, { also: () => ["fruit"] }),
  column<Fruit>("pieces", "Pieces", 6, ({ pieces }) => (pieces === null ? "–" : `${pieces} pcs`), {
    value: ({ pieces }) => pieces,
  }),
  column<Fruit>("bar", "", 4, () => "####", { picture: true }),
];

const idOf = ({ name }: Fruit) => name;

/** A list whose settings last, as in a session; `rows` can be others each time. */
function openList() {
  const store = createListMemory().of<Fruit>("fruits");
  return (rows = fruits, more: { partsOf?: (row: Fruit) => readonly Fruit[] } = {}) => {
    const source = arraySource(rows, idOf);
    const settings = store.get();
    const shown = runToEnd(
      shownRows(source, columns, settings, (row) => settings.marks.has(idOf(row))),
    );
    return rowModel({ source, columns, settings, set: store.set, shown, idOf, ...more });
  };
}

const names = (list: ReturnType<ReturnType<typeof openList>>) =>
  Array.from({ length: list.length }, (_, at) => list.at(at)?.name);

test("a list without filter and order shows its rows as they are", () => {
  const list = openList()();
  expect(names(list)).toEqual(["Pear", "apple", "Quince", "Plum"]);
  expect([list.length, list.total, list.at(4), list.idAt(-1)]).toEqual([4, 4, null, null]);
});

test.each([
  ["P", ["Pear", "apple", "Plum"]],
  ["fruit !p", ["Quince"]],
  ["pieces:9", ["apple", "Plum"]],
  ["pieces:pcs", ["Pear", "apple", "Plum"]],
  ["~pm", ["Plum"]],
])("the filter %s finds %j", (text, expected) => {
  const list = openList();
  list().setFilter(text);
  expect(names(list())).toEqual(expected);
});

test("a filter by a column that does not exist names those that do, pictures left out", () => {
  const list = openList();
  list().setFilter("color:red");
  expect(list().filter.problem).toBe(
    'Unknown prefix "color": use name:, pieces: or is:marked, as in name:color:red.',
  );
});

test("rows are sorted by value, numbers as numbers and texts whatever their case; none comes last", () => {
  const list = openList();
  const sorted = (id: string | null, descending: boolean) => {
    list().setOrder({ id, descending });
    return names(list());
  };
  expect(sorted("pieces", false)).toEqual(["apple", "Plum", "Pear", "Quince"]);
  expect(sorted("pieces", true)).toEqual(["Pear", "apple", "Plum", "Quince"]);
  expect(sorted("name", false)).toEqual(["apple", "Pear", "Plum", "Quince"]);
  expect(sorted(null, true)).toEqual(["Plum", "Quince", "apple", "Pear"]);
});

test("the orders of a list are its own and those of its columns, by name", () => {
  expect(openList()().orders.map(({ name }) => name)).toEqual([
    "the list's own order",
    "name",
    "pieces",
  ]);
});

test("a row is found by its id where it is shown", () => {
  const list = openList();
  expect(list().positionOf("Plum")).toBe(3);
  list().setFilter("pl");
  expect([list().positionOf("Plum"), list().positionOf("Pear")]).toEqual([1, -1]);
});

test("marks stay when their rows are filtered away or leave the list, and are named", () => {
  const list = openList();
  list().mark([3, 0]);
  list().toggleMark(1);
  expect(list().marked().map(idOf)).toEqual(["Pear", "apple", "Plum"]);
  list().setFilter("!pear");
  const without = list(fruits.slice(0, 3));
  expect(without.marks).toEqual({ count: 3, hidden: 2 });
  expect(without.marked().map(idOf)).toEqual(["apple", "Plum", "Pear"]);
  expect(without.marked(1).map(idOf)).toEqual(["apple"]);
});

test("a marked row is the one that is listed now", () => {
  const list = openList();
  list().toggleMark(0);
  const later = list([{ name: "Pear", pieces: 3 }]);
  expect(later.marked()).toEqual([{ name: "Pear", pieces: 3 }]);
});

test("all that match are marked, and unmarked when all are marked", () => {
  const list = openList();
  list().setFilter("pieces:9");
  list().markAll();
  expect(list().marks).toEqual({ count: 2, hidden: 0 });
  expect(list().areAllMarked).toBe(true);
  list().setFilter("");
  expect(list().areAllMarked).toBe(false);
  list().markAll();
  expect(list().marks.count).toBe(4);
  list().markAll();
  expect(list().marks.count).toBe(0);
});

test("a mark on a row that stands for several marks each of them", () => {
  const list = openList();
  const parts = (row: Fruit) => (row.name === "Pear" ? fruits.slice(0, 2) : [row]);
  list(fruits, { partsOf: parts }).toggleMark(0);
  const folded = list(fruits, { partsOf: parts });
  expect([folded.isMarked(0), folded.isMarked(1), folded.isMarked(2)]).toEqual([true, true, false]);
  expect(folded.marks.count).toBe(2);
  folded.toggleMark(0);
  expect(list().marks.count).toBe(0);
});

test("is:marked shows the marked rows, and !is:marked the others", () => {
  const list = openList();
  list().mark([0]);
  const marked = names(list())[0] ?? "";
  list().setFilter("is:marked");
  expect(names(list())).toEqual([marked]);
  list().setFilter("!is:marked");
  expect(names(list())).not.toContain(marked);
});
