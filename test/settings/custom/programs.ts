import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freshFolder } from "../settings-folder.ts";

/** A program that a test makes, in a folder of its own. */
export interface StandIn {
  /** Its absolute path. */
  readonly path: string;
  readonly folder: string;
  /** The arguments of each call, in order. */
  calls(): readonly Call[];
}

interface Call {
  readonly args: readonly string[];
  readonly stdin: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Writes a program in shell that records its calls, and then does `body`. */
export function standIn(name = "program", body = "", folder = freshFolder().root): StandIn {
  const path = join(folder, name);
  const log = join(folder, `${name}.calls`);
  // Each call in one piece at the end, so that a reader never finds half of it.
  writeFileSync(
    path,
    `#!/bin/sh
record=$(mktemp '${folder}/call.XXXXXX')
for word in "$@"; do printf 'arg %s\\n' "$word" >>"$record"; done
env | sed 's/^/env /' >>"$record"
sed 's/^/in /' >>"$record"
printf 'end\\n' >>"$record"
cat "$record" >>'${log}'
${body}
`,
  );
  chmodSync(path, 0o700);
  return { path, folder, calls: () => (existsSync(log) ? parsed(readFileSync(log, "utf8")) : []) };
}

function parsed(log: string): Call[] {
  return log
    .split(/^end\n/m)
    .filter((record) => record !== "")
    .map((record) => {
      const lines = record.split("\n");
      const of = (mark: string) =>
        lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(mark.length));
      return {
        args: of("arg "),
        stdin: of("in ").join("\n"),
        env: Object.fromEntries(of("env ").map((line) => line.split(/=(.*)/s).slice(0, 2))),
      };
    });
}
