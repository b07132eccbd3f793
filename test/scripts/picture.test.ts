import { palettes } from "../../scripts/picture/palette.ts";
import { svgOf } from "../../scripts/picture/svg.ts";
import { Display } from "../helpers/display.ts";

test("a picture has the background shade of a selected row", async () => {
  const display = new Display(10, 2, () => undefined);
  display.feed("\x1b[48;5;237mchosen\x1b[0m");
  await display.waitFor("chosen");
  expect(svgOf(display, { title: "a row", palette: palettes.dark })).toContain('fill="#3a3a3a"');
  display.dispose();
});
