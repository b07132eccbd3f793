/** Shows the completions of a typed path, each with its size and age. */
import { useApp } from "../hooks/app.tsx";
import type { PathCompletion } from "../hooks/path-completion.ts";
import { useLinear, useRoom } from "../hooks/window.tsx";
import { coarseAge } from "../text/ages.ts";
import { bytes, plural } from "../text/numbers.ts";
import { safe } from "../text/sanitize.ts";
import { padOrTruncate, widthOf } from "../text/width.ts";
import { Line, Text } from "./text.tsx";

const sizeWidth = 9;
const ageWidth = 12;

export function PathCandidates(props: {
  readonly completion: PathCompletion;
  readonly most: number;
}) {
  const { completion, most } = props;
  const { candidates, count: total } = completion;
  const { clock } = useApp();
  const linear = useLinear();
  const { columns } = useRoom();
  if (linear) return <Text>{candidates.map(({ name }) => name).join("  ")}</Text>;
  const maxNameWidth = Math.max(8, columns - sizeWidth - ageWidth - 4);
  const maxShown = total > most ? Math.max(1, most - 1) : most;
  const shown = candidates.slice(0, maxShown);
  const nameWidth = Math.max(0, ...shown.map(({ name }) => widthOf(safe(name))));
  const now = clock.now();
  return (
    <>
      {shown.map(({ name, size, changedAt }) => (
        <Line
          key={name}
          pieces={[
            { text: padOrTruncate(safe(name), Math.min(maxNameWidth, nameWidth)) },
            {
              text: `  ${padOrTruncate(size === null ? "" : bytes(size), sizeWidth, { align: "right" })}  ${changedAt === null ? "" : coarseAge(Math.max(0, now - changedAt))}`,
              tone: "muted",
            },
          ]}
        />
      ))}
      {total > shown.length ? (
        <Text tone="muted">{`and ${plural(total - shown.length, "more name")}`}</Text>
      ) : null}
    </>
  );
}
