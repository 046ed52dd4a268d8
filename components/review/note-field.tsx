import { useEffect, useRef, type KeyboardEvent } from "react";
import { Button } from "#components/ui/button.tsx";
import type { OnPress } from "./use-deck-actions.ts";

/** In UTF-16 units. The API counts characters, which are never more. */
const MAX_NOTE = 2000;

export interface NoteFieldProps {
  note: string;
  onChange: (text: string) => void;
  onClose: () => void;
  onPress: OnPress;
}

/** Edits the note of the card on top, which is sent with the decision. Closing the field keeps it. */
export function NoteField({ note, onChange, onClose, onPress }: NoteFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  // Returns the focus when the field closes.
  useEffect(() => {
    const before = document.activeElement;
    field.current?.focus();
    return () => {
      const lost = document.activeElement === document.body;
      if (lost && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, shiftKey } = event;
    const decides = key === "Enter" && (ctrlKey || metaKey);
    if (event.nativeEvent.isComposing || (key !== "Escape" && (key !== "Enter" || (shiftKey && !decides))))
      return;
    event.preventDefault();
    if (decides) onPress({ action: shiftKey ? "reject" : "approve" });
    else onClose();
  };
  return (
    <div className="flex shrink-0 flex-wrap items-end gap-2 rounded-lg border border-line bg-surface p-2 max-desk:rounded-none max-desk:border-x-0 aside:me-62">
      <textarea
        ref={field}
        dir="auto"
        rows={2}
        value={note}
        maxLength={MAX_NOTE}
        aria-label="Note"
        placeholder="A note for other reviewers, saved with the decision. Ctrl-Enter approves, Ctrl-Shift-Enter rejects."
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        className="block min-w-0 flex-1 resize-none rounded-md bg-transparent px-2 py-1 text-14 placeholder:text-muted max-desk:basis-full"
      />
      <Button size="sm" className="max-desk:ms-auto" onClick={onClose} kbd="↵" aria-keyshortcuts="Enter">
        Save note
      </Button>
    </div>
  );
}
