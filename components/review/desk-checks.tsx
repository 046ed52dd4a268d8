"use client";
import { useEffect } from "react";
import { CheckPanel, type CheckPanelProps } from "#components/post/check-panel.tsx";
import { isTyping, type Press } from "#lib/client/desk/keys.ts";
import { useDialogKeys } from "./use-dialog-keys.ts";

/** The checks of the card on top. The keys of decisions work, and the key of the checks closes. */
export function DeskChecks({
  onPress,
  ...panel
}: CheckPanelProps & { onPress: (press: Press, at: number) => void }) {
  const { onKey } = useDialogKeys({ opener: "checks", onPress, onClose: panel.onClose });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (!isTyping(event.target)) onKey(event);
    };
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, [onKey]);
  return <CheckPanel {...panel} />;
}
