/**
 * The transcripts of the pages (`console` blocks), run against a sandbox. A page is one session: its
 * commands run in their order, on the sandbox that the page starts. When the program's output changes,
 * `npx vitest run test/docs/transcripts.test.ts -u` writes the new output into the page.
 */
import { join } from "node:path";
import { programEnvironment } from "../helpers/folders.ts";
import { openSandbox } from "../helpers/service.ts";
import { callsIn } from "../helpers/shell-calls.ts";
import { openHome, runAll, sleptMs } from "./home.ts";
import { blocksOf, pages, pageText, project } from "./pages.ts";

const withTranscripts = pages.filter((page) =>
  blocksOf(page).some(({ language }) => language === "console"),
);
/** The runs of a page have these IDs, in the order in which they come up. */
const runIds = ["ryb6p2", "rc4s3j", "rw9c3t"];
const newestRun = '$(supplyline bulk list --format csv | sed -n "2s/,.*//p")';

const timePattern = /\d{4}-\d\d-\d\d([ T])\d\d:\d\d:\d\d(\.\d+)?(Z| UTC)/g;

/** Masks the parts that differ from run to run: a wait is shown only when the last attempt was just now. */
function steady(output: string): string {
  return output
    .replace(/^supplyline: Waiting .* before sending the same bytes again,.*\n/gm, "")
    .replace(timePattern, "TIME")
    .replace(/after \d+(\.\d+)? m?s\b/g, "after DURATION");
}

/** Moves the times of an output on: only the service knows that the page has slept. */
function movedOn(output: string, ms: number): string {
  if (ms === 0) return output;
  return output.replace(timePattern, (time, separator: string, fraction = "", zone: string) => {
    const at = Date.parse(time.replace(separator, "T").replace(zone, "Z")) + ms;
    const iso = new Date(at).toISOString().replace("T", separator);
    return `${iso.slice(0, 19)}${fraction}${zone}`;
  });
}

interface Typed {
  readonly command: string;
  /** The output on the page. */
  readonly shown: string;
}

/** The commands of a transcript. */
function typedIn(text: string): readonly Typed[] {
  const [, ...pieces] = `\n${text}`.split(/^\$ /m);
  return pieces.map((piece) => {
    const [command = "", ...shown] = piece.trimEnd().split("\n");
    return { command, shown: shown.join("\n") };
  });
}

function transcript(all: readonly Typed[]): string {
  return all.map(({ command, shown }) => `$ ${command}\n${shown && `${shown}\n`}`).join("");
}

function valuesOf(option: string, command: string): readonly string[] {
  const [words = []] = callsIn(command);
  return words.flatMap((word, at) => (words[at - 1] === option ? [word] : []));
}

test.each(withTranscripts)("the transcripts of %s show what the commands print", async (page) => {
  const typed = blocksOf(page)
    .filter(({ language }) => language === "console")
    .flatMap(({ text }) => typedIn(text));
  const [start = { command: "" }, ...session] = typed;
  let home = "";
  const sandbox = await openSandbox({
    speed: 4,
    faults: valuesOf("--fault", start.command),
    now: () => Date.now() + sleptMs(home),
  });
  await using folders = await openHome(sandbox.apiKey);
  home = folders.home;
  const ended = await runAll(
    session.map(({ command }) => command.replace(/\bryb6p2\b/, newestRun)),
    programEnvironment(folders, sandbox.env),
    folders.home,
  );
  const drawn = ended.flatMap(({ output }) => /^run (r\w{5})$/m.exec(output)?.[1] ?? []);
  let slept = 0;
  const printed = ended.map(({ statement, output }) => {
    slept += Number(/^sleep (\d+)m$/.exec(statement)?.[1] ?? 0) * 60_000;
    const now = drawn
      .reduce((text, id, nth) => text.replaceAll(id, runIds[nth] ?? id), output)
      .trimEnd()
      .replaceAll(new URL(sandbox.baseUrl).port, valuesOf("--port", start.command)[0] ?? "");
    return movedOn(now, slept);
  });
  const before = session.map(({ shown }) => shown);
  // All outputs of a page are of one session: a new one would contradict the times of the others.
  const isSame = printed.every((now, at) => steady(now) === steady(before[at] ?? ""));
  const outputs = isSame ? before : printed;
  let at = 0;
  const text = pageText(page).replace(/(?<=^```console\n)[\s\S]*?(?=^```$)/gm, (block: string) =>
    transcript(
      typedIn(block).map((one) =>
        one.command === start.command ? one : { ...one, shown: outputs[at++] ?? "" },
      ),
    ),
  );
  await expect(text).toMatchFileSnapshot(join(project, page));
});
