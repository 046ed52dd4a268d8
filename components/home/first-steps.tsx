import { Check, Circle, CircleDot } from "lucide-react";
import { ButtonLink } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { cn } from "#components/ui/cn.ts";

const steps = [
  {
    key: "stream",
    name: "Add a stream",
    hint: "A hashtag and the server to read it from.",
    action: "Add stream",
    href: "/streams?add=1",
  },
  {
    key: "fetch",
    name: "Fetch its posts",
    hint: "Fetch once now; afterwards it runs on a schedule.",
    action: "Go to streams",
    href: "/streams",
  },
  {
    key: "review",
    name: "Review a post",
    hint: "Approved posts go into the queue.",
    action: "Review",
    href: "/review",
  },
  {
    key: "key",
    name: "Generate an API key",
    hint: "Your boost bot uses it. Example bots come with the source code.",
    action: "Generate key",
    href: "/settings/keys?generate=1",
  },
  {
    key: "consumer",
    name: "Connect a boost bot",
    hint: "Done when it has received its first post.",
    action: "How boost bots connect",
    href: "/settings/keys#connect",
  },
] as const;

/** Until the first post. Only the next step has a button. */
export function FirstSteps({ done }: { done: { stream: boolean; key: boolean } }) {
  const isDone = (key: string) => (key === "stream" && done.stream) || (key === "key" && done.key);
  const next = steps.find(({ key }) => !isDone(key));
  return (
    <Panel
      title="First steps"
      description={`${steps.filter(({ key }) => isDone(key)).length} of ${steps.length} done.`}
      flush
    >
      <ol className="divide-y divide-line">
        {steps.map((step) => {
          const isNext = step === next;
          const past = isDone(step.key);
          const Icon = past ? Check : isNext ? CircleDot : Circle;
          const tone = past ? "text-approve" : isNext ? "text-accent" : "text-muted";
          return (
            <li
              key={step.key}
              aria-current={isNext ? "step" : undefined}
              className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-2.5 desk:items-center"
            >
              <Icon aria-hidden className={cn("size-5 shrink-0", tone)} />
              <span className="min-w-0 flex-1 basis-48 text-14">
                <span className={cn("block", past ? "text-muted" : "font-medium")}>
                  {step.name}
                  {past ? <span className="hidden-visually">: Done</span> : null}
                </span>
                {past ? null : <span className="block text-13 text-muted">{step.hint}</span>}
              </span>
              {isNext ? (
                <ButtonLink href={step.href} variant="primary" className="max-desk:ms-8">
                  {step.action}
                </ButtonLink>
              ) : null}
            </li>
          );
        })}
      </ol>
    </Panel>
  );
}
