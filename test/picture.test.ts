import { describe, expect, test } from "vitest";
import { blocksOf } from "../scripts/picture/drawn-glyphs.ts";
import { animatedSvg, stillOf, svgOf } from "../scripts/picture/svg.ts";
import { Display } from "./helpers/display.ts";

/** The picture of a screen after this output. */
async function pictureOf(output: string, cols = 20, rows = 2): Promise<string> {
  const display = new Display(cols, rows, () => {});
  display.feed(output);
  await display.end("no more output");
  return svgOf(display, { title: "Accounts & <more>" });
}

/** The attributes of the element that shows a text. */
function attributesOf(svg: string, text: string): string {
  const element = svg.split("\n").find((line) => line.endsWith(`>${text}</text>`));
  if (element === undefined) throw new Error(`no text element shows ${text} in\n${svg}`);
  return element;
}

describe("the picture of a screen", () => {
  test("has its title and its words, safe for XML", async () => {
    const svg = await pictureOf(`a <b> & "c"`);
    expect(svg).toContain("<title>Accounts &amp; &lt;more&gt;</title>");
    expect(svg).toContain("a &lt;b&gt; &amp; &quot;c&quot;</text>");
    expect(svg.match(/<(?!\/)[^>]*[^/]>/g)?.length).toBe(svg.match(/<\//g)?.length);
  });

  test("puts each run of cells where it stands, as wide as its cells", async () => {
    const svg = await pictureOf("ab \x1b[31mred\x1b[0m\r\n  宽x");
    expect(attributesOf(svg, "ab")).toMatch('x="12" y="56.6" textLength="16"');
    expect(attributesOf(svg, "red")).toMatch('x="36" y="56.6" textLength="24" fill="#e86671"');
    expect(attributesOf(svg, "宽")).toMatch('x="28" y="73.6" textLength="16"');
    expect(attributesOf(svg, "x")).toMatch('x="44" y="73.6" textLength="8"');
  });

  test("shows bold, dim and underlined text so, and turns inverse colors round", async () => {
    const svg = await pictureOf("\x1b[1mB\x1b[0;2mD\x1b[0;4mU\x1b[0;7mI\x1b[0m");
    expect(attributesOf(svg, "B")).toContain('font-weight="bold"');
    expect(attributesOf(svg, "D")).toContain('opacity="0.6"');
    expect(attributesOf(svg, "U")).toContain('text-decoration="underline"');
    expect(attributesOf(svg, "I")).toContain('fill="#1a1d23"');
    expect(svg).toContain('<rect x="36" y="44" width="8" height="17" fill="#d6dae1"');
  });

  test("draws boxes and bars itself, so that they meet in every font", async () => {
    const svg = await pictureOf("╭─▄");
    expect(svg).not.toMatch(/[╭─▄]/);
    expect(svg).toContain('<path d="M20 52.5Q16 52.5 16 61"');
    expect(svg).toContain('<rect x="28" y="52.5" width="8" height="8.5"');
  });
});

test("an animation shows each screen in its time, and the last one where nothing moves", async () => {
  const display = new Display(20, 2, () => {});
  display.feed("first");
  await display.end("no more output");
  const first = { grid: stillOf(display), caption: "Begin", seconds: 1 };
  const svg = animatedSvg([first, { ...first, caption: "End", seconds: 3 }], { title: "Story" });
  expect(svg).toContain("@keyframes f0{0%{opacity:1}25%,100%{opacity:0}}");
  expect(svg).toContain("@keyframes f1{0%{opacity:0}25%{opacity:1}100%{opacity:1}}");
  expect(svg).toContain("#f1{animation:f1 4s step-end infinite}");
  expect(svg).toContain(".f{opacity:0}#f1{opacity:1}");
  expect(svg.match(/>(Begin|End|first)<\/text>/g)).toEqual([
    ">Begin</text>",
    ">first</text>",
    ">End</text>",
    ">first</text>",
  ]);
});

test.each([
  ["█", 1],
  ["▀", 0.5],
  ["▂", 0.25],
  ["▎", 0.25],
  ["▒", 0.5],
  ["▟", 0.75],
  ["▝", 0.25],
  ["▕", 0.125],
])("%s fills %d of its cell", (character, part) => {
  const blocks = blocksOf(character) ?? [];
  const filled = blocks.map((block) => block.width * block.height * block.opacity);
  expect(filled.reduce((sum, one) => sum + one, 0)).toBeCloseTo(part);
});
