"use client";
import { useEffect, useId, useRef } from "react";
import { Button } from "#components/ui/button.tsx";
import { cn } from "#components/ui/cn.ts";
import { MAX_NOTE, readNoteKey, type NoteKey, type NoteText } from "#lib/client/desk/note.ts";

export interface NoteFieldProps {
  note: NoteText;
  onChange: (text: string) => void;
  onKey: (key: NoteKey, at: number) => void;
}

export function NoteField({ note, onChange, onKey }: NoteFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const over = [...note.text].length - MAX_NOTE;
  // Returns the focus when the field closes.
  useEffect(() => {
    const before = document.activeElement;
    field.current?.focus();
    return () => {
      const lost = document.activeElement === document.body;
      if (lost && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <div className="flex shrink-0 flex-wrap items-end gap-2 rounded-lg border border-line bg-surface p-2 max-desk:rounded-none max-desk:border-x-0">
      <div className="min-w-0 flex-1 max-desk:basis-full">
        <label htmlFor={id} className="hidden-visually">
          Note
        </label>
        <textarea
          ref={field}
          id={id}
          dir="auto"
          rows={2}
          value={note.text}
          aria-describedby={`${id}-hint`}
          aria-invalid={over > 0 || undefined}
          placeholder="A note for other reviewers, saved with the decision"
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => {
            const key = readNoteKey(event.nativeEvent, note);
            if (key === null) return;
            event.preventDefault();
            onKey(key, event.timeStamp);
          }}
          className="block w-full resize-none rounded-md bg-transparent px-2 py-1 text-14 placeholder:text-muted"
        />
        <p id={`${id}-hint`} className={cn("mt-1.5 px-2 text-12", over > 0 ? "text-reject" : "text-muted")}>
          {over > 0
            ? `${over} characters too many`
            : "Ctrl-Enter approves with the note, Ctrl-Shift-Enter rejects. Shift-Enter starts a new line."}
        </p>
      </div>
      <Button
        size="sm"
        variant="ghost"
        className="max-desk:ms-auto"
        onClick={(event) => onKey("discard", event.timeStamp)}
        kbd="Esc"
      >
        Discard
      </Button>
      <Button size="sm" onClick={(event) => onKey("save", event.timeStamp)} kbd="↵" aria-keyshortcuts="Enter">
        Save note
      </Button>
    </div>
  );
}
