import { typeable } from "../../src/components/text-editing.ts";
import { safe } from "../../src/text/sanitize.ts";
import * as fc from "../helpers/fast-check.ts";
import { mixes } from "../text/hostile.ts";

describe("text that is typed or pasted into a field", () => {
  test.each([
    ["a letter with its accent behind it", "Zoe\u0308 re\u0301sume\u0301"],
    ["Hindi, which writes vowels as marks", "हिन्दी में"],
    ["Thai, with tones on vowels", "ที่อยู่"],
    ["emoji as they are chosen by default", "\u2764\ufe0f 1\ufe0f\u20e3"],
  ])("keeps %s", (_what, text) => {
    expect(typeable(text)).toEqual({ text, removed: 0 });
  });

  test("keeps them also where something else has to go", () => {
    expect(typeable("re\u0301\u200bsume\u0301 हिन्दी\u202e")).toEqual({
      text: "re\u0301sume\u0301 हिन्दी",
      removed: 2,
    });
  });

  test("a field removes invisible characters and reports their number", () => {
    expect(typeable("a\u0000b\u001b[2Jc")).toEqual({ text: "ab[2Jc", removed: 2 });
    expect(typeable("\u0301a")).toEqual({ text: "a", removed: 1 });
  });

  test("is one line", () => {
    expect(typeable("one\r\ntwo\tthree\n")).toEqual({ text: "one two three ", removed: 0 });
  });

  test("is shown as it is, whatever came", () => {
    fc.assert(
      fc.property(mixes, (text) => {
        const { text: kept } = typeable(text);
        expect(safe(kept)).toBe(kept);
      }),
    );
  });
});
