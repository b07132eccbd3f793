import { filledTemplate, needsCase, templateProblem } from "../../src/forms/placeholders.ts";

const values = {
  account: { external_account_number: "EXT-1", import_supplier: "ACME" },
  now: "2026-11-22T10:00:00Z",
  me: "ada",
  case: "4711",
};

describe("a note template", () => {
  test("is filled in with the account, the time, the user and the case", () => {
    const text = "{now} {me}: {import_supplier}/{external_account_number}, case {case}, {{x}";
    expect(filledTemplate(text, values)).toEqual({
      text: "2026-11-22T10:00:00Z ada: ACME/EXT-1, case 4711, {x}",
    });
  });

  test("for several accounts leaves each one's own, and keeps braces in values as they are", () => {
    const text = "{external_account_number} {{ case {case}";
    expect(filledTemplate(text, { ...values, account: null, case: "{me}" })).toEqual({
      text: "{external_account_number} {{ case {{me}",
    });
  });

  test("never fills in what a value holds", () => {
    expect(filledTemplate("{case}", { ...values, case: "{now} $& $1" })).toEqual({
      text: "{now} $& $1",
    });
  });

  test("says which value is missing", () => {
    expect(filledTemplate("{me} {case}", { ...values, case: undefined })).toEqual({
      missing: "case",
    });
  });

  test.each([
    [
      "{custmer}",
      "There is no {custmer}: there are {external_account_number}, {import_supplier}, ",
    ],
    ["a {now", "A { is not closed"],
    [" \n", "It has no text."],
  ])("%j is refused with the placeholders that there are", (text, words) => {
    expect(templateProblem(text)).toContain(words);
  });

  test("asks for a case only where it has one", () => {
    expect([needsCase("{case}"), needsCase("{{case}"), needsCase("{now}")]).toEqual([
      true,
      false,
      false,
    ]);
    expect(templateProblem("{now} {{ {me}")).toBeNull();
  });
});
