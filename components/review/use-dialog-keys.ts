"use client";
import { useCallback } from "react";
import { useDeskKeyMap } from "#components/desk-settings/key-context.tsx";
import { readPress, type KeyAction, type Press } from "#lib/client/desk/keys.ts";

export interface DialogKeys {
  /** The key that opened the dialog closes it. */
  opener: KeyAction;
  onPress: (press: Press, at: number) => void;
  onClose: () => void;
}

const allowed: ReadonlySet<KeyAction> = new Set(["approve", "reject", "skip", "undo"]);

/** Actions of the desk that work in a dialog. They close it: the next post is shown whole first. */
export function useDialogKeys({ opener, onPress, onClose }: DialogKeys) {
  const keys = useDeskKeyMap();
  const press = useCallback(
    (pressed: Press, at: number) => {
      onClose();
      if (!("action" in pressed && pressed.action === opener)) onPress(pressed, at);
    },
    [onClose, onPress, opener],
  );
  const onKey = useCallback(
    (event: KeyboardEvent) => {
      const pressed = readPress(event, keys);
      if (!pressed || "saved" in pressed) return;
      if ("action" in pressed && pressed.action !== opener && !allowed.has(pressed.action)) return;
      event.preventDefault();
      press(pressed, event.timeStamp);
    },
    [keys, opener, press],
  );
  return { keys, press, onKey };
}
