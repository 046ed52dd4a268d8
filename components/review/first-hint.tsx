"use client";
import { Lightbulb } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/states.tsx";
import * as words from "#components/words/desk.ts";
import { keySign, type DeskKeys } from "#lib/client/desk/keys.ts";

export function FirstHint({ keys, onDismiss }: { keys: DeskKeys; onDismiss: () => void }) {
  const [approve, reject, skip, undo] = [keys.approve, keys.reject, keys.skip, keys.undo].map(keySign);
  return (
    <Notice
      icon={<Lightbulb aria-hidden className="mt-px size-4 shrink-0" />}
      action={
        <Button size="sm" variant="ghost" onClick={onDismiss} className="-my-1.5">
          {words.review.hintDismiss}
        </Button>
      }
      className="pointer-coarse:hidden"
    >
      <span className="font-medium">{words.review.hint}:</span>{" "}
      {words.review.hintText(approve ?? "", reject ?? "", skip ?? "", undo ?? "")} {words.review.hintMore}
    </Notice>
  );
}
