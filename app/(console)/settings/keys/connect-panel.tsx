import { BookOpen } from "lucide-react";
import { formatDuration } from "#components/format.ts";
import { ButtonLink } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { CopyField } from "#components/ui/copy.tsx";

const steps = [
  ["GET /curated/next", "reserves a post and returns it, or answers 204 when there is none."],
  [
    "GET /api/v2/search?q=<post_uri>&resolve=true",
    "on the bot's own server finds the post. The bot boosts what it finds; 422 means that it was boosted before.",
  ],
  ["POST /curated/{id}/ack", "confirms the boost."],
  ["POST /curated/{id}/nack", "returns it to the queue."],
  ["POST /curated/{id}/error", "removes it from the queue with a reason."],
] as const;

export function ConnectPanel({ publicUrl, reserveSeconds }: { publicUrl: string; reserveSeconds: number }) {
  return (
    <Panel
      id="connect"
      title="How boost bots connect"
      description="Boost bots ask for posts; the queue does not push them. Each has an account of its own to boost with, and a token of it."
      actions={
        <ButtonLink href="/docs" size="sm" icon={<BookOpen aria-hidden />}>
          API reference
        </ButtonLink>
      }
    >
      <CopyField label="Address of the API" value={`${publicUrl}/api/v1`} className="max-w-xl" />
      <dl className="mt-4 grid gap-x-4 gap-y-1.5 text-13 desk:grid-cols-[max-content_1fr]">
        {steps.map(([call, meaning]) => (
          <div key={call} className="contents">
            <dt>
              <code className="font-mono text-12 wrap-anywhere">{call}</code>
            </dt>
            <dd className="text-muted max-desk:mb-1">{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-13 text-muted">
        A reservation expires after {formatDuration(reserveSeconds)}; then the post is offered again. Complete
        bots in TypeScript and Python are in the folder <code className="font-mono">examples</code> of the
        source code, described in <code className="font-mono">docs/bots.md</code>.
      </p>
    </Panel>
  );
}
