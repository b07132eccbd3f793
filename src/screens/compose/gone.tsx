import { Body } from "../../components/body.tsx";
import { Text } from "../../components/text.tsx";

/** What stands where a draft was. */
export function Gone() {
  return (
    <Body>
      <Text tone="muted">This draft is not there any more: it was sent, or discarded.</Text>
    </Body>
  );
}
