import { onlyMatchingKind, possibleKinds } from "../../../src/bulk/input/kind-of-input.ts";
import { formKinds } from "../../../src/forms/forms.ts";

const kindOf = async (text: string) =>
  onlyMatchingKind(await possibleKinds(Buffer.from(text), "detect"));

test.each([
  ["import_supplier,external_account_number,body\nACME,EXT-1,x\n", "notes"],
  ["\ufeffimport_supplier;external_account_number;body\nACME;EXT-1;x\n", "notes"],
  ["import_supplier,external_account_number,vendor,reference,type\n", "payment-instructions"],
  [
    "import_supplier,external_account_number,transaction_id,transaction_date,amount,type,reason\n",
    "transactions",
  ],
  ['\n{"import_supplier":"ACME","external_account_number":"EXT-1","body":"x"}\n', "notes"],
])("%j has rows of %s", async (text, kind) => {
  expect(await kindOf(text)).toBe(kind);
});

test.each([
  "import_supplier|external_account_number|body\nACME|EXT-1|x\n",
  "a,b\n1,2\n",
  "import_supplier,external_account_number\n",
  "import_supplier,external_account_number,boddy\n",
  "{ not JSON\n",
])("%j leaves the choice to the operator", async (text) => {
  const kinds = await possibleKinds(Buffer.from(text), "detect");
  expect(onlyMatchingKind(kinds)).toBeNull();
  expect(kinds).toHaveLength(formKinds.length);
});

test("a misspelled column leaves the kind that is probably meant first", async () => {
  const text = "import_supplier,external_account_number,vendor,referense,type\n";
  expect((await possibleKinds(Buffer.from(text), "detect"))[0]?.kind).toBe("payment-instructions");
});

test.each([
  "import_supplier,external_account_number,vendor,ref,kind\n",
  "supplier,account,vendor,ref,kind\n",
])("the kind that knows most of the columns of %j comes first", async (text) => {
  expect((await possibleKinds(Buffer.from(text), "detect"))[0]?.kind).toBe("payment-instructions");
});

test("an empty input has no kind", async () => {
  expect(await possibleKinds(Buffer.from("\n\n"), "detect")).toEqual([]);
});
