import { Check, Circle, CircleDot } from "lucide-react";
import { ButtonLink } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { cn } from "#components/ui/cn.ts";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { VisuallyHidden } from "#components/ui/visually-hidden.tsx";
import type { Step } from "./steps-done.ts";

const homeSteps = {
  stream: {
    name: "Add a stream",
    hint: "A hashtag and the server to read it from.",
    action: "Add stream",
  },
  fetch: {
    name: "Fetch its posts",
    hint: "Fetch once now; afterwards it runs on a schedule.",
    action: "Go to streams",
  },
  review: {
    name: "Review a post",
    hint: "Approved posts go into the queue.",
    action: "Review",
  },
  key: {
    name: "Generate an API key",
    hint: "Your boost bot uses it. Example bots come with the source code.",
    action: "Generate key",
  },
  consumer: {
    name: "Connect a boost bot",
    hint: "Done when it has received its first post.",
    action: "How boost bots connect",
  },
} as const;

const places: Record<Step["name"], string> = {
  stream: "/streams?add=1",
  fetch: "/streams",
  review: "/review",
  key: "/settings/keys?generate=1",
  consumer: "/settings/keys#connect",
};

export interface FirstStepsProps {
  steps: readonly Step[];
  nextFetch: string | undefined;
}

/** Only the next step has a button. */
export function FirstSteps({ steps, nextFetch }: FirstStepsProps) {
  const done = steps.filter((step) => step.done).length;
  const next = steps.find((step) => !step.done);
  return (
    <Panel title="First steps" description={`${done} of ${steps.length} done.`} flush>
      <ol className="divide-y divide-line">
        {steps.map((step) => {
          const { name, hint, action } = homeSteps[step.name];
          const isNext = step === next;
          const Icon = step.done ? Check : isNext ? CircleDot : Circle;
          return (
            <li
              key={step.name}
              aria-current={isNext ? "step" : undefined}
              className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-2.5 desk:items-center"
            >
              <Icon
                aria-hidden
                className={cn(
                  "size-5 shrink-0",
                  step.done ? "text-approve" : isNext ? "text-accent" : "text-muted",
                )}
              />
              <span className="min-w-0 flex-1 basis-48 text-14">
                <span className={cn("block", step.done ? "text-muted" : "font-medium")}>
                  {name}
                  {step.done ? <VisuallyHidden>: Done</VisuallyHidden> : null}
                </span>
                {step.done ? null : (
                  <span className="block text-13 text-muted">
                    {hint}
                    {step.name === "fetch" && isNext && nextFetch !== undefined ? (
                      <>
                        {" "}
                        {"Next fetch of the streams"} <RelativeTime isAhead at={nextFetch} />.
                      </>
                    ) : null}
                  </span>
                )}
              </span>
              {isNext ? (
                <ButtonLink href={places[step.name]} variant="primary" className="max-desk:ms-8">
                  {action}
                </ButtonLink>
              ) : null}
            </li>
          );
        })}
      </ol>
    </Panel>
  );
}
