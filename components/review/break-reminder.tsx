"use client";
import { Coffee } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/states.tsx";
import { reviewTools } from "#components/words/en/review-tools.ts";

/** "Continue" restarts the timer. */
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
          {reviewTools.breakDismiss}
        </Button>
      }
    >
      <span className="font-medium">{reviewTools.breakTitle}.</span> {reviewTools.breakText(minutes)}
    </Notice>
  );
}
