import { plural } from "#components/format.ts";
import { ActionButton, ActionField, ActionForm, SubmitButton } from "#components/ui/action-form.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Input } from "#components/ui/input.tsx";
import { ListPanel } from "#components/ui/list-panel.tsx";
import { withQuery } from "#lib/client/query-string.ts";
import type { Server } from "#lib/collect/streams.ts";
import { setToken } from "../actions.ts";

const problems = {
  needs_token: "Token missing",
  token_refused: "Token refused by the server",
  unreadable: "Enter the token again",
} as const;

/** @param server for the form, from the address */
export function ServersPanel({ servers, server: asked }: { servers: Server[]; server: string }) {
  return (
    <ListPanel
      title="Servers"
      description="Servers that streams are read from. Some show timelines only to their accounts: make an access token there with the scope read:statuses and set it here."
      rows={servers.map(({ host, domain, software, streams, has_token, token_problem }) => ({
        key: host,
        title: host,
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
            <ButtonLink
              size="sm"
              aria-label={`Set token for ${host}`}
              href={withQuery("/settings/installation", { server: host })}
              scroll={false}
            >
              Set token
            </ButtonLink>
            {has_token ? (
              <ActionButton
                action={setToken}
                fields={{ instance: host, token: null }}
                ask={{
                  title: `Remove the token for ${host}`,
                  description: "Streams of this server may fail until a new token is set.",
                  confirm: "Remove",
                }}
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
    >
      <ActionForm
        action={setToken}
        errors={{
          form: "Change something first.",
          instance: "Enter the name of a server on the public internet, such as mastodon.social.",
          token: "Paste the whole access token, without spaces.",
        }}
        clears
        className="grid items-start gap-3 desk:grid-cols-[1fr_1fr_auto]"
      >
        <ActionField name="instance" label="Server" required>
          <Input
            key={asked}
            name="instance"
            defaultValue={asked}
            placeholder="gts.example"
            maxLength={300}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            inputMode="url"
          />
        </ActionField>
        <ActionField
          name="token"
          whole
          label="Access token"
          hint="Stored encrypted and never shown again."
          required
        >
          <Input
            key={asked}
            name="token"
            type="password"
            maxLength={4000}
            autoComplete="off"
            autoFocus={asked !== ""}
          />
        </ActionField>
        <SubmitButton variant="primary" className="desk:mt-5.5">
          Save token
        </SubmitButton>
      </ActionForm>
    </ListPanel>
  );
}
