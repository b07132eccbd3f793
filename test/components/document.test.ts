import { DocumentBuilder } from "../../src/components/document.tsx";

const textOf = (page: DocumentBuilder) =>
  page.lines.map((pieces) => pieces.map(({ text }) => text).join(""));

test("wrapped lines have the indent of the first line, or the given one", () => {
  const words = "1  created  a note that goes on";
  const page = new DocumentBuilder(20).addText(words, {}, 2).addText(words, {}, 0, 5);
  expect(textOf(page)).toEqual([
    ...["  1  created  a note", "  that goes on"],
    ...["1  created  a", "     note that goes", "     on"],
  ]);
});
