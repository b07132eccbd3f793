/** The colors of the picture: a dark terminal whose sixteen colors all read well on it. */
export const background = "#1a1d23";
export const foreground = "#d6dae1";
export const titleBar = "#2a2f38";
export const titleText = "#9aa3b2";

const names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const normal = [
  "#3b414d",
  "#e86671",
  "#8cc570",
  "#e2b95b",
  "#61a8f0",
  "#c98be0",
  "#4fbcc6",
  "#c3c9d3",
];
const bright = [
  "#7d8695",
  "#ff8590",
  "#a9e08d",
  "#f6d278",
  "#85c1ff",
  "#dfa8f2",
  "#74d8e1",
  "#ffffff",
];

/** The 256-color cube and its greys, as terminals agree on them. */
function indexed(index: number): string {
  const hex = (value: number) => value.toString(16).padStart(2, "0");
  if (index >= 232) return `#${hex(8 + (index - 232) * 10).repeat(3)}`;
  const steps = [0, 95, 135, 175, 215, 255];
  const at = index - 16;
  const [red, green, blue] = [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6];
  return `#${[red, green, blue].map((step) => hex(steps[step] ?? 0)).join("")}`;
}

/** The value of a color by its name on a cell; `byDefault` for the terminal's own. */
export function colorValue(name: string, byDefault: string): string {
  if (name === "default") return byDefault;
  if (name.startsWith("#")) return name;
  const index = /^colour-(\d+)$/.exec(name)?.[1];
  if (index !== undefined) return indexed(Number(index));
  const isBright = name.startsWith("bright-");
  const shades = isBright ? bright : normal;
  return shades[names.indexOf(isBright ? name.slice("bright-".length) : name)] ?? byDefault;
}
