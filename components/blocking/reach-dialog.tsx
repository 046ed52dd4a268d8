"use client";
import { useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Checkbox, RadioGroup } from "#components/ui/choice.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Notice } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";
import {
  questionTexts,
  type PlainQuestion,
  type ReachQuestion,
  type WaitingChoice,
} from "./reach-question.ts";

const w = words.blockQuestions;

export interface ReachDialogProps {
  question: ReachQuestion;
  onClose: () => void;
}

export function ReachDialog({ question, onClose }: ReachDialogProps) {
  const isBlock = "choices" in question;
  const [scope, setScope] = useState(isBlock ? question.preset : 0);
  // The domain may have been blocked since.
  const block = isBlock ? (question.choices[scope] ?? question.choices[0]) : undefined;
  const { title, lines, warnings, action, isNew, waiting, secondStep } =
    isBlock && block ? questionTexts(block, question.isNew) : questionTexts(question as PlainQuestion);
  const [picked, setPicked] = useState<WaitingChoice>(waiting?.preset ?? "none");
  const options = waiting?.options ?? ["none"];
  // Another scope may not offer it; the last option rejects the fewest posts.
  const choice = options.includes(picked) ? picked : (options.at(-1) ?? "none");
  const [confirm, setConfirm] = useState(false);
  const [pending, setPending] = useState(false);
  // State updates too late to stop a second press.
  const running = useRef(false);
  const run = async () => {
    if (running.current || (secondStep && !confirm)) return;
    running.current = true;
    setPending(true);
    if (!isBlock) await question.run();
    else if (block) await question.run(block, choice, confirm);
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
        {isBlock && question.choices.length > 1 ? (
          <RadioGroup
            label={w.scope}
            value={String(scope)}
            onChange={(value) => {
              setScope(Number(value));
              setConfirm(false);
            }}
            options={question.choices.map(({ target, reach }, at) => ({
              value: String(at),
              label: target.domain === undefined ? w.scopeAccount : w.scopeDomain(target.domain),
              hint: w.scopeWaiting(reach.counts["waiting"] ?? 0),
            }))}
          />
        ) : null}
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
        {waiting && options.length === 1 ? <p className="text-14">{w.rejectsCard}</p> : null}
        {waiting && options.length > 1 ? (
          <div className="flex flex-col gap-2">
            <p className="tabular text-13 font-medium">{w.waiting(waiting.count)}</p>
            <RadioGroup
              label={w.waiting(waiting.count)}
              value={choice}
              onChange={(value) => setPicked(value as WaitingChoice)}
              options={options.map((value) => ({ value, label: labels[value] }))}
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
