import { backgroundIn, backgroundOf, canQueryTerminal, has256Colors } from "../src/text/osc.ts";
import { createTheme, type Tone } from "../src/theme.tsx";
import { itemWords, outcomeWords } from "../src/writes/words/outcomes.ts";

const tones: readonly Tone[] = [
  "plain",
  "ok",
  "busy",
  "waiting",
  "bad",
  "muted",
  "unknown",
  "accent",
  "title",
  "changed",
];

interface Palette {
  readonly name: string;
  readonly ground: string;
  readonly text: string;
  readonly colours: Readonly<Record<string, string>>;
}

/** The colors that widespread terminals come with. */
const light: readonly Palette[] = [
  {
    name: "xterm on white",
    ground: "ffffff",
    text: "000000",
    colours: { red: "cd0000", magenta: "cd00cd", blue: "0000ee", gray: "7f7f7f" },
  },
  {
    name: "Visual Studio Code, light",
    ground: "ffffff",
    text: "333333",
    colours: { red: "cd3131", magenta: "bc05bc", blue: "0451a5", gray: "666666" },
  },
  {
    name: "GNOME Terminal, light",
    ground: "ffffff",
    text: "171421",
    colours: { red: "c01c28", magenta: "a347ba", blue: "12488b", gray: "5e5c64" },
  },
];
const dark: readonly Palette[] = [
  {
    name: "xterm on black",
    ground: "000000",
    text: "e5e5e5",
    colours: {
      red: "cd0000",
      green: "00cd00",
      yellow: "cdcd00",
      magenta: "cd00cd",
      cyan: "00cdcd",
    },
  },
  {
    name: "Visual Studio Code, dark",
    ground: "1e1e1e",
    text: "cccccc",
    colours: {
      red: "cd3131",
      green: "0dbc79",
      yellow: "e5e510",
      magenta: "bc3fbc",
      cyan: "11a8cd",
    },
  },
  {
    name: "Windows Terminal",
    ground: "0c0c0c",
    text: "cccccc",
    colours: {
      red: "c50f1f",
      green: "13a10e",
      yellow: "c19c00",
      magenta: "881798",
      cyan: "3a96dd",
    },
  },
];

/** The color as six hexadecimal digits: a name of the palette, or a cell of the 6×6×6 cube. */
function shownColor(color: string | undefined, { text, colours }: Palette): string {
  if (color === undefined) return text;
  const cube = Number(/^ansi256\((\d+)\)$/.exec(color)?.[1] ?? Number.NaN) - 16;
  if (Number.isNaN(cube)) return colours[color] ?? `no color ${color}`;
  const steps = [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6];
  return steps
    .map((step) => (step === 0 ? 0 : 55 + 40 * step).toString(16).padStart(2, "0"))
    .join("");
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [less = 0, more = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (more + 0.05) / (less + 0.05);
}

describe.each([
  ["light", true, light],
  ["light", false, light],
  ["dark", true, dark],
  ["dark", false, dark],
] as const)("on a %s background, with 256 colors: %s", (background, shades, palettes) => {
  test.each(palettes)("every tone can be read with the colors of $name", (palette) => {
    const theme = createTheme({ color: true, ascii: false, background, shades });
    for (const tone of tones) {
      const shown = shownColor(theme.style(tone).color, palette);
      const least = background === "light" ? 3.9 : 2;
      expect(contrast(shown, palette.ground), tone).toBeGreaterThan(least);
    }
  });
});

test("a color has the same meaning on every background, and magenta is never a state", () => {
  const hue = (color: string | undefined) =>
    ({ "ansi256(28)": "green", "ansi256(30)": "cyan", "ansi256(130)": "yellow" })[color ?? ""] ??
    color;
  const onDark = createTheme({ color: true, ascii: false, background: "dark", shades: true });
  const onLight = createTheme({ color: true, ascii: false, background: "light", shades: true });
  for (const tone of tones.filter((one) => one !== "muted")) {
    expect(hue(onLight.style(tone).color), tone).toBe(onDark.style(tone).color);
    expect(onDark.style(tone).color, tone).not.toBe("magenta");
  }
});

test.each([
  ["dark", true],
  ["dark", false],
  ["light", true],
  ["light", false],
] as const)(
  "on %s, with 256 colors %s, a color is a state and nothing else",
  (background, shades) => {
    const theme = createTheme({ color: true, ascii: false, background, shades });
    expect(theme.style("unknown")).toEqual(theme.style("waiting"));
    for (const tone of ["plain", "accent", "title", "changed"] as const)
      expect(theme.style(tone).color, tone).toBeUndefined();
    const states = (["ok", "busy", "waiting", "bad"] as const).map(
      (tone) => theme.style(tone).color,
    );
    if (background === "dark" || shades) expect(new Set(states).size).toBe(states.length);
  },
);

test("an unknown entry looks like an unknown item", () => {
  expect(outcomeWords.unknown.tone).toBe("unknown");
  expect(itemWords.unknown.tone).toBe("unknown");
});

test.each([
  ["dark", true, true, "ansi256(237)"],
  ["light", true, true, "ansi256(254)"],
  ["dark", false, true, undefined],
  [null, true, true, undefined],
  ["dark", true, false, undefined],
] as const)(
  "the line of the cursor on %s, with 256 colors %s and color %s, has one shade or is bold",
  (background, shades, color, shade) => {
    const theme = createTheme({ ascii: false, background, shades, color });
    for (const tone of tones) {
      const style = theme.style(tone, true);
      expect(style.backgroundColor, tone).toBe(shade);
      expect(style.color, tone).toBe(theme.style(tone).color);
      if (shade === undefined) expect(style, tone).toMatchObject({ bold: true });
    }
  },
);

test("nothing is dimmed on a light background, where it would fade away", () => {
  const theme = createTheme({ color: true, ascii: false, background: "light" });
  expect(tones.filter((tone) => theme.style(tone).dimColor)).toEqual([]);
});

test.each([
  ["\x1b]11;rgb:ffff/ffff/ffff\x07", "light"],
  ["\x1b]11;rgb:fd/f6/e3\x1b\\", "light"],
  ["\x1b]11;rgba:0000/2b2b/3636/ffff\x07", "dark"],
  ["\x1b]10;rgb:ffff/ffff/ffff\x07", null],
  ["\x1b]11;nonsense\x07", null],
])("reads the terminal's answer %j as %s", (answer, expected) => {
  expect(backgroundOf(answer)).toBe(expected);
});

test.each([
  ["15;0", "dark"],
  ["0;15", "light"],
  ["0;default;15", "light"],
  ["7;8", "dark"],
  ["default;default", null],
  [undefined, null],
])("reads COLORFGBG=%s as %s", (value, expected) => {
  expect(backgroundIn({ COLORFGBG: value })).toBe(expected);
});

test("asks no terminal that would show the question", () => {
  for (const TERM of ["linux", "dumb", "vt100", "screen", "screen-256color", ""]) {
    expect(canQueryTerminal({ TERM }), TERM).toBe(false);
  }
  expect(canQueryTerminal({ TERM: "xterm-256color" })).toBe(true);
  expect(canQueryTerminal({ TERM: "screen", TMUX: "/tmp/tmux" })).toBe(true);
});

test.each([
  [{ TERM: "xterm-256color" }, true],
  [{ TERM: "xterm", COLORTERM: "truecolor" }, true],
  [{ TERM: "xterm" }, false],
  [{ TERM: "xterm-256color", FORCE_COLOR: "1" }, false],
])("knows from %j whether the terminal has 256 colors: %s", (env, expected) => {
  expect(has256Colors(env)).toBe(expected);
});
