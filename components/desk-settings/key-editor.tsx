"use client";
import { useState } from "react";
import { cn } from "#components/ui/cn.ts";
import { words } from "#components/words/en.ts";
import { clashes, isUsableKey, keyActions, keySign, type KeyAction, type KeyMap } from "#lib/desk/keys.ts";
import { actionWords } from "./action-words.ts";

export function KeyEditor({ keys, onChange }: { keys: KeyMap; onChange: (keys: KeyMap) => void }) {
  const [waiting, setWaiting] = useState<KeyAction | null>(null);
  const [refused, setRefused] = useState(false);
  const shared = clashes(keys);
  return (
    <ul className="grid gap-x-6 gap-y-1 desk:grid-cols-2">
      {keyActions.map((action) => {
        const clash = shared.get(action);
        const listening = waiting === action;
        const problem =
          listening && refused
            ? words.reviewTools.keyRefused
            : clash
              ? words.reviewTools.keyTaken(actionWords[clash])
              : null;
        return (
          <li key={action} className="min-w-0">
            <div className="flex min-h-control-sm items-center gap-2">
              <span className="min-w-0 flex-1 truncate text-14">{actionWords[action]}</span>
              <button
                type="button"
                aria-label={`${actionWords[action]}: ${listening ? words.reviewTools.pressKey : keySign(keys[action])}`}
                className={cn(
                  "inline-flex h-control-sm min-w-12 items-center justify-center rounded-md border px-2 text-13 font-medium",
                  listening
                    ? "border-accent text-accent"
                    : clash
                      ? "border-reject text-reject"
                      : "border-line-strong",
                )}
                onClick={() => {
                  setRefused(false);
                  setWaiting(listening ? null : action);
                }}
                onBlur={() => listening && setWaiting(null)}
                onKeyDown={(event) => {
                  if (!listening || event.key === "Tab") return;
                  event.preventDefault();
                  event.stopPropagation();
                  if (["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
                  if (event.key === "Escape") return setWaiting(null);
                  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
                  if (!isUsableKey(key)) return setRefused(true);
                  onChange({ ...keys, [action]: key });
                  setWaiting(null);
                }}
              >
                {listening ? words.reviewTools.pressKey : keySign(keys[action])}
              </button>
            </div>
            {problem ? (
              <p role="status" className="pb-1 text-12 text-reject">
                {problem}
              </p>
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}
