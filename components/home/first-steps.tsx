import { Check, Circle, CircleDot } from "lucide-react";
import { ButtonLink } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";

const steps = [
  {
    name: "Add a stream",
    hint: "A hashtag and the server to read it from. Its posts come within minutes.",
    action: "Add stream",
    href: "/streams?add=1",
  },
  {
    name: "Generate an API key",
    hint: "Your boost bot uses it. Example bots come with the source code.",
    action: "Generate key",
    href: "/settings/keys#generate",
  },
  {
    name: "Review a post",
    hint: "Approved posts go into the queue, where the bot asks for them.",
    action: "Review",
    href: "/review",
  },
];

/** Shown until the first post. Only the next step has a button. */
export function FirstSteps({ hasStream, hasKey }: { hasStream: boolean; hasKey: boolean }) {
  const done = [hasStream, hasKey, false];
  const next = done.indexOf(false);
  return (
    <Panel title="First steps" flush>
      <ol className="divide-y divide-line">
        {steps.map(({ name, hint, action, href }, index) => {
          const Icon = done[index] ? Check : index === next ? CircleDot : Circle;
          return (
            <li
              key={name}
              aria-current={index === next ? "step" : undefined}
              className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-2.5 desk:items-center"
            >
              <Icon aria-hidden className="size-5 shrink-0 text-accent" />
              <span className="min-w-0 flex-1 basis-48 text-14">
                <span className="block font-medium">{name}</span>
                <span className="block text-13 text-muted">{done[index] ? "Done" : hint}</span>
              </span>
              {index === next ? (
                <ButtonLink href={href} variant="primary" className="max-desk:ms-8">
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
