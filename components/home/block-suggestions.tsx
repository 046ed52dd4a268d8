"use client";
import { Flag } from "lucide-react";
import { undoById } from "#components/actions/undo-store.ts";
import { LazyReachDialog } from "#components/blocking/reach-dialog-lazy.tsx";
import { domainBody, type BlockTarget } from "#components/blocking/reach-question.ts";
import { useBlocking } from "#components/blocking/use-blocking.ts";
import { useCan } from "#components/shell/member-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { formatCount } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import type { BlockSuggestion, BlockSuggestionList } from "#lib/blocking/suggestion-schema.ts";
import { act } from "#lib/client/actions.ts";
import { authorHref } from "#lib/client/author-href.ts";
import { useApi } from "#lib/client/use-api.ts";
import { writtenDomain } from "#lib/filters/schema.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import { AttentionRow } from "./attention-row.tsx";

const w = words.blockQuestions;
const path = "/block-suggestions";

/** For members who may block; nothing without an open suggestion. */
export function BlockSuggestions() {
  const mayManage = useCan("admin");
  const { data, reload } = useApi<BlockSuggestionList>(mayManage ? path : null);
  const blocking = useBlocking({ settled: () => void reload() });
  const dismiss = useMutation<BlockSuggestion, { id: string }>(
    ({ id }) => act(`${path}/${id}`, { method: "DELETE" }),
    {
      refresh: [path],
      onDone: ({ id }, { name }) => notifyDone(w.dismissed(name), { undo: () => undoById(id) }),
      onFailed: (failure) => notifyFailed(words.blocking.failed, failure),
    },
  );
  if (!mayManage || data === undefined || data.total === 0) return null;
  return (
    <Panel title={w.suggestions(formatCount(data.total))} flush>
      <ul className="divide-y divide-line">
        {data.items.map((suggestion) => (
          <AttentionRow
            key={suggestion.id}
            icon={Flag}
            severity="work"
            title={<SuggestedName {...suggestion} />}
            hint={
              <>
                {suggestion.reason === "" ? null : `${suggestion.reason} · `}
                {suggestion.suggested_by}, <RelativeTime at={suggestion.created_at} />
                {suggestion.post_id === null ? null : (
                  <>
                    {" · "}
                    <Link href={`/posts/${suggestion.post_id}`}>{w.suggestedPost}</Link>
                  </>
                )}
              </>
            }
            action={
              <>
                <Button
                  size="sm"
                  pending={dismiss.pending}
                  aria-label={`${w.dismiss}: ${suggestion.name}`}
                  onClick={() => void dismiss.run(suggestion)}
                >
                  {w.dismiss}
                </Button>
                <Button
                  size="sm"
                  aria-label={`${w.block}: ${suggestion.name}`}
                  onClick={() => void blocking.block(targetOf(suggestion))}
                >
                  {w.block}
                </Button>
              </>
            }
          />
        ))}
      </ul>
      {blocking.question ? <LazyReachDialog question={blocking.question} onClose={blocking.close} /> : null}
    </Panel>
  );
}

function SuggestedName({ kind, name }: BlockSuggestion) {
  if (kind === "hashtag" || writtenDomain(name) !== null) return <bdi>{name}</bdi>;
  return (
    <Link href={authorHref(name)} tone="plain">
      {name}
    </Link>
  );
}

/** The reason may quote the post and is deleted with it; notes of the block lists are not, so they do not repeat it. */
function targetOf({ kind, name, suggested_by }: BlockSuggestion): BlockTarget {
  const notes = w.suggestedBy(suggested_by);
  const domain = kind === "user" ? writtenDomain(name) : null;
  if (kind === "hashtag") return { kind, name, body: { hashtag: name, notes } };
  if (domain !== null) return { kind, name, body: { ...domainBody(domain), notes }, domain };
  return { kind, name, body: { account_identifier: name, pattern_type: "exact", notes } };
}
