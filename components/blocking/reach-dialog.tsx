import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { RadioGroup } from "#components/ui/choice.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import type { ReachQuestion } from "./use-question.tsx";

export function ReachDialog({
  question,
  pending,
  onClose,
}: {
  question: ReachQuestion;
  pending: boolean;
  onClose: () => void;
}) {
  const { action, choices } = question;
  const [at, setAt] = useState(0);
  const choice = choices[at];
  const run = () => void choice?.run();
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={choice?.title ?? ""}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" pending={pending} onClick={run}>
            {action}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        {choices.length > 1 ? (
          <RadioGroup
            label={action}
            value={String(at)}
            onChange={(value) => setAt(Number(value))}
            options={choices.map(({ label = "" }, index) => ({ value: String(index), label }))}
          />
        ) : null}
        <ul className="flex flex-col gap-1 text-14">
          {choice?.lines.map((line) => (
            <li key={line} className="tabular">
              {line}
            </li>
          ))}
        </ul>
        {/* Enter in a field submits. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Dialog>
  );
}
