"use client";
import { Lightbulb } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/states.tsx";
import { keySign, type DeskKeys } from "#lib/client/desk/keys.ts";

export function FirstHint({ keys, onDismiss }: { keys: DeskKeys; onDismiss: () => void }) {
  const [approve, reject, skip, undo] = [keys.approve, keys.reject, keys.skip, keys.undo].map(keySign);
  return (
    <Notice
      icon={<Lightbulb aria-hidden className="mt-px size-4 shrink-0" />}
      action={
        <Button size="sm" variant="ghost" onClick={onDismiss} className="-my-1.5">
          Got it
        </Button>
      }
      className="pointer-coarse:hidden"
    >
      <span className="font-medium">Four keys to start with:</span>{" "}
      {`${approve ?? ""} approves, ${reject ?? ""} rejects, ${skip ?? ""} skips, ${undo ?? ""} undoes the last decision.`}{" "}
      All keys: ?
    </Notice>
  );
}
