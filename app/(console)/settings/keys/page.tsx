import type { Metadata } from "next";
import { formatCount, formatDuration } from "#components/format.ts";
import { ActionButton, ActionErrors, ActionField, SubmitButton } from "#components/ui/action-form.tsx";
import { StatePill } from "#components/ui/badge.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { CopyField } from "#components/ui/copy.tsx";
import { FieldSet } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Link } from "#components/ui/link.tsx";
import { ListPanel } from "#components/ui/list-panel.tsx";
import { Expiry, RelativeTime } from "#components/ui/relative-time.tsx";
import { scopeWords } from "#components/words.ts";
import { keyStatus } from "#lib/accounts/api-keys.ts";
import { requireMember } from "#lib/accounts/current-member.ts";
import { now } from "#lib/base/clock.ts";
import { env } from "#lib/base/env.ts";
import { scopesOf } from "#lib/base/http/permissions.ts";
import { listStreams } from "#lib/collect/streams.ts";
import { listBotFigures } from "#lib/stats/get-overview.ts";
import { generateKey, revokeKey } from "../actions.ts";
import { SecretForm } from "../secret-form.tsx";

export const metadata: Metadata = { title: "Bots" };

const DAYS = 30;
const errors = {
  name: "Enter a name of at most 100 characters.",
  scopes: "Choose at least one permission.",
  stream_ids: "A chosen stream was deleted. Reload the page.",
  expires_at: "Choose a day in the future.",
} as const;

export default async function KeysPage() {
  const { id: member_id, role } = await requireMember();
  const scopes = scopesOf(role);
  const [{ keys }, { items: streams }, figures] = await Promise.all([
    keyStatus({ scopes, member_id }),
    listStreams({ skip: 0, limit: 1000 }),
    listBotFigures(DAYS),
  ]);
  const { PUBLIC_URL, RESERVE_TIMEOUT_SECONDS } = env();
  const streamName = (id: number) => streams.find((stream) => stream.id === id)?.hashtag ?? `${id}, deleted`;
  return (
    <div className="space-y-6">
      <ListPanel
        title="Keys"
        description="Programs use a key to sign in. A key never has more rights than its owner."
        rows={keys.map(({ id, name, prefix, last_characters: end, expires_at, ...key }) => {
          const bot = figures.find(({ api_key_id }) => api_key_id === id);
          return {
            key: id,
            title: (
              <span id={`key-${id}`} className="scroll-mt-16">
                {name} <code className="font-mono text-12 font-normal text-muted">{`${prefix}…${end}`}</code>
              </span>
            ),
            facts: [
              expires_at !== null && Date.parse(expires_at) <= now().getTime() && (
                <StatePill state="expired" />
              ),
              key.scopes.map((scope) => scopeWords[scope].name).join(", "),
              key.stream_ids.length > 0 &&
                key.stream_ids.map((stream) => `#${streamName(stream)}`).join(", "),
              ["last asked: ", <RelativeTime key="asked" at={key.last_asked_at} fallback="never" />],
              bot !== undefined &&
                `${formatCount(bot.delivered)} delivered, ${formatCount(bot.errors)} failed in ${DAYS} days`,
              ["expires: ", <Expiry key="until" at={expires_at} fallback="never" />],
              role === "admin" && `by ${key.created_by}`,
            ],
            actions: (
              <ActionButton
                action={revokeKey}
                fields={{ id, name }}
                ask="Programs with this key are refused from their next request on."
                size="sm"
                aria-label={`Revoke ${name} …${end}`}
              >
                Revoke
              </ActionButton>
            ),
          };
        })}
        empty="No API keys yet. A boost bot needs one to take approved posts."
      />
      <Panel id="generate" title="Generate an API key">
        <SecretForm action={generateKey} errors={errors} className="flex flex-col items-start gap-4">
          <div className="grid w-full gap-4 desk:grid-cols-2">
            <ActionField name="name" label="Name" hint="The program that uses it, such as Boost bot" required>
              <Input name="name" maxLength={100} autoComplete="off" required />
            </ActionField>
            <ActionField name="expires_at" label="Last day" hint="In your time zone. Empty: never.">
              <Input type="date" name="expires_at" />
            </ActionField>
            <FieldSet legend="Scopes">
              {scopes.map((scope) => (
                <Checkbox
                  key={scope}
                  name="scopes"
                  value={scope}
                  label={scopeWords[scope].name}
                  hint={scopeWords[scope].hint}
                  // Most programs need no more.
                  defaultChecked={scope === (scopes.includes("consume") ? "consume" : "read")}
                />
              ))}
              <ActionErrors name="scopes" />
            </FieldSet>
            {streams.length === 0 ? null : (
              <FieldSet legend="Posts of these streams only; none chosen: of all">
                <div className="flex max-h-48 flex-col gap-2 overflow-y-auto rounded-md border border-line-strong px-3 py-2.5">
                  {streams.map(({ id, hashtag, instance }) => (
                    <Checkbox key={id} name="stream_ids" value={id} label={`#${hashtag} ${instance}`} />
                  ))}
                </div>
                <ActionErrors name="stream_ids" />
              </FieldSet>
            )}
          </div>
          <SubmitButton variant="primary">Generate key</SubmitButton>
        </SecretForm>
      </Panel>
      <Panel id="connect" title="How boost bots connect">
        <CopyField label="Address of the API" value={`${PUBLIC_URL}/api/v1`} className="max-w-xl" />
        <ol className="mt-4 list-decimal space-y-1 ps-5 text-13 wrap-anywhere">
          <li>A bot boosts with a Mastodon account of its own, and needs a token of it.</li>
          <li>
            <code>GET /curated/next</code>, with the key in the header <code>X-API-Key</code>, reserves a post
            for {formatDuration(RESERVE_TIMEOUT_SECONDS)}. 204 means that there is none.
          </li>
          <li>
            The bot finds the post on its own server with{" "}
            <code>GET /api/v2/search?q=&lt;post_uri&gt;&amp;resolve=true</code> and boosts it; 422 means that
            it was boosted before.
          </li>
          <li>
            It answers <code>ack</code> (boosted), <code>nack</code> (back to the queue) or <code>error</code>{" "}
            (cannot be used).
          </li>
        </ol>
        <p className="mt-3 text-13 text-muted">
          More in the <Link href="/docs">API reference</Link>. Complete bots in TypeScript and Python are in{" "}
          <code>examples</code> of the source code.
        </p>
      </Panel>
    </div>
  );
}
