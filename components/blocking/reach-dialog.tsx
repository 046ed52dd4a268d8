"use client";
import { useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Checkbox, RadioGroup } from "#components/ui/choice.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Notice } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";
import { questionTexts, type ReachQuestion, type WaitingChoice } from "./reach-question.ts";

const w = words.blockQuestions;

export interface ReachDialogProps {
  question: ReachQuestion;
  onClose: () => void;
}

export function ReachDialog({ question, onClose }: ReachDialogProps) {
  const { title, lines, warnings, action, isNew, waiting, secondStep } = questionTexts(question);
  const [choice, setChoice] = useState<WaitingChoice>(waiting?.preset ?? "none");
  const [confirm, setConfirm] = useState(false);
  const [pending, setPending] = useState(false);
  // State updates too late to stop a second press.
  const running = useRef(false);
  const run = async () => {
    if (running.current || (secondStep && !confirm)) return;
    running.current = true;
    setPending(true);
    await question.run(waiting ? choice : "none", confirm);
    running.current = false;
    setPending(false);
  };
  const labels: Record<WaitingChoice, string> = {
    all: w.rejectAll(waiting?.count ?? 0),
    this: w.rejectThis,
    none: w.leave,
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button
            variant="danger"
            pending={pending}
            disabled={secondStep && !confirm}
            onClick={() => void run()}
          >
            {action}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        {isNew ? <Notice tone="info">{w.grown}</Notice> : null}
        <ul className="flex flex-col gap-1 text-14">
          {lines.map((line) => (
            <li key={line} className="tabular">
              {line}
            </li>
          ))}
        </ul>
        {warnings.map(({ code, detail }) => (
          <Notice key={code} tone="warn">
            {detail}.
          </Notice>
        ))}
        {waiting ? (
          <div className="flex flex-col gap-2">
            <p className="tabular text-13 font-medium">{w.waiting(waiting.count)}</p>
            <RadioGroup
              label={w.waiting(waiting.count)}
              value={choice}
              onChange={(value) => setChoice(value as WaitingChoice)}
              options={waiting.options.map((value) => ({ value, label: labels[value] }))}
            />
          </div>
        ) : null}
        {secondStep ? (
          <Checkbox
            label={w.secondStep}
            checked={confirm}
            onChange={(event) => setConfirm(event.target.checked)}
          />
        ) : null}
        {/* Enter in a field submits. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Dialog>
  );
}
