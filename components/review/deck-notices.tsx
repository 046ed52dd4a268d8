"use client";
import { Coffee, Lightbulb } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/states.tsx";
import * as words from "#components/words/desk.ts";
import { keySign, type KeyMap } from "#lib/desk/keys.ts";

export function FirstHint({ keys, onDismiss }: { keys: KeyMap; onDismiss: () => void }) {
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

/** "Go on" restarts the timer. */
export function BreakReminder({ minutes }: { minutes: number }) {
  const [since, setSince] = useState(() => Date.now());
  const [due, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), Math.max(0, since + minutes * 60_000 - Date.now()));
    return () => clearTimeout(timer);
  }, [since, minutes]);
  if (!due) return null;
  return (
    <Notice
      icon={<Coffee aria-hidden className="mt-px size-4 shrink-0" />}
      action={
        <Button
          size="sm"
          variant="ghost"
          className="-my-1.5"
          onClick={() => {
            setDue(false);
            setSince(Date.now());
          }}
        >
          {words.review.breakDismiss}
        </Button>
      }
    >
      <span className="font-medium">{words.review.breakTitle}.</span> {words.review.breakText(minutes)}
    </Notice>
  );
}
