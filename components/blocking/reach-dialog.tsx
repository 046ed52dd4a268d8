"use client";
import { useRef, useState, type KeyboardEvent } from "react";
import { useReasonsInUse } from "#components/shell/member-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Checkbox, RadioGroup } from "#components/ui/choice.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Select } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/states.tsx";
import { SPAM_REASON } from "#lib/review/reject-reason-schema.ts";
import { ownStreamsWarning, reachLines, type ReachQuestion } from "./reach-question.ts";

export interface ReachDialogProps {
  question: ReachQuestion;
  onClose: () => void;
}

export function ReachDialog({ question, onClose }: ReachDialogProps) {
  const isBlock = "choices" in question;
  const reasons = useReasonsInUse();
  const [scope, setScope] = useState(isBlock ? question.preset : 0);
  const [reason, setReason] = useState<number | null>(
    reasons.some(({ id }) => id === SPAM_REASON) ? SPAM_REASON : null,
  );
  const [confirm, setConfirm] = useState(false);
  const [pending, setPending] = useState(false);
  // State updates too late to stop a second press.
  const running = useRef(false);
  // The domain may have been blocked since.
  const block = isBlock ? (question.choices[scope] ?? question.choices[0]) : undefined;
  const warning = ownStreamsWarning(block?.reach.own_streams ?? []);
  const needsConfirm = warning !== null && !confirm;
  const lines = isBlock ? (block ? reachLines(block.reach) : []) : question.lines;
  const run = async () => {
    if (running.current || needsConfirm) return;
    running.current = true;
    setPending(true);
    if (!isBlock) await question.run();
    else if (block) await question.run(block, reason);
    running.current = false;
    setPending(false);
  };
  /** As at the desk. */
  const onKeyDown = (event: KeyboardEvent) => {
    const chosen = /^[1-9]$/.test(event.key) ? reasons[Number(event.key) - 1] : undefined;
    if (chosen === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    setReason(chosen.id);
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={isBlock ? `Block ${block?.target.name ?? ""}?` : question.title}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" pending={pending} disabled={needsConfirm} onClick={() => void run()}>
            {isBlock ? "Block" : question.action}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-3"
        onKeyDown={onKeyDown}
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        {isBlock && question.choices.length > 1 ? (
          <RadioGroup
            label="Block"
            value={String(scope)}
            onChange={(value) => {
              setScope(Number(value));
              setConfirm(false);
            }}
            options={question.choices.map(({ target }, at) => ({
              value: String(at),
              label: target.domain === undefined ? "This account" : `Everyone on ${target.domain}`,
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
        {warning === null ? null : <Notice tone="warn">{warning}</Notice>}
        {block && block.reach.rejected > 0 ? (
          <Field label="Reason of the rejected posts">
            <Select
              value={String(reason ?? "")}
              onChange={(event) => setReason(event.target.value === "" ? null : Number(event.target.value))}
              options={[
                { value: "", label: "None" },
                ...reasons.map(({ id, label }, at) => ({ value: String(id), label: `${at + 1} ${label}` })),
              ]}
            />
          </Field>
        ) : null}
        {warning === null ? null : (
          <Checkbox
            label="Block the hashtag of my own stream"
            checked={confirm}
            onChange={(event) => setConfirm(event.target.checked)}
          />
        )}
        {/* Enter in a field submits. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Dialog>
  );
}
