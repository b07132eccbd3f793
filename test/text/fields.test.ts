import { fieldsOf } from "../../src/text/fields.ts";

const field = fieldsOf<number>();

test("the title of a field is its name in words, unless it has another", () => {
  const named = field("created_at", "number", "The time.", (row) => row);
  const titled = field(["base_url", "Base URL"], "number", "The address.", (row) => row);
  expect([named.name, named.title]).toEqual(["created_at", "Created at"]);
  expect([titled.name, titled.title]).toEqual(["base_url", "Base URL"]);
});
