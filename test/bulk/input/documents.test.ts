import { inputColumnsOf } from "../../../src/commands/bulk/columns.ts";
import { formKinds } from "../../../src/forms/forms.ts";
import { issues } from "./inputs.ts";

describe.each(formKinds)("the columns of %s", (kind) => {
  const columns = inputColumnsOf(kind);

  test("make a header in which nothing is unknown or missing", async () => {
    const { problems, warnings } = await issues(kind, columns.map(({ name }) => name).join(","));
    expect({ problems, warnings }).toEqual({
      problems: ["1: There is a header, but no row."],
      warnings: [],
    });
  });

  test("that are required are those whose absence is reported", async () => {
    const { problems } = await issues(kind, columns.map(({ name }) => `${name}_`).join(","));
    expect(problems[0]).toContain("The first row names the columns");
    const required = columns.filter((column) => column.needed !== "no");
    for (const { name: left, needed } of required) {
      const others = columns.filter(({ name }) => name !== left).map(({ name }) => name);
      const told = (await issues(kind, others.join(","))).problems;
      const words =
        needed === "always"
          ? "; every row needs it."
          : ". supplyline expects it, but the interface does not say whether it is required.";
      expect(told[0]).toBe(`1 ${left}: The column ${left} is missing${words}`);
    }
    expect(required.length).toBeGreaterThan(1);
  });
});
