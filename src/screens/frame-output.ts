import { asciiCells } from "../text/ascii-cells.ts";

/** Leads back from the other screen; a terminal that has none stays where it is, in the last line. */
const leaveScreen = "\x1b[?1049l";

const manyLinesDown = /(?:\x1b\[E){2,}/g;
const oneLineDown = "\x1b[E".length;

/**
 * The terminal as Ink writes to it. Ink passes over each line that has not changed with a sequence of
 * its own; here they become one, which over a slow link is a third of what a key press costs. With
 * `ascii` nothing else is let through, whoever wrote what is shown.
 */
export function frameOutput(
  stdout: NodeJS.WriteStream,
  options: { readonly ascii: boolean } = { ascii: false },
): NodeJS.WriteStream {
  const shown = options.ascii ? asciiCells : (text: string) => text;
  const write = (chunk: string | Uint8Array, ...rest: []) => {
    const frame =
      typeof chunk === "string"
        ? shown(chunk)
            .replace(manyLinesDown, (run) => `\x1b[${run.length / oneLineDown}E`)
            .replace(leaveScreen, `\r\n${leaveScreen}`)
        : chunk;
    return stdout.write(frame, ...rest);
  };
  return new Proxy(stdout, {
    get(target, name) {
      if (name === "write") return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
