import { plural } from "#components/format.ts";
import { ActionButton, ActionField, ActionForm, SubmitButton } from "#components/ui/action-form.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Input } from "#components/ui/input.tsx";
import { ListPanel } from "#components/ui/list-panel.tsx";
import type { Server } from "#lib/collect/streams.ts";
import { setToken } from "../actions.ts";

const problems = {
  needs_token: "Token missing",
  token_refused: "Token refused by the server",
  unreadable: "Enter the token again",
} as const;
const errors = {
  form: "Paste the whole access token.",
  token: "Paste the whole access token, without spaces.",
};

export function ServersPanel({ servers }: { servers: Server[] }) {
  return (
    <ListPanel
      title="Servers"
      description="Servers that streams are read from. Some show timelines only to their accounts: make an access token there with the scope read:statuses and set it here. It is stored encrypted and never shown again."
      rows={servers.map(({ host, domain, software, streams, has_token, token_problem }) => ({
        key: host,
        title: (
          <span id={`server-${host}`} className="scroll-mt-16">
            {host}
          </span>
        ),
        facts: [
          token_problem !== null ? (
            <Badge tone="warn">{problems[token_problem]}</Badge>
          ) : has_token ? (
            <Badge tone="approve">Token set</Badge>
          ) : (
            "No token"
          ),
          plural(streams, "stream", "streams"),
          software,
          domain !== null && `accounts @${domain}`,
        ],
        actions: (
          <>
            <ActionForm action={setToken} errors={errors} clears className="flex items-start gap-2">
              <input type="hidden" name="instance" value={host} />
              <ActionField name="token" whole label={`Access token for ${host}`} hideLabel>
                <Input
                  name="token"
                  type="password"
                  size="sm"
                  placeholder="Access token"
                  maxLength={4000}
                  autoComplete="off"
                  required
                />
              </ActionField>
              <SubmitButton size="sm" aria-label={`Save the token for ${host}`}>
                Save
              </SubmitButton>
            </ActionForm>
            {has_token ? (
              <ActionButton
                action={setToken}
                fields={{ instance: host, token: null }}
                ask="Streams of this server may fail until a new token is set."
                size="sm"
                variant="danger"
                aria-label={`Remove the token for ${host}`}
              >
                Remove
              </ActionButton>
            ) : null}
          </>
        ),
      }))}
      empty="No servers yet. They appear with their first stream."
    />
  );
}
