import { Box } from "ink";
import { useUsedKeys } from "../hooks/keys.tsx";
import { useTour } from "../hooks/tour.tsx";
import { keyLabel } from "../keys/bindings.ts";
import { tourSteps } from "../session/tour-steps.ts";
import { Paragraph } from "./paragraph.tsx";

/** Lines it takes while the tour is on. */
export const tourRows = 3;

/** What the tour asks for now, above the footer; nothing while no tour is on. */
export function TourStrip() {
  const { current } = useTour();
  const { keymap } = useUsedKeys();
  if (current === null) return null;
  const words = current.step.words((id) => keyLabel(keymap.keysOf(id)[0] ?? ""));
  return (
    <Box flexDirection="column" height={tourRows} flexShrink={0} justifyContent="flex-end">
      <Paragraph tone="accent" most={tourRows}>
        {`Tour ${current.number} of ${tourSteps.length}: ${words}`}
      </Paragraph>
    </Box>
  );
}
